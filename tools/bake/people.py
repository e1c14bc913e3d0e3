"""The people of the sample: which of MakeHuman's targets make whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools.bake.lips import closed_lips
from tools.bake.source import MPFB, Source

from facewright.arrays import Floats


@dataclass(frozen=True)
class Person:
    """A blend. Shares of origin add up to 1; the expression units are blended in the same shares."""

    name: str
    origin: Mapping[str, float]  # african, asian, caucasian
    male: float  # 0 to 1
    old: float  # 0: about 25 years, 1: about 90
    details: Mapping[str, float]  # further targets and how much of each

    def place(self, source: Source) -> Floats:
        """All vertices (v, 3) of the base mesh as this person, symmetric."""
        found = source.rest.copy()
        for group, share in self.origin.items():
            for sex, part in (("female", 1 - self.male), ("male", self.male)):
                for age, years in (("young", 1 - self.old), ("old", self.old)):
                    if weight := share * part * years:
                        found += weight * source.target(f"{MPFB}targets/macrodetails/{group}-{sex}-{age}.target.gz")
        for detail, weight in self.details.items():
            found += weight * source.target(f"{MPFB}targets/{detail}.target.gz")
        return source.symmetric(closed_lips(source, source.symmetric(found)))


PEOPLE = (
    Person(
        "default",
        {"african": 0.25, "asian": 0.35, "caucasian": 0.4},
        male=0.1,
        old=0.0,
        details={
            "head/head-oval": 0.5,
            "chin/chin-width-decr": 0.2,
            "mouth/mouth-angles-up": 0.4,
            "eyes/l-eye-scale-incr": 0.2,
            "eyes/r-eye-scale-incr": 0.2,
        },
    ),
    Person(
        "amara",
        {"african": 1.0},
        male=0.0,
        old=0.0,
        details={"head/head-oval": 0.5, "mouth/mouth-angles-up": 0.2},
    ),
    Person(
        "kenji",
        {"asian": 1.0},
        male=1.0,
        old=0.4,
        details={"head/head-square": 0.5, "chin/chin-width-incr": 0.3},
    ),
    Person(
        "edith",
        {"african": 0.2, "caucasian": 0.8},
        male=0.0,
        old=1.0,
        details={
            "head/head-oval": 0.5,
            "head/head-age-incr": 0.5,
            "chin/chin-width-decr": 0.4,
            "eyebrows/eyebrows-trans-backward": 0.5,
        },
    ),
)
