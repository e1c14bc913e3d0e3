"""Tables of what was found, each under a line that says what its numbers mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from facewright.report.asymmetry import UNEVEN
from facewright.report.breaches import Breach
from facewright.report.dependence import Dependent, Duplicate
from facewright.report.interference import Interference, Partner
from facewright.report.lint import Finding
from facewright.report.overlap import SliderPair
from facewright.report.summary import ShapeSummary, Summary
from facewright.workflow.report.html import Html, bar, join, name_tag, table, tag
from facewright.workflow.report.inspect.cards import signed

_SHOWN = 16  # rows of a table that is ranked and can be long


def findings(found: Sequence[Finding]) -> Html:
    if not found:
        return tag("p", "Nothing unusual.", class_="quiet")
    rows = ((tag("span", finding.kind, class_="kind"), finding.sentence) for finding in found)
    return table((), rows, class_="findings")


def more_pairs(pairs: Sequence[SliderPair]) -> Html:
    rows = (
        (
            name_tag(pair.first),
            name_tag(pair.second),
            _number(pair.interference, signed(pair.interference)),
            _number(pair.shared, f"{pair.shared:.2f}"),
            _number(pair.direction, f"{pair.direction:+.2f}".replace("-", "−")),
            "both sides" if pair.twin else "",
        )
        for pair in pairs
    )
    return table(("slider", "with", "interference", "shared", "direction", ""), rows)


def shapes(summary: Summary, found: Interference) -> Html:
    """Every shape, with bars for its numbers."""
    own = {one.name: one.share for one in found.own}
    others = {one.name: one for one in found.sliders}
    most = max((shape.relative_reach for shape in summary.shapes), default=0.0) or 1.0
    rows = []
    for shape in summary.shapes:
        slider = others[shape.sliders[0]] if shape.kind == "plain" else None
        strongest, carried = (slider.strongest, slider.carried) if slider else (None, None)
        row = [
            name_tag(shape.name),
            others[shape.sliders[0]].group,
            _driver(shape),
            bar(shape.relative_reach / most, shape.relative_reach, f"{shape.relative_reach:.1%}"),
            bar(shape.support, shape.support, f"{shape.support:.0%}"),
            bar(own[shape.name], own[shape.name], f"{own[shape.name]:.0%}"),
            _with(strongest, signed),
            _with(carried, lambda value: f"× {value:.2g}"),
        ]
        rows.append(row)
    head = ["shape", "group", "driven by", "reach", "support", "own", "strongest with", "carried by"]
    if not any(row[2] for row in rows):
        head, rows = [*head[:2], *head[3:]], [[*row[:2], *row[3:]] for row in rows]
    return table(head, rows, class_="sortable")


def dead(names: Sequence[str]) -> Html:
    return _list(names, "Every shape moves something.")


def duplicates(found: Sequence[Duplicate]) -> Html:
    rows = (
        (name_tag(same.second), "=", _number(same.factor, _times(same.factor)), name_tag(same.first))
        for same in found[:_SHOWN]
    )
    return _table_or(("shape", "", "times", "shape"), rows, len(found), "No two shapes are the same.")


def dependent(found: Sequence[Dependent]) -> Html:
    rows = ((name_tag(one.name), _number(one.residual, f"{one.residual:.1%}"), _terms(one)) for one in found[:_SHOWN])
    return _table_or(("shape", "rest", "what makes it"), rows, len(found), "No shape is a sum of others.")


def asymmetric(found: Interference) -> Html:
    sides = found.asymmetry
    if sides is None or not sides.shapes:
        return tag("p", "What moves on this mesh does not pair up left and right.", class_="quiet")
    worst = [one for one in sides.shapes if one.difference >= 0.005]
    most = max(UNEVEN, *(one.difference for one in worst), 0.0)
    rows = (
        (
            name_tag(one.name),
            tag("span", "itself", class_="quiet") if one.partner == one.name else name_tag(one.partner),
            bar(one.difference / most, one.difference, f"{one.difference:.1%}"),
            _number(one.furthest, f"{one.furthest:.2%}"),
            _number(one.ratio, f"{one.ratio:.2f}".replace("-", "−")),
        )
        for one in worst[:_SHOWN]
    )
    head = ("shape", "against", "difference", "furthest", "ratio")
    rest = len(sides.shapes) - len(worst)
    even = tag("p", f"{rest} more differ by less than half a percent.", class_="quiet") if rest and worst else None
    return join(_table_or(head, rows, len(worst), "Left and right are the same in every shape."), even)


def rules(found: Sequence[Breach], names: Sequence[str]) -> Html:
    if not names:
        return tag("p", "The rig has no rules.", class_="quiet")
    rows = (
        (
            name_tag(breach.rule),
            breach.kind,
            _pose(breach),
            _number(breach.vertex, str(breach.vertex)),
            _number(breach.distance, f"{breach.distance:.2%}"),
            _number(breach.allowed, f"{breach.allowed:.2%}"),
        )
        for breach in found[:_SHOWN]
    )
    head = ("rule", "kind", "worst pose", "vertex", "goes", "allowed")
    kept = f"{len(names)} rule{'s' * (len(names) != 1)}, all kept in every pose."
    return _table_or(head, rows, len(found), kept)


def _number(value: float, text: str) -> Html:
    return tag("td", text, class_="number", data_value=f"{value:.9g}")


def _with(partner: Partner | None, shown: Callable[[float], str]) -> Html:
    """Another slider and the number about it."""
    if partner is None:
        return tag("td", class_="number")
    return _number(abs(partner.value), join(shown(partner.value), " ", name_tag(partner.name)))


def _list(names: Sequence[str], otherwise: str) -> Html:
    if not names:
        return tag("p", otherwise, class_="quiet")
    shown = [part for name in names[: 4 * _SHOWN] for part in (name_tag(name), ", ")][:-1]
    return tag("p", *shown, _rest(len(names) - 4 * _SHOWN))


def _table_or(head: Sequence[str], rows: Iterable[Sequence[str]], count: int, otherwise: str) -> Html:
    if not count:
        return tag("p", otherwise, class_="quiet")
    rest = _rest(count - _SHOWN)
    return join(table(head, rows), tag("p", rest, class_="quiet") if rest else None)


def _rest(count: int) -> str:
    return f" and {count} more" if count > 0 else ""


def _times(factor: float) -> str:
    return f"× {factor:.3g}".replace("-", "−")


def _terms(one: Dependent) -> Html:
    parts: list[str] = []
    for term in one.terms:
        sign = "− " if term.factor < 0 else "+ " if parts else ""
        parts += [f"{sign}{abs(term.factor):.2g} ", name_tag(term.name), " "]
    return join(*parts, tag("span", f"+ {one.others} smaller", class_="quiet") if one.others else None)


def _pose(breach: Breach) -> Html:
    worst = sorted(breach.pose.items(), key=lambda item: -abs(item[1]))
    parts = [part for name, value in worst[:5] for part in (name_tag(name), f" {value:.2g}, ")]
    parts[-1:] = [parts[-1].removesuffix(", ")] if parts else []
    return join(*parts, _rest(len(worst) - 5))


def _driver(shape: ShapeSummary) -> Html:
    if shape.kind == "plain" and shape.sliders == (shape.name,):
        return Html("")
    return join(*[part for name, at in shape.drivers for part in (" × ", name_tag(name), at)][1:])
