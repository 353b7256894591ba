"""No green of a contract is false: random pairs of jobs and tables, judged by the library and executed by Spark."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

from airflow_provider_schemas.core.types.nested import Field
from tests.truth import summary
from tests.truth.__main__ import SEED
from tests.truth.page import PAGE, false_greens, page, share
from tests.truth.pairs import NUMBER, RULES, TYPES, Pair, pairs
from tests.truth.verdicts import Judged, Outcome, judged

_OTHER_SEED = 11
_EACH = 22


@pytest.fixture(scope="module")
def run(classic_spark: Any) -> list[Judged]:
    return list(judged(classic_spark.newSession(), islice(pairs(_OTHER_SEED, NUMBER), 0, None, _EACH)))


@pytest.fixture(scope="module")
def all_pairs() -> list[Pair]:
    return list(pairs(SEED, NUMBER))


def test_no_job_that_is_called_green_raises_or_gets_other_values(run: list[Judged]) -> None:
    assert [one for one in run if one.green and one.outcome is not Outcome.RIGHT] == []


def test_each_red_that_was_not_deserved_is_explained(run: list[Judged]) -> None:
    reds = [one for one in run if one.outcome is Outcome.RIGHT and not one.green]
    assert [one for one in reds if summary.explained(one) == summary.UNEXPLAINED] == []


def test_enough_pairs_run_correctly_for_greens_to_mean_something(run: list[Judged]) -> None:
    assert sum(one.outcome is Outcome.RIGHT for one in run) >= 0.4 * len(run)


def test_a_job_whose_table_is_what_it_means_runs_correctly_but_where_a_struct_may_be_null(run: list[Judged]) -> None:
    same = [one for one in run if one.pair.rule == "nothing"]
    assert len(same) > 20
    assert [one for one in same if one.outcome is not Outcome.RIGHT and not one.pair.job.paths] == []


# ---------------------------------------------------------------- the long run


def test_the_long_run_had_no_false_green_in_five_thousand_pairs_of_which_two_in_five_run() -> None:
    found = summary.read()
    assert found.pairs >= 5_000
    assert false_greens(found.confusion) == 0
    assert share(found.confusion) >= 0.4
    assert summary.UNEXPLAINED not in found.red
    assert false_greens(found.before) > 100


def test_the_page_is_made_of_what_the_long_run_wrote_down() -> None:
    assert PAGE.read_text("utf-8") == page(summary.read())


def test_each_rule_kind_of_job_and_depth_is_reached_twenty_times(all_pairs: list[Pair]) -> None:
    reached = Counter((one.rule, one.job.kind, one.depth) for one in all_pairs if one.rule in RULES)
    assert min(number for (rule, _, _), number in reached.items() if rule != "nothing") >= 20
    assert {rule for rule, _, _ in reached} == set(RULES)


def test_every_type_meets_every_type_as_a_column_and_in_a_container(all_pairs: list[Pair]) -> None:
    met = Counter(one.depth for one in all_pairs if one.rule == "types")
    assert met == dict.fromkeys((0, 1), len(list(product(TYPES, TYPES))))


def test_the_pairs_of_a_seed_are_always_the_same(all_pairs: list[Pair]) -> None:
    assert [_plain(one) for one in pairs(SEED, NUMBER)] == [_plain(one) for one in all_pairs]
    assert [_plain(one) for one in pairs(SEED + 1, NUMBER)] != [_plain(one) for one in all_pairs]


def _plain(pair: Pair) -> tuple[Any, ...]:
    return pair.job.name, pair.form, list(_texts(pair.mine)), list(_texts(pair.theirs)), pair.rule, pair.depth


def _texts(fields: tuple[Field, ...]) -> Iterator[str]:
    return (f"{one.id} {one}" for one in fields)
