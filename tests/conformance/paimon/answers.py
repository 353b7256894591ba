"""What we answer where we do not answer as Java: the `answer` of deviations.toml, for answers that are no mere refusal.

Each takes a row to one on which Java and we agree, or takes from Java's answer what it should not hold.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tests.conformance.harness import Accepted, Answer, ours
from tests.conformance.paimon.groups import GROUPS
from tests.conformance.paimon.predicates import TEXTS, given, named_parents, names_column
from tests.conformance.rows import Content


def the_null_texts_are_absent(row: Content) -> Answer:
    """What Java holds, without the texts that are null in the file, or in the type."""
    if row["group"] != "type-parse":
        return Accepted(_without_nulls(given(row), row["expect"]))
    answer = ours(GROUPS["type-parse"], {**row, "input": _without_nulls(given(row), given(row))})
    # Java shows the null texts in its SQL as well, so that the SQL is that of the type without them.
    sql = {"sql": answer.value["sql"]} if isinstance(answer, Accepted) else {}
    return Accepted({**row["expect"], "json": _without_nulls(given(row), row["expect"]["json"]), **sql})


def _without_nulls(source: Any, held: Any) -> Any:
    if isinstance(source, dict) and isinstance(held, dict):
        kept = {key: value for key, value in held.items() if key not in TEXTS or source.get(key, "") is not None}
        return {key: _without_nulls(source.get(key), value) for key, value in kept.items()}
    if isinstance(source, list) and isinstance(held, list):
        return [_without_nulls(*pair) for pair in zip(source, held, strict=True)]
    return held


def only_the_field_is_renamed(row: Content) -> Answer:
    """The same without the options that name the column around the field, and then with them as they were."""
    options = dict(row["create"].get("options", {}))
    aside = {key: value for key, value in options.items() if _set_aside(row, key, value)}
    for change in (one for batch in row["batches"] for one in batch if one["action"] == "setOption"):
        aside |= {change["key"]: change["value"]} if _set_aside(row, change["key"], change["value"]) else {}
    create = {**row["create"], "options": {key: value for key, value in options.items() if key not in aside}}
    batches = [[one for one in batch if one.get("key") not in aside] for batch in row["batches"]]
    answer = ours(GROUPS["alter"], {**row, "create": create, "batches": batches})
    return Accepted({**answer.value, "options": {**answer.value["options"], **aside}}) if isinstance(answer, Accepted) else answer


def _set_aside(row: Content, key: str, value: str) -> bool:
    return any(names_column((key, value), parent) for parent in named_parents(row))


def the_renames_happen_one_by_one(row: Content) -> Answer:
    """The same with a batch for each nested rename; only the number of the schema is that of fewer batches."""
    batches = list(_one_by_one(row["batches"]))
    answer = ours(GROUPS[row["group"]], {**row, "batches": batches})
    if isinstance(answer, Accepted) and row["group"] == "alter":
        return Accepted({**answer.value, "id": answer.value["id"] - len(batches) + len(row["batches"])})
    return answer


def _one_by_one(batches: list[list[Content]]) -> Iterator[list[Content]]:
    for batch in batches:
        rest: list[Content] = []
        for change in batch:
            rest.append(change)
            if change["action"] == "renameColumn" and len(change["fieldNames"]) > 1:
                yield rest
                rest = []
        if rest or not batch:
            yield rest


ANSWERS: dict[str, Callable[[Content], Answer]] = {
    one.__name__: one for one in (the_null_texts_are_absent, only_the_field_is_renamed, the_renames_happen_one_by_one)
}
