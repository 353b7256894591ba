"""What came after a version, by the log of heads: the head may return to an earlier number."""

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.mounts.source import Head, Heads
from airflow_provider_schemas.store.versions import heads as order
from airflow_provider_schemas.store.versions.changes_since import moved_by_heads

SCHEMA = TableSchema.create("id BIGINT")


def log(*numbers: int, table_id: str = "t", whole: bool = True) -> Heads:
    return Heads(tuple(Head(number, f"d{number}", table_id=table_id) for number in numbers), whole)


def version(number: int, table_id: str = "t") -> Version:
    return Version(number, f"d{number}", SCHEMA, table_id=table_id)


def numbers(heads: tuple[Head, ...] | None) -> list[int] | None:
    return None if heads is None else [head.number for head in heads]


def versions(*of: int) -> list[Version]:
    return [version(number) for number in of]


# ---------------------------------------------------------------- after one that was seen


def test_a_return_to_the_first_schema_came_after_the_second() -> None:
    assert numbers(order.heads_after(log(0, 1, 0), 1)) == [0]


def test_what_was_seen_is_the_last_of_its_number() -> None:
    assert numbers(order.heads_after(log(0, 1, 0, 2), 0)) == [2]
    assert numbers(order.heads_after(log(0, 1, 0), 0)) == []


def test_a_version_is_seen_by_number_digest_and_table() -> None:
    known = log(0, 1)
    assert numbers(order.heads_after(known, (0, "d0"))) == [1]
    assert numbers(order.heads_after(known, (0, "d0", "t"))) == [1]
    assert order.heads_after(known, (0, "another")) is None
    assert order.heads_after(known, (0, "d0", "another")) is None


def test_what_the_log_does_not_hold_is_not_known_and_not_nothing() -> None:
    assert order.heads_after(log(4, 5, whole=False), 3) is None


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.data())
def test_after_a_head_comes_the_rest_of_the_log_in_which_it_does_not_stand(drawn: list[int], data: st.DataObject) -> None:
    heads = log(*(number for place, number in enumerate(drawn) if place == 0 or drawn[place - 1] != number))
    seen = data.draw(st.sampled_from(heads.entries))
    after = order.heads_after(heads, (seen.number, seen.digest, seen.table_id))
    assert after is not None
    assert seen not in after
    assert (*heads.entries[: len(heads.entries) - len(after)], *after) == heads.entries
    assert heads.entries[len(heads.entries) - len(after) - 1] == seen


# ---------------------------------------------------------------- before one


def test_before_a_schema_that_came_back_is_what_was_current_in_between() -> None:
    before = order.versions_before(versions(0, 1), version(0), log(0, 1, 0))
    assert [one.number for one in before] == [1]


def test_each_version_before_stands_once_where_it_was_current_last() -> None:
    before = order.versions_before(versions(0, 1, 2, 3), version(3), log(0, 1, 0, 2, 1, 3))
    assert [one.number for one in before] == [0, 2, 1]


def test_without_a_log_lower_numbers_came_before() -> None:
    assert [one.number for one in order.versions_before(versions(0, 1, 2), version(2), None)] == [0, 1]
    assert [one.number for one in order.versions_before(versions(0, 1, 2), version(2), log(7))] == [0, 1]


def test_the_schema_of_another_table_is_none_of_the_versions_before() -> None:
    mixed = Heads((Head(0, "d0", table_id="old"), *log(1).entries), whole=True)
    assert order.versions_before(versions(0, 1), version(1), mixed) == ()


# ---------------------------------------------------------------- a movement


def test_the_log_is_not_asked_for_while_the_head_is_what_was_seen() -> None:
    def never() -> Heads:
        raise AssertionError("the log was read")

    for seen in (1, (1, "d1"), (1, "d1", "t"), version(1)):
        assert not moved_by_heads(seen, version(1), never)


def test_a_return_is_a_movement_that_is_told_as_one_and_no_finding() -> None:
    moved = moved_by_heads((1, "d1"), version(0), lambda: log(0, 1, 0))
    assert moved
    assert (moved.head, moved.newer, moved.report.findings) == (0, (0,), ())
    assert moved.restored == "RESTORED: back to version 0, as it was before version 1 came"
    assert moved.restored in moved.report.notes


def test_each_head_that_came_is_told_in_order() -> None:
    moved = moved_by_heads((0, "d0"), version(0), lambda: log(0, 1, 2, 0))
    assert not moved
    moved = moved_by_heads((1, "d1"), version(3), lambda: log(0, 1, 2, 0, 3))
    assert (moved.newer, moved.restored) == ((2, 0, 3), "")


def test_nobody_knows_what_came_where_the_log_was_cut() -> None:
    moved = moved_by_heads((3, "d3"), version(6), lambda: log(5, 6, whole=False))
    assert moved.newer == (5, 6)
    assert "nobody knows what came between it and version 6" in moved.report.notes[0]


def test_a_log_that_is_behind_its_head_hides_no_movement() -> None:
    assert moved_by_heads((1, "d1"), version(2), lambda: log(0, 1)).newer == (2,)
    assert moved_by_heads((1, "d1"), version(2), lambda: Heads((), whole=True)).newer == (2,)


def test_another_table_is_told_as_replaced_whatever_its_numbers_are() -> None:
    moved = moved_by_heads((0, "d0", "t"), version(0, "u"), lambda: log(0, table_id="u"))
    assert (moved.is_replaced, moved.newer) == (True, (0,))
    assert [(finding.rule, finding.verdict.value) for finding in moved.report.findings] == [("TABLE_REPLACED", "warn")]
    moved = moved_by_heads((4, "d4", "t"), version(1, "u"), lambda: log(0, 1, table_id="u"))
    assert (moved.newer, [finding.verdict.value for finding in moved.report.findings]) == ((0, 1), ["break"])


def test_a_log_that_ends_with_the_earlier_table_gets_the_head_of_the_new_one() -> None:
    moved = moved_by_heads((1, "d1", "t"), version(2, "u"), lambda: log(0, 1, 2))
    assert [(head.number, head.table_id) for head in moved.came] == [(2, "t"), (2, "u")]


def test_a_version_without_a_table_id_is_of_any_table() -> None:
    assert not moved_by_heads((0, "d0"), version(0, "u"), lambda: log(0, table_id="u"))
    assert arguments.seen((0, "d0")) == (0, "d0", "")
