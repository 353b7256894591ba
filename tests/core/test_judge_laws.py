"""What holds of the judge whatever the tables, policies, contracts and evidence."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import (
    Contract,
    Plan,
    Policy,
    Report,
    TableSchema,
    Version,
    changes,
    check,
    check_contract,
    evolve,
    fitting,
)
from airflow_provider_schemas.core import comparison as comparison_module
from airflow_provider_schemas.core.casts import lossless
from airflow_provider_schemas.core.contract import Accepts, Need, Role, Shape
from airflow_provider_schemas.core.evidence import Evidence
from airflow_provider_schemas.core.policy import Against
from airflow_provider_schemas.core.report import Verdict, worst
from airflow_provider_schemas.core.rules import CATALOGUE
from airflow_provider_schemas.core.schema import Options
from airflow_provider_schemas.core.wire import report_dict, report_of
from airflow_provider_schemas.errors import PlanError, SchemaError
from tests.core.judged import (
    HOSTILE,
    SHAPES,
    all_names,
    by_id,
    by_path,
    contracts_for,
    data_of,
    evidence_for,
    jobs_of,
    plain,
    policies,
    renamed,
    renamed_contract,
    severity,
    shuffled,
    steps,
    table_of,
    versions,
    waivers,
    whole_contract,
)
from tests.core.tables import batches, tables

create = TableSchema.create


def under(**values: Any) -> Policy:
    """A policy, written as people write it."""
    return Policy(**values)


def needing(**values: Any) -> Contract:
    """A contract, written as people write it."""
    return Contract(**values)


A = create("a INT, b INT")


def foreign(schema: TableSchema, *changed: tuple[int, dict[str, Any]], **members: Any) -> TableSchema:
    """The next schema as another tool writes it: columns by place with other members, one more than there are for a new one."""
    file = json.loads(schema.to_json())
    for place, one in changed:
        if place == len(file["fields"]):
            file["fields"].append(one)
        file["fields"][place] |= one
    highest = max([file["highestFieldId"], *(one["id"] for one in file["fields"])])
    return TableSchema.from_json(json.dumps(file | {"id": schema.id + 1, "highestFieldId": highest} | members))


# ---------------------------------------------------------------- FULL


@pytest.mark.parametrize("rule", CATALOGUE, ids=lambda rule: rule.id)
def test_full_is_the_worse_of_data_and_jobs_in_every_rule(rule: Any) -> None:
    for variant in ("", *rule.variants):
        answers = rule.answers(variant)
        assert answers.full == worst((answers.data_by_id, answers.jobs))


@given(steps(), st.data())
def test_a_report_under_full_is_as_bad_as_the_worse_of_backward_and_forward(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    contracts = [data.draw(contracts_for(old))]
    against = data.draw(st.sampled_from(["", "_TRANSITIVE"]))
    full, backward, forward = (
        check(old, new, under(mode=f"{mode}{against}"), history=history, contracts=contracts) for mode in ("FULL", "BACKWARD", "FORWARD")
    )
    assert full.verdict == worst((backward.verdict, forward.verdict))
    for one, other, third in zip(full.findings, backward.findings, forward.findings, strict=True):
        assert one.verdict == worst((other.verdict, third.verdict))


# ---------------------------------------------------------------- names


@given(steps(), st.data())
def test_other_names_for_every_field_change_nothing_for_readers_by_id(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    names = all_names(old, new, *history)
    others = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    policy = data.draw(policies(readers=["paimon", "iceberg-v2"]))
    contracts = [untyped(data.draw(contracts_for(old))), untyped(data.draw(contracts_for(new, "other")))]
    said = check(old, new, policy, history=history, contracts=contracts)
    again = check(
        renamed(old, others),
        renamed(new, others),
        policy,
        history=[renamed(one, others) for one in history],
        contracts=[renamed_contract(one, others) for one in contracts],
    )
    assert by_id(again) == by_id(said)


def untyped(contract: Contract) -> Contract:
    """The contract without types of structs, whose texts hold names."""
    columns = [Need(**{**one.model_dump(), "type": None if "<" in (one.type or "") else one.type}) for one in contract.columns]
    return Contract(**{**contract.model_dump(), "columns": tuple(columns)})


@given(versions().map(lambda found: [plain(one) for one in found]), st.data())
@example([create("a INT, b INT"), create("b INT")], None)
def test_names_full_of_signs_are_names_like_all_others(found: list[TableSchema], data: Any) -> None:
    *history, old, new = found
    names = all_names(*found)
    if data is None:
        others = dict(zip(names, ["a.b", "c`d"], strict=False))
    else:
        wild = data.draw(st.lists(HOSTILE, min_size=len(names), max_size=len(names), unique_by=lambda name: name.lower()))
        others = dict(zip(names, wild, strict=True))
    policy = under(protect=["data", "jobs", "writers"], registry_complete=True)
    wanted = needing(name="job", columns=tuple({"name": one} for one in old.names), shape="closed")
    contracts = [
        Contract(**{**wanted.model_dump(), "columns": tuple({"name": names[one]} for one in old.names)}) for names in (same(names), others)
    ]
    said = check(old, new, policy, history=history, contracts=contracts[:1])
    again = check(
        renamed(old, others), renamed(new, others), policy, history=[renamed(one, others) for one in history], contracts=contracts[1:]
    )
    assert by_id(again) == by_id(said)


def same(names: list[str]) -> dict[str, str]:
    return {one: one for one in names}


@given(steps(2, 2), st.data())
def test_schemas_without_ids_are_judged_as_those_with_ids_where_nothing_was_renamed(step: Any, data: st.DataObject) -> None:
    old, new, _ = step
    old, new = without_attributes(old), without_attributes(new)
    said = check(old, new)
    told = {one.rule for one in said.findings}
    assume(not told & {"FIELD_RENAMED", "FIELD_RENAMED_CASE", "FIELD_READDED", "FIELD_MOVED", "FIELD_ID_REUSED"})
    assert by_path(check(old, shuffled(new), by_name=True)) == by_path(said)


def without_attributes(schema: TableSchema) -> TableSchema:
    options = {key: value for key, value in schema.options.items() if not key.startswith("schemas.")}
    return msgspec.structs.replace(schema, options=Options(options))


# ---------------------------------------------------------------- policies


@given(steps(), st.data())
def test_setting_a_rule_to_ok_never_makes_a_report_worse_and_to_block_never_better(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(old))]
    said = check(old, new, policy, history=history, contracts=contracts)
    rule = data.draw(st.sampled_from([one.rule for one in said.findings] or ["FIELD_DROPPED"]))
    mild, strict = (
        check(old, new, under(**{**policy.model_dump(), "rules": {**policy.rules, rule: level}}), history=history, contracts=contracts)
        for level in ("ok", "block")
    )
    assert severity(mild.verdict) <= severity(said.verdict) <= severity(strict.verdict)


@given(steps(), st.data())
def test_two_policies_joined_are_at_least_as_strict_as_each(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    mine, yours = data.draw(policies()), data.draw(policies())
    contracts = [data.draw(contracts_for(old))]
    live = data.draw(st.none() | st.sets(st.integers(0, 3)))
    verdicts = [
        check(old, new, one, history=history, contracts=contracts, live=live).verdict
        for one in (mine, yours, mine.stricter(yours), yours.stricter(mine))
    ]
    assert verdicts[2] == verdicts[3] == worst(verdicts[:2])


@given(steps(), st.data())
def test_it_does_not_matter_in_which_order_three_policies_are_joined(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    one, two, three = (data.draw(policies()) for _ in range(3))
    left, right = one.stricter(two).stricter(three), one.stricter(two.stricter(three))
    assert check(old, new, left, history=history).verdict == check(old, new, right, history=history).verdict


@given(steps(), st.data())
def test_an_exception_never_makes_a_finding_worse(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(old))]
    said = check(old, new, policy, history=history, contracts=contracts)
    spared = under(**{**policy.model_dump(), "exceptions": [one.model_dump() for one in data.draw(waivers(said))]})
    again = check(old, new, spared, history=history, contracts=contracts)
    for one, other in zip(said.findings, again.findings, strict=True):
        assert (one.rule, one.path) == (other.rule, other.path)
        assert severity(other.verdict) <= severity(one.verdict)


@given(steps(), st.data())
def test_evidence_never_makes_a_report_worse(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    # A policy may speak of the two rules for NULL one by one; then it decides which of them is worse.
    policy, contracts = data.draw(policies(rules={})), [data.draw(contracts_for(old))]
    said = check(old, new, policy, history=history, contracts=contracts)
    proven = check(old, new, policy, history=history, contracts=contracts, evidence=data.draw(evidence_for(said)))
    assert severity(proven.verdict) <= severity(said.verdict)
    assert severity(data_of(proven)) <= severity(data_of(said))


@given(steps(), st.data())
def test_what_is_invalid_stays_so_under_every_policy(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    most = check(old, new, under(against="all"), history=history).verdict
    if most is Verdict.INVALID:
        assert check(old, new, data.draw(policies(against="all", readers=["paimon"])), history=history).verdict is Verdict.INVALID


# ---------------------------------------------------------------- nothing, and everything


@given(tables(), st.data())
def test_a_schema_beside_itself_has_nothing_to_report(table: TableSchema, data: st.DataObject) -> None:
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(table))]
    assert check(table, table, policy, contracts=contracts).findings == ()
    again = check(table, evolve(table, []), policy, contracts=contracts)
    assert [one.rule for one in again.findings] == ["NO_CHANGE"]


@given(steps())
@example((A, evolve(A, ['SET OPTION schemas.field.0 = {"alias": "z"}']), []))
@example((A, evolve(A, ['SET OPTION schemas.field.0 = {"note": "of the owner"}']), []))
@example((A, evolve(A, ["ADD COLUMN c INT", "DROP COLUMN c"]), []))
def test_every_difference_has_a_finding(step: Any) -> None:
    old, new, history = step
    said = check(old, new, under(against="all"), history=history)
    rules = [one.rule for one in said.findings]
    # The highest id says nothing about any row.
    same = old.content == msgspec.structs.replace(new, highest_field_id=old.highest_field_id).content
    assert (rules == ["NO_CHANGE"]) is same
    assert rules


KEYED = create("k BIGINT NOT NULL, v INT", primary_keys=["k"])
SMALL_KEY = foreign(KEYED, (0, {"type": "SMALLINT NOT NULL"}))


@given(steps())
@example((SMALL_KEY, foreign(SMALL_KEY, (0, {"type": "INT NOT NULL"})), [KEYED]))
@example((KEYED, foreign(KEYED, (0, {"type": "TIME(3) NOT NULL"})), []))
def test_no_finding_stands_there_twice(step: Any) -> None:
    old, new, history = step
    found = check(old, new, under(against="all", readers=["paimon", "spark-4-parquet", "iceberg-v2"]), history=history).findings
    told = [(one.rule, one.path, one.old, one.new, one.fault, one.message) for one in found]
    assert sorted(set(told)) == sorted(told)


# ---------------------------------------------------------------- contracts


@given(tables(), SHAPES, st.sampled_from(list(Accepts)), st.booleans(), st.sampled_from([("select",), ("write",), ("select", "write")]))
@example(create("`a.b` INT, c INT"), Shape.CLOSED, Accepts.LOSSLESS, False, ("select",))
@example(create("m MULTISET<ROW<x INT>>, n INT"), Shape.OPEN, Accepts.LOSSLESS, False, ("select",))
@example(create("n INT, m MAP<ROW<x INT>, INT>"), Shape.OPEN, Accepts.LOSSLESS, True, ("write",))
def test_a_contract_written_from_a_schema_fits_it(
    table: TableSchema, shape: Shape, accepts: Accepts, pin: bool, role: tuple[str, ...]
) -> None:
    about = {"primary_key": table.primary_keys, "partitioned_by": table.partition_keys}
    contract = whole_contract(table, pin=pin, shape=shape, accepts=accepts, role=[Role(one) for one in role], **about)
    assert check_contract(table, contract).findings == ()
    assert check_contract(table, Contract.read(json.loads(contract.model_dump_json()))).findings == ()


@given(steps(2, 2))
def test_a_job_that_names_the_wider_types_takes_the_narrower_ones_too(step: Any) -> None:
    old, new, _ = step
    for one in new.fields:
        before = old.field(one.name)
        if before is not None and lossless(before.type, one.type):
            need = Need(name=one.name, type=str(one.type), nullable=one.type.nullable)
            assert check_contract(old, Contract(columns=(need,))).findings == ()


@given(tables(), st.data())
def test_what_jobs_are_told_to_expect_does_not_break_them(table: TableSchema, data: st.DataObject) -> None:
    """Columns added, in another order, with other comments, tightened: jobs that name what they need go on."""
    contract = whole_contract(table, pin=data.draw(st.booleans()), shape=Shape.OPEN, accepts=Accepts.EXACT, role=[Role.SELECT])
    new = evolve(table, ["ADD COLUMN fresh STRING FIRST", f"ALTER COLUMN {quoted(table.names[0])} COMMENT 'other'"])
    assert check_contract(new, contract, seen=table).findings == ()
    assert jobs_of(check(table, new, under(registry_complete=True), contracts=[contract])) is Verdict.OK


def quoted(name: str) -> str:
    return f"`{name}`"


@given(steps(), st.data())
def test_where_no_old_job_is_affected_no_contract_of_the_old_schema_breaks(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    if jobs_of(check(old, new, history=history)) is Verdict.OK:
        accepts, pin = data.draw(st.sampled_from(list(Accepts))), data.draw(st.booleans())
        contract = whole_contract(old, pin=pin, shape=Shape.OPEN, accepts=accepts, role=[Role.SELECT], name="job")
        assert check(old, new, history=history, contracts=[contract]).consumers == ()
        assert check_contract(new, contract, seen=old).findings == ()


@given(steps(), st.data())
def test_a_contract_that_fitted_and_does_not_any_more_is_a_victim(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    contract = data.draw(contracts_for(old))
    fitted = check_contract(old, contract).verdict is Verdict.OK
    broken = any(one.verdict is Verdict.BREAK for one in check_contract(new, contract, seen=old).findings)
    victims = [one.name for one in check(old, new, history=history, contracts=[contract]).consumers]
    if fitted:
        assert victims == (["job"] if broken and old.content != new.content else [])


# ---------------------------------------------------------------- fixes


@given(steps(), st.data())
def test_a_fix_that_is_offered_as_changes_takes_its_finding_away(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    policy = under(against="all", readers=["paimon", "spark-4-parquet"])
    for one in check(old, new, policy, history=history).findings:
        if one.changes:
            better = evolve(new, one.changes)
            left = [(other.rule, other.path) for other in check(old, better, policy, history=history).findings]
            assert (one.rule, one.path) not in left


@given(steps(2, 2), st.data())
def test_a_fix_of_a_contract_takes_its_finding_away(step: Any, data: st.DataObject) -> None:
    old, new, _ = step
    contract = data.draw(contracts_for(old))
    for one in check_contract(new, contract, seen=old).findings:
        if one.changes:
            left = [(other.rule, other.path) for other in check_contract(evolve(new, one.changes), contract, seen=old).findings]
            assert (one.rule, one.path) not in left


# ---------------------------------------------------------------- pairs and chains


def judged_against(word: str, schemas: list[TableSchema], **more: Any) -> Report:
    *history, old, new = schemas
    return check(old, new, under(against=word, **more), history=history)


@st.composite
def composing(draw: st.DrawFn) -> list[TableSchema]:
    """Versions whose steps add, drop, rename and relax, and give no name twice."""
    found, number = [draw(tables())], 0
    for _ in range(draw(st.integers(2, 4))):
        current = found[-1]
        for _ in range(draw(st.integers(1, 3))):
            number += 1
            column = draw(st.sampled_from(current.names))
            batch = draw(
                st.sampled_from(
                    [
                        changes.AddColumn((f"n{number}",), create("a INT").fields[0].type),
                        changes.DropColumn((column,)),
                        changes.RenameColumn((column,), f"n{number}"),
                        changes.UpdateColumnNullability((column,), True),
                    ]
                )
            )
            try:
                current = evolve(current, [batch])
            except SchemaError:
                continue
        if current is not found[-1]:
            found.append(msgspec.structs.replace(current, id=found[-1].id + 1))
    return found


@given(composing())
def test_adding_dropping_renaming_and_relaxing_compose_so_that_earlier_versions_say_nothing_more(found: list[TableSchema]) -> None:
    assume(len(found) > 2)
    assert judged_against("all", found).findings == judged_against("previous", found).findings


@given(composing())
def test_what_a_chain_of_such_steps_comes_to_is_what_its_ends_say(found: list[TableSchema]) -> None:
    first, last = found[0], found[-1]
    assume(len(found) > 2 and not set(first.options) & {"sequence.field", "bucket-key"})
    ends = {(one.rule, one.id) for one in check(first, last).findings if one.rule.startswith("FIELD_") and one.rule != "FIELD_REORDERED"}
    there, now = {one.id: one for one in first.fields}, {one.id: one for one in last.fields}
    meant = {("FIELD_DROPPED", one) for one in there.keys() - now.keys()}
    meant |= {("FIELD_ADDED_NULLABLE", one) for one in now.keys() - there.keys()}
    meant |= {("FIELD_RENAMED", one) for one in there.keys() & now.keys() if there[one].name != now[one].name}
    assert {one for one in ends if not one[0].startswith("FIELD_DOC")} == meant


def line(first: str, *batches_of_changes: list[str]) -> list[TableSchema]:
    """A table and what became of it."""
    found = [create(first, options={"alter-column-null-to-not-null.disabled": "false"})]
    for batch in batches_of_changes:
        found.append(evolve(found[-1], batch))
    return found


CHAINS = {
    # Each step is fine by itself, and the last one is not for the oldest files; or the other way round.
    "INT -> BIGINT -> INT is a loss from the second version only": (
        line("a INT, b INT", ["ALTER COLUMN a TYPE BIGINT"], ["ALTER COLUMN a TYPE INT"]),
        Verdict.BREAK,
        Verdict.BREAK,
    ),
    "BIGINT -> STRING, and INT was there before": (
        line("a BIGINT, b INT", ["ALTER COLUMN a TYPE INT"], ["ALTER COLUMN a TYPE DOUBLE"]),
        Verdict.OK,
        Verdict.BREAK,
    ),
    "NOT NULL, and a file of an earlier version has no such column": (
        line(
            "b INT", ["ADD COLUMN a INT", "ALTER COLUMN a SET NOT NULL"], ["ALTER COLUMN a DROP NOT NULL"], ["ALTER COLUMN a SET NOT NULL"]
        ),
        Verdict.BREAK,
        Verdict.BREAK,
    ),
    "a name that comes back": (line("a INT, b INT", ["DROP COLUMN a"], ["ADD COLUMN a INT"]), Verdict.OK, Verdict.BREAK),
    "a default that comes and goes": (
        line("a INT, b INT", ["ALTER COLUMN a SET DEFAULT 5"], ["ALTER COLUMN a SET DEFAULT 6"]),
        Verdict.OK,
        Verdict.OK,
    ),
    "a rename that is taken back": (line("a INT, b INT", ["RENAME COLUMN a TO c"], ["RENAME COLUMN c TO a"]), Verdict.BREAK, Verdict.BREAK),
}


@pytest.mark.parametrize("name", CHAINS)
def test_types_and_names_that_return_do_not_compose(name: str) -> None:
    found, previous, every = CHAINS[name]
    readers = ["spark-4-parquet"]
    assert data_of(judged_against("previous", found, readers=readers)) is previous
    assert data_of(judged_against("all", found, readers=readers)) is every


def test_a_type_that_comes_back_is_fine_by_its_ends_and_lossy_by_its_steps() -> None:
    first, second, third = line("a INT, b INT", ["ALTER COLUMN a TYPE BIGINT"], ["ALTER COLUMN a TYPE INT"])
    assert data_of(check(first, msgspec.structs.replace(third, id=1))) is Verdict.OK
    assert data_of(check(second, third)) is Verdict.BREAK
    assert data_of(check(second, third, history=[first], live={0})) is Verdict.OK


@given(steps(2, 4), st.data())
def test_data_is_as_readable_as_from_each_version_by_itself(step: Any, data: st.DataObject) -> None:
    """Types are judged pair by pair: what the judge finds over all versions is the worst that any of them finds alone."""
    old, new, history = step
    live = [one.id for one in (*history, old)]
    kinds = ("TYPE_", "DECIMAL_", "TIMESTAMP_", "LENGTH_", "FIXED_", "KIND_", "VARIANT_")

    def found(versions_that_count: list[int]) -> Verdict:
        said = check(old, new, history=history, live=versions_that_count)
        return worst(one.data for one in said.findings if one.rule.startswith(kinds))

    assert found(live) == worst(found([one]) for one in live)


# ---------------------------------------------------------------- which versions count


@given(steps(3, 4), st.data())
def test_live_is_never_stricter_than_all_and_never_milder_with_more_versions(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    live = data.draw(st.sets(st.integers(0, 4)))
    more = live | data.draw(st.sets(st.integers(0, 4)))
    rules = data.draw(policies(rules={}))
    verdicts = [
        check(old, new, under(**{**rules.model_dump(), "against": against}), history=history, live=one).verdict
        for against, one in ((Against.LIVE, live), (Against.LIVE, more), (Against.ALL, live), (Against.LIVE, None))
    ]
    assert [severity(one) for one in verdicts[:3]] == sorted(severity(one) for one in verdicts[:3])
    assert verdicts[2] == verdicts[3]


@given(steps(3, 4))
def test_against_the_previous_version_only_none_before_it_is_told_of(step: Any) -> None:
    old, new, history = step
    said = check(old, new, under(against="previous", readers=["paimon", "spark-4-parquet"]), history=history)
    assert {number for one in said.findings for number in one.versions} <= {old.id}
    assert "FIELD_READDED" not in {one.rule for one in said.findings} or not_hidden(said, old)


def not_hidden(report: Report, old: TableSchema) -> bool:
    """Whether every name that returned was there in the last version."""
    return all(
        one.old.split(" ", 1)[0] in {str(field.id) for field in every_field(old)} for one in report.findings if one.rule == "FIELD_READDED"
    )


def every_field(schema: TableSchema) -> Iterator[Any]:
    text = json.loads(schema.to_json())
    stack: list[Any] = [text["fields"]]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if "id" in one and "name" in one:
                yield next(iter([type("F", (), one)]))
            stack += one.values()
        elif isinstance(one, list):
            stack += one


@given(steps(3, 4), st.data())
def test_the_more_versions_count_the_stricter(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    readers = data.draw(st.sampled_from([["paimon"], ["spark-4-parquet"], ["paimon", "iceberg-v2", "delta"]]))
    verdicts = [check(old, new, under(mode=f"FULL{word}", readers=readers), history=history).verdict for word in ("", "_TRANSITIVE")]
    assert severity(verdicts[0]) <= severity(verdicts[1])


def test_a_dropped_field_comes_back_with_its_id_also_where_only_the_previous_version_counts() -> None:
    dropped = evolve(A, ["DROP COLUMN b"])
    back = msgspec.structs.replace(A, id=2)
    for against in Against:
        said = check(dropped, back, under(against=against), history=[A])
        assert [one.rule for one in said.findings] == ["FIELD_UNDELETED"]


def test_a_history_that_holds_the_new_schema_too_changes_nothing() -> None:
    new = evolve(A, ["ADD COLUMN c INT"])
    assert check(A, new, history=[A, new]) == check(A, new)


# ---------------------------------------------------------------- what a data engineer would ask


def rules_of(report: Report) -> list[str]:
    return [one.rule for one in report.findings]


def job(columns: Any, **about: Any) -> Contract:
    return Contract.of({"columns": columns}, name="job", **about)


@pytest.mark.parametrize("place", ["FIRST", "AFTER a", "AFTER b", "LAST"])
def test_a_name_that_differs_in_case_only_is_told_of_wherever_it_stands(place: str) -> None:
    old = create("a INT, b INT, c INT")
    assert "NAME_CASE_COLLISION" in rules_of(check(old, evolve(old, [f"ADD COLUMN B INT {place}"])))


def test_an_option_whose_text_stayed_names_another_column_after_a_swap() -> None:
    old = create("k INT, a INT, b INT", primary_keys=["k"], options={"sequence.field": "a"})
    assert "OPTION_MEANING_CHANGED" in rules_of(check(old, foreign(old, (1, {"name": "b"}), (2, {"name": "a"}))))


def test_the_rule_of_a_gap_does_not_depend_on_earlier_types_without_one() -> None:
    found = line("a SMALLINT, b INT", ["ALTER COLUMN a TYPE BIGINT"], ["ALTER COLUMN a TYPE DECIMAL(19, 0)"])
    for word in ("previous", "all"):
        assert rules_of(judged_against(word, found, readers=["spark-4-parquet"])) == ["TYPE_WIDENED_ENGINE_GAP"]


DROPPED = evolve(A, ["DROP COLUMN b"])
BACK = {"id": 1, "name": "b", "type": "INT"}
STRUCT = create("a INT, r ROW<x INT, y INT>")


@pytest.mark.parametrize(
    ("old", "new", "history"),
    [
        (DROPPED, foreign(DROPPED, (1, BACK | {"type": "INT NOT NULL"})), A),
        (DROPPED, foreign(DROPPED, (1, BACK | {"type": "TINYINT"})), A),
        (
            evolve(STRUCT, ["DROP COLUMN r"]),
            foreign(
                evolve(STRUCT, ["DROP COLUMN r"]),
                (1, {"id": 1, "name": "r", "type": {"type": "ROW", "fields": [{"id": 2, "name": "x", "type": "TINYINT"}]}}),
            ),
            STRUCT,
        ),
    ],
    ids=["NOT NULL now", "narrower now", "narrower inside now"],
)
def test_a_field_that_comes_back_otherwise_than_it_went_breaks_data(old: TableSchema, new: TableSchema, history: TableSchema) -> None:
    assert data_of(check(old, new, history=[history])) is Verdict.BREAK


def test_a_name_that_returns_is_none_to_readers_where_no_file_that_counts_has_it() -> None:
    first, second, third = line("a INT, b INT", ["DROP COLUMN b"], ["ADD COLUMN b INT"])
    assert data_of(check(second, third, under(readers="spark-4-parquet"), history=[first], live={1})) is Verdict.OK


def test_a_column_renamed_to_a_name_that_files_hold_brings_those_values_back_by_name() -> None:
    new = evolve(A, ["DROP COLUMN a", "RENAME COLUMN b TO a", 'SET OPTION schemas.field.1 = {"alias": "b"}'])
    assert data_of(check(A, new, under(readers="spark-4-parquet"))) is Verdict.BREAK


ALIASED = create("b INT NOT NULL, c INT", options={"schemas.field.0": '{"alias": "a"}'})


@pytest.mark.parametrize(
    "batch",
    [["ALTER COLUMN b TYPE STRING"], ["ALTER COLUMN b DROP NOT NULL"], ["DROP COLUMN b"]],
    ids=" ".join,
)
def test_a_job_that_uses_an_alias_is_a_victim_of_what_happens_to_the_column(batch: list[str]) -> None:
    assert [one.name for one in check(ALIASED, evolve(ALIASED, batch), contracts=[job({"a": "INT NOT NULL"})]).consumers] == ["job"]


def test_a_new_column_that_takes_the_name_of_an_alias_breaks_the_jobs_that_use_it() -> None:
    old = create("b INT, c INT", options={"schemas.field.0": '{"alias": "a"}'})
    assert check(old, evolve(old, ["ADD COLUMN a INT"]), contracts=[job({"a": "INT"})]).verdict is Verdict.BREAK


def test_a_column_that_a_job_reads_by_an_alias_or_a_pin_is_not_unread() -> None:
    policy = under(registry_complete=True)
    assert rules_of(check(ALIASED, evolve(ALIASED, ["DROP COLUMN b"]), policy, contracts=[job(["a"])]))[0] == "FIELD_DROPPED"
    later = evolve(A, ["RENAME COLUMN b TO z"])
    pinned = job([{"name": "b", "id": 1}])
    assert rules_of(check(later, evolve(later, ["DROP COLUMN z"]), policy, contracts=[pinned]))[0] == "FIELD_DROPPED"


def test_a_rename_whose_alias_has_ended_already_is_a_rename() -> None:
    new = evolve(A, ["RENAME COLUMN b TO z", 'SET OPTION schemas.field.1 = {"alias": {"b": "2020-01-01"}}'])
    assert rules_of(check(A, new)) == ["FIELD_RENAMED"]


PARTED = create("k INT NOT NULL, p STRING NOT NULL, v INT", partition_keys=["p"], primary_keys=["k", "p"])


@pytest.mark.parametrize(
    ("contract", "members"),
    [
        (job([{"name": "p", "role": "partition"}]), {"partitionKeys": []}),
        (job([{"name": "k", "role": "key"}]), {"primaryKeys": []}),
        (job(["v"], partitioned_by=["p"]), {"partitionKeys": []}),
        (job(["v"], primary_key=["k", "p"]), {"primaryKeys": []}),
    ],
    ids=["role partition", "role key", "partitioned_by", "primary_key"],
)
def test_a_job_that_relies_on_a_key_is_a_victim_when_the_key_goes(contract: Contract, members: dict[str, Any]) -> None:
    assert check_contract(PARTED, contract).findings == ()
    new = foreign(PARTED, **members)
    assert check_contract(new, contract).verdict is Verdict.BREAK
    assert [one.name for one in check(PARTED, new, contracts=[contract]).consumers] == ["job"]


@pytest.mark.parametrize(
    "old",
    [create("r ARRAY<ROW<x INT, y INT>>"), create("r MAP<STRING, ROW<x INT, y INT>>"), create("r ROW<x INT, y INT>")],
    ids=["list", "map", "struct"],
)
@pytest.mark.parametrize("field", ["x", "y"])
def test_a_victim_stands_at_the_field_that_it_reads(old: TableSchema, field: str) -> None:
    part = {"ARRAY": ["r", "element"], "MAP": ["r", "value"], "ROW": ["r"]}[old.fields[0].type.root.name]
    new = evolve(old, [{"action": "updateColumnType", "fieldNames": [*part, one], "newDataType": "BIGINT"} for one in "xy"])
    hit = [one.path for one in check(old, new, contracts=[job({f"r.{field}": "INT"})]).findings if one.consumers]
    assert [path[-1] for path in hit] == [field]


def test_a_victim_stands_at_its_field_and_not_at_one_whose_name_begins_alike() -> None:
    old = create("r ROW<x INT, xy INT>")
    new = evolve(old, ["ALTER COLUMN r.x TYPE BIGINT", "ALTER COLUMN r.xy TYPE BIGINT"])
    assert [one.path for one in check(old, new, contracts=[job({"r.xy": "INT"})]).findings if one.consumers] == ["r.xy"]


def test_a_job_that_writes_a_field_of_a_struct_is_a_victim_when_it_goes() -> None:
    writer = job({"r": {"type": "ROW<x INT, y INT>", "role": "write"}})
    assert check_contract(evolve(STRUCT, ["DROP COLUMN r.y"]), writer).verdict is Verdict.BREAK


def test_a_job_that_reads_and_writes_needs_both_ways() -> None:
    both = job({"a": {"type": "BIGINT", "role": ["select", "write"]}})
    assert check_contract(A, both).verdict is Verdict.BREAK


def test_a_job_that_takes_the_exact_struct_does_not_take_another_field_in_it() -> None:
    exact = job({"r": {"type": "ROW<x INT, y INT>", "accepts": "exact"}})
    assert check_contract(evolve(STRUCT, ["ADD COLUMN r.z INT"]), exact).verdict is Verdict.BREAK


def test_a_pinned_column_that_was_renamed_is_not_also_an_extra_one() -> None:
    contract = Contract.of(A, pin=True, shape="closed", name="job")
    assert rules_of(check_contract(evolve(A, ["RENAME COLUMN b TO z"]), contract)) == ["EXPECT_FIELD_RENAMED"]


def test_a_name_in_another_case_warns_jobs_that_are_registered_as_it_warns_all_others() -> None:
    new = evolve(A, ["RENAME COLUMN b TO B"])
    assert check(A, new, contracts=[job(["b"])]).verdict is check(A, new).verdict is Verdict.WARN


def test_evidence_about_files_excuses_no_writer() -> None:
    old = create("a INT, b INT", options={"alter-column-null-to-not-null.disabled": "false"})
    new = evolve(old, ["ALTER COLUMN b SET NOT NULL"])
    proof = [Evidence(path="b", not_null=True)]
    writer = job({"b": {"type": "INT", "role": "write"}})
    assert check(old, new, evidence=proof).verdict is Verdict.WARN
    assert check(old, new, evidence=proof, contracts=[writer]).verdict is Verdict.BREAK
    assert check(old, new, under(protect=["writers"]), evidence=proof).verdict is Verdict.BREAK


def test_a_change_that_is_accepted_for_the_only_job_it_breaks_does_not_block() -> None:
    spared = {"rule": "FIELD_DROPPED", "until": "2999-01-01", "reason": "moved", "consumer": "job"}
    policy = under(protect=["jobs"], registry_complete=True, exceptions=[spared])
    assert check(A, DROPPED, policy, contracts=[job(["b"])]).fits


def test_a_reader_without_the_type_is_told_of_where_the_name_was_there_before() -> None:
    new = evolve(A, ["DROP COLUMN b", "ADD COLUMN b TIME(3)"])
    assert "TYPE_UNREPRESENTABLE" in rules_of(check(A, new, under(readers="spark-4-parquet")))


@pytest.mark.parametrize("kind", ["MAP<ROW<y INT COMMENT 'old'>, INT>", "MULTISET<ROW<y INT COMMENT 'old'>>"])
def test_a_comment_inside_a_key_is_a_comment(kind: str) -> None:
    old = create(f"m {kind}, n INT")
    new = table_of(TableSchema.from_json(old.to_json().replace("old", "new")), id=1)
    assert rules_of(check(old, new)) == ["FIELD_DOC_CHANGED"]


def test_a_job_is_named_once_at_a_finding() -> None:
    old = create("a INT, b INT, c INT")
    contract = Contract.of(old, name="job", shape="positional")
    for one in check(old, evolve(old, ["ALTER COLUMN c FIRST"]), contracts=[contract]).findings:
        assert len({consumer.name for consumer in one.consumers}) == len(one.consumers)


def test_an_exception_for_one_of_two_swapped_names_is_not_for_the_other() -> None:
    new = foreign(A, (0, {"name": "b"}), (1, {"name": "a"}))
    policy = under(protect="FULL", exceptions=[{"rule": "FIELD_RENAMED", "path": "a", "until": "2999-01-01", "reason": "x"}])
    assert [(one.path, one.verdict) for one in check(A, new, policy).findings] == [("a", Verdict.WARN), ("b", Verdict.BREAK)]


def test_evidence_and_exceptions_may_spell_a_name_as_it_is() -> None:
    old = create("`two words` BIGINT, c INT")
    new = evolve(old, [{"action": "updateColumnType", "fieldNames": ["two words"], "newDataType": "INT"}])
    excepted = under(exceptions=[{"rule": "TYPE_NARROWED", "path": "two words", "until": "2999-01-01", "reason": "x"}])
    assert check(old, new, excepted).verdict is Verdict.WARN
    assert check(old, new, evidence=[Evidence(path="two words", fits="INT")]).verdict is Verdict.WARN


def test_evidence_that_is_about_nothing_is_told_of() -> None:
    assert any("nothing" in note for note in check(A, DROPPED, evidence=[Evidence(path="bb", not_null=True)]).notes)


# ---------------------------------------------------------------- nothing else escapes, and the wire


@st.composite
def anything(draw: st.DrawFn) -> Report:
    """The report of any step, under any policy, with contracts, evidence and live versions."""
    old, new, history = draw(steps())
    if draw(st.booleans()):
        names = all_names(old, new, *history)
        wild = draw(st.lists(HOSTILE, min_size=len(names), max_size=len(names), unique_by=lambda name: name.lower()))
        others = dict(zip(names, wild, strict=True))
        old, new, history = renamed(old, others), renamed(new, others), [renamed(one, others) for one in history]
    policy = draw(policies())
    contracts = [draw(contracts_for(one)) for one in (old, new)]
    first = check(old, new, policy, history=history, contracts=contracts)
    policy = under(**{**policy.model_dump(), "exceptions": [one.model_dump() for one in draw(waivers(first))]})
    live = draw(st.none() | st.sets(st.integers(0, 4)))
    return check(old, new, policy, history=history, contracts=contracts, evidence=draw(evidence_for(first)), live=live, table="db.t")


@given(anything())
def test_nothing_is_raised_and_every_finding_is_a_sentence(report: Report) -> None:
    for one in report.findings:
        assert one.message.endswith((".", ".\n"))
        assert severity(one.verdict) >= 0


@given(anything())
def test_a_report_comes_back_from_its_plain_values(report: Report) -> None:
    assert report_of(json.loads(json.dumps(report_dict(report)))) == report


@given(tables(), tables(), st.data())
def test_any_two_tables_can_be_judged(old: TableSchema, new: TableSchema, data: st.DataObject) -> None:
    """As if a foreign tool had replaced one by the other: ids are reused, keys and options change as they like."""
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(old)), data.draw(contracts_for(new))]
    for by_name in (False, True):
        said = check(old, new, policy, contracts=contracts, by_name=by_name)
        assert said.findings


@pytest.mark.parametrize("text", ["{path} {0} {}", "%s %(a)s", "{", "}", "a\nb", "`", "'\"", "{x!r:>{w}}", "\\", "é\u202e"])
def test_texts_full_of_signs_do_not_break_a_sentence(text: str) -> None:
    old = table_of(create("a INT, b STRING, r ROW<x INT>"), comment=text)
    new = evolve(
        table_of(old, comment="other"),
        [
            {"action": "updateColumnComment", "fieldNames": ["a"], "newComment": text},
            {"action": "updateColumnDefaultValue", "fieldNames": ["b"], "newDefaultValue": text},
            {"action": "renameColumn", "fieldNames": ["r"], "newName": text},
            {"action": "setOption", "key": f"my.{text}", "value": text},
            {"action": "setOption", "key": "schemas.field.0", "value": json.dumps({"unit": text, "deprecated": text, "reason": text})},
            {"action": "setOption", "key": "schemas.table", "value": json.dumps({"owner": text, "contact": text})},
        ],
    )
    contract = needing(name=text, owner=text, contact=text, columns=({"name": "r"}, {"name": "r.x"}, {"name": text}), last_seen=text)
    policy = under(exceptions=[{"rule": "FIELD_RENAMED", "path": text, "until": "2999-01-01", "reason": text, "by": text}])
    evidence = [Evidence(path=text, not_null=True, found=text)]
    report = check(old, new, policy, contracts=[contract], evidence=evidence, table=text)
    assert report_of(json.loads(json.dumps(report_dict(report)))) == report
    assert report.findings


# ---------------------------------------------------------------- plans


def version(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)


@given(steps(), st.data())
def test_a_plan_comes_back_from_its_json_and_keeps_its_digest(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    target = new if data.draw(st.booleans()) else data.draw(batches(old))
    plan = Plan.of(
        version(old), target, policy=data.draw(policies()), history=history, contracts=[data.draw(contracts_for(old))], table="db.t"
    )
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert again.digest == plan.digest


@given(steps(), st.data())
def test_a_plan_is_applied_to_the_version_it_was_made_on_and_to_no_other(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    plan = Plan.of(version(old), new, history=history)
    if plan.verdict is not Verdict.INVALID:
        assert plan.apply(version(old)).digest == new.digest
    other = version(evolve(old, [changes.SetOption("my.other", "x")]))
    for head in (None, other, Version.read(old.to_json().encode(), old.id + 1), Version.read(old.to_json().encode(), old.id, "dev")):
        with pytest.raises(PlanError) as refused:
            plan.apply(head)
        assert refused.value.code == "plan.base-moved"


PLAN = Plan.of(version(A), ["ADD COLUMN c INT", "ALTER COLUMN b TYPE SMALLINT"], table="db.t", left_alone=["z"])


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every plain value in a JSON value."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_of(one, (*path, key))
    else:
        yield path


# What is written for readers of the JSON, follows from the rest and is not read back.
DERIVED = {"expressed", "result_digest", "counts", "fits", "code", "link"}


def test_a_plan_that_was_changed_anywhere_is_refused() -> None:
    unnoticed = []
    for path in places_of(json.loads(PLAN.to_json())):
        if set(path) & DERIVED or path in (("verdict",), ("report", "verdict")):
            continue
        value = part = json.loads(PLAN.to_json())
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = tampered(part[path[-1]])
        try:
            Plan.from_json(json.dumps(value))
        except SchemaError:
            continue
        unnoticed.append(".".join(map(str, path)))
    assert unnoticed == []


def tampered(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    verdicts = {"ok": "warn", "warn": "ok", "break": "warn", "invalid": "break"}
    return verdicts.get(value, f"{value}x")


# ---------------------------------------------------------------- how much is done


def test_a_thousand_contracts_do_not_cost_a_thousand_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    old = create([{"name": f"c{number}", "type": "INT"} for number in range(1_000)])
    new = evolve(old, ["ALTER COLUMN c7 TYPE BIGINT"])
    contracts = [
        needing(
            name=f"job{number}",
            columns=({"name": f"c{number}", "type": "INT"}, {"name": "c7" if number % 10 == 0 else "c8", "type": "INT"}),
        )
        for number in range(1_000)
        if number not in (7, 8)
    ]
    compared, asked = [0], [0]
    counted(monkeypatch, comparison_module.Comparison, "__init__", compared)
    counted(monkeypatch, fitting, "_lacks", asked)
    report = check(old, new, contracts=contracts)
    assert compared == [1]
    assert len(report.consumers) == 100
    # Only needs at the column that changed are looked at: once after the step, and once before it for each broken job.
    assert asked[0] <= 200


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, calls: list[int]) -> None:
    real = getattr(owner, name)

    def call(*given_: Any, **named: Any) -> Any:
        calls[0] += 1
        return real(*given_, **named)

    monkeypatch.setattr(owner, name, call)
