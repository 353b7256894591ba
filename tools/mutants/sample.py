"""The seeded sample: mutants of the touched functions first, then of the rest of their modules."""

import collections
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.mutants.places import Mutant, places
from tools.mutants.touched import Lines


class Sample(NamedTuple):
    """The mutants to try, from how many, and how many changes no mutant stands for, by reason."""

    mutants: list[Mutant]
    candidates: int
    left_out: collections.Counter[str]


def sample(root: Path, touched: Mapping[str, Lines], number: int, seed: int) -> Sample:
    """Choose mutants of modules; the same tree and seed choose the same."""
    found = [places(path, (root / path).read_text(encoding="utf-8")) for path in sorted(touched)]
    mutants = [mutant for module in found for mutant in module.mutants]
    left_out = sum((module.left_out for module in found), collections.Counter[str]())
    return Sample(_chosen(mutants, touched, number, seed), len(mutants), left_out)


def only(root: Path, keys: Sequence[str]) -> Sample:
    """Take the mutants with these keys."""
    paths = sorted({key.partition(":")[0] for key in keys})
    mutants = [mutant for path in paths for mutant in places(path, (root / path).read_text(encoding="utf-8")).mutants]
    chosen = [mutant for mutant in mutants if mutant.key in keys]
    missing = set(keys) - {mutant.key for mutant in chosen}
    if missing:
        raise SystemExit(f"no such mutant in this tree: {', '.join(sorted(missing))}")
    return Sample(chosen, len(mutants), collections.Counter())


def _chosen(mutants: list[Mutant], touched: Mapping[str, Lines], number: int, seed: int) -> list[Mutant]:
    chance = random.Random(seed)
    shuffled = chance.sample(mutants, len(mutants))
    shuffled.sort(key=lambda mutant: touched[mutant.path].isdisjoint(mutant.lines))  # stays shuffled within both
    return shuffled[:number]
