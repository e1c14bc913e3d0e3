from tests.fuzz.run import run


def test_a_broken_file_loads_or_is_refused_in_time_and_inside_its_folder() -> None:
    outcomes, failures = run(range(1400), seed=7, limit_memory=False)
    assert not failures, "\n".join(f"{f.name} case {f.case}: {f.what}" for f in failures[:5])
    assert sum(outcomes.values()) == 1400
    assert sum(count for key, count in outcomes.items() if key.endswith("refused")) > 300
