"""Policies, contracts, evidence and plans that people or machines got wrong: every fault at once, and nothing else escapes."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, Plan, Policy, TableSchema, Version, check, check_contract, evolve
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, PlanError, PolicyError, SchemaError

OLD = TableSchema.create("a INT, b INT")
NEW = evolve(OLD, ["ADD COLUMN c INT", "ALTER COLUMN b TYPE BIGINT"])
BASE = Version.read(OLD.to_json().encode(), 0)
PLAN = Plan.of(BASE, NEW, table="db.t")
HUGE = 10**5000


def nested(key: str, levels: int = 100_000) -> dict[str, Any]:
    """A mapping in a list in a mapping, and so on."""
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {key: [value]}
    return value


def listed(levels: int = 100_000) -> list[Any]:
    """A list in a list, and so on."""
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def refused(kind: type[SchemaError], call: Callable[[], Any]) -> SchemaError:
    """The error that the call raises: of this kind, whole sentences, each fault once, and itself again after pickling."""
    with pytest.raises(SchemaError) as caught:
        call()
    error = caught.value
    assert type(error) is kind
    assert all(fault.code and fault.message.endswith((".", "!")) and fault.fix for fault in error.faults)
    assert len(error.faults) <= MAX_FAULTS
    assert len(set(error.faults)) == len(error.faults)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.faults, str(again)) == (type(error), error.faults, str(error))
    return error


# ---------------------------------------------------------------- policies

POLICIES: dict[str, tuple[Any, list[str]]] = {
    "no mapping": (["FULL"], [""]),
    "nothing": (None, [""]),
    "a word": ("FULL", [""]),
    "unknown keys": ({"mod": "FULL", "rule": {}, "protect": {"dat": "block"}}, ["protect.dat", "mod", "rule"]),
    "keys that are no text": ({5: 1, None: 2}, ["5", "None"]),
    "an unknown mode": ({"mode": "FULLISH"}, ["mode"]),
    "a mode that is no text": ({"mode": 5}, ["mode"]),
    "mode and protect": ({"mode": "FULL", "protect": {"data": "off"}}, ["mode"]),
    "versions twice": ({"mode": "FULL_TRANSITIVE", "against": "previous"}, ["against"]),
    "versions twice, beside protect": ({"protect": "FULL_TRANSITIVE", "against": "previous"}, ["against"]),
    "protect as a number": ({"protect": 5}, ["protect"]),
    "protect lists a list": ({"protect": [["data"]]}, ["protect[0]"]),
    "protect lists what nobody knows": ({"protect": ["data", "readers"]}, ["protect.readers"]),
    "levels that are none": (
        {"protect": {"data": "blok", "jobs": None, "writers": 1}},
        ["protect.data", "protect.jobs", "protect.writers"],
    ),
    "unknown rules, and levels that are none": (
        {"rules": {"FIELD_DROPED": "ok", "DECIMAL_SCALE_RAISED": "ok", "LIST_ELEMENT": "ok", "FIELD_DROPPED": "ignore"}},
        ["rules.FIELD_DROPED", "rules.DECIMAL_SCALE_RAISED", "rules.LIST_ELEMENT", "rules.FIELD_DROPPED"],
    ),
    "rules in a list": ({"rules": ["FIELD_DROPPED"]}, ["rules"]),
    "rules whose names are numbers": ({"rules": {5: "ok", None: "ok"}}, ["rules[5]", "rules.None"]),
    "every unknown reader": ({"readers": ["spork", "paimon", "trino"]}, ["readers[0]", "readers[2]"]),
    "readers that are no texts": ({"readers": [5, []]}, ["readers[0]", "readers[1]"]),
    "a number of readers": ({"readers": 5}, ["readers"]),
    "an exception without anything": ({"exceptions": [{}]}, ["exceptions[0].rule", "exceptions[0].until", "exceptions[0].reason"]),
    "an exception without a reason, for ever": (
        {"exceptions": [{"rule": "FIELD_DROPPED", "until": "for ever", "reason": ""}]},
        ["exceptions[0].until", "exceptions[0].reason"],
    ),
    "no such day": ({"exceptions": [{"rule": "FIELD_DROPPED", "until": "2026-02-30", "reason": "x"}]}, ["exceptions[0].until"]),
    "a year is no day": ({"exceptions": [{"rule": "FIELD_DROPPED", "until": 2026, "reason": "x"}]}, ["exceptions[0].until"]),
    "a day without an end": ({"exceptions": [{"rule": "FIELD_DROPPED", "until": HUGE, "reason": "x"}]}, ["exceptions[0].until"]),
    "no number is a day": ({"enforce_from": float("nan")}, ["enforce_from"]),
    "one exception, not in a list": ({"exceptions": {"rule": "FIELD_DROPPED"}}, ["exceptions"]),
    "perhaps complete": ({"registry_complete": "perhaps"}, ["registry_complete"]),
    "hugely complete": ({"registry_complete": HUGE}, ["registry_complete"]),
    "half a character": ({"name": "\ud800"}, ["name"]),
    "half a character in a rule": ({"rules": {"\ud800": "ok"}}, [""]),
    "bytes": ({"name": b"\xff"}, ["name"]),
    "a name of a million letters": ({"name": "x" * 1_000_000}, ["name"]),
    "another policy with faults": ({"also": [{"mode": "x", "foo": 1}]}, ["also[0].mode", "also[0].foo"]),
    "policies without end": (nested("also"), [""]),
    "lists without end": ({"also": listed()}, [""]),
}


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_with_faults_is_refused_with_all_of_them(name: str) -> None:
    value, paths = POLICIES[name]
    error = refused(PolicyError, lambda: Policy.read(value))
    if paths != [""]:
        assert sorted(fault.path for fault in error.faults) == sorted(paths)


@pytest.mark.parametrize("key", ["mode", "protect"])
@pytest.mark.parametrize("against", ["live", "all"])
def test_a_word_for_the_levels_leaves_it_to_against_which_versions_count(key: str, against: str) -> None:
    assert Policy.read({key: "FULL", "against": against}).against == against


def test_faults_of_every_part_are_told_at_once() -> None:
    value = {
        "mode": "x",
        "against": "some",
        "readers": ["q"],
        "rules": {"X": "ok"},
        "exceptions": [{"rule": "Y", "until": "z", "reason": "r"}],
        "enforce_from": "soon",
        "color": "red",
    }
    error = refused(PolicyError, lambda: Policy.read(value))
    assert {fault.path.split("[")[0].split(".")[0] for fault in error.faults} == set(value)


@pytest.mark.parametrize("make", [lambda number: {f"k{number}": 1}, lambda number: {"rules": {f"R{number}": "ok"}}], ids=["keys", "rules"])
def test_thousands_of_faults_are_a_bounded_list(make: Callable[[int], dict[str, Any]]) -> None:
    value: dict[str, Any] = {}
    for number in range(5_000):
        for key, one in make(number).items():
            value.setdefault(key, {} if isinstance(one, dict) else one)
            if isinstance(one, dict):
                value[key].update(one)
    assert len(refused(PolicyError, lambda: Policy.read(value)).faults) == MAX_FAULTS


@pytest.mark.parametrize("until", ["2020-01-01", "0001-01-01", "2020-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"])
def test_an_exception_that_has_ended_is_no_fault_and_is_told_of(until: str) -> None:
    policy = Policy.read({"exceptions": [{"rule": "TYPE_WIDENED", "until": until, "reason": "x"}]})
    assert any("has ended" in note for note in check(OLD, NEW, policy).notes)


@pytest.mark.parametrize("until", ["9999-12-31", "9999-12-31T23:59:59-14:00"])
def test_the_last_days_of_the_calendar_are_days(until: str) -> None:
    policy = Policy.read({"exceptions": [{"rule": "TYPE_WIDENED", "until": until, "reason": "x"}], "enforce_from": until})
    assert check(OLD, NEW, policy).notes


# ---------------------------------------------------------------- contracts

CONTRACTS: dict[str, tuple[Any, list[str]]] = {
    "a number": (5, [""]),
    "true": (True, [""]),
    "bytes": (b"a INT", [""]),
    "nothing": (None, [""]),
    "something": (object(), [""]),
    "unknown keys": ({"colums": [], "shap": "open"}, ["colums", "shap"]),
    "keys that are no text": ({5: 1}, ["5"]),
    "columns as a number": ({"columns": 5}, ["columns"]),
    "columns as bytes": ({"columns": b"a"}, ["columns"]),
    "columns that are none": ({"columns": [5, None, [1]]}, ["columns[0]", "columns[1]", "columns[2]"]),
    "a list for a type": ({"columns": {"a": [1]}}, [""]),
    "a number for a type": ({"columns": {"a": 5, "b": 1.5}}, [""]),
    "a mapping for a type": ({"columns": {"a": {"type": {"x": 1}}}}, ["columns[0].type"]),
    "another name in the mapping of a column": ({"columns": {"a": {"name": "b"}}}, [""]),
    "names that are no text": ({"columns": {5: "INT"}}, ["columns[0].name"]),
    "an empty name": ({"columns": [""]}, ["columns[0].name"]),
    "the same column twice": (["a", "b", "a"], [""]),
    "the same column twice, in text": ("a INT, a INT", [""]),
    "types that nobody knows": ({"columns": {"a": "INTT", "b": "BIGINTT", "c": "INT"}}, ["columns[0].type", "columns[1].type"]),
    "text that is no list of columns": ("a INT b INT", [""]),
    "a negative id": ({"columns": [{"name": "a", "id": -1}]}, ["columns[0].id"]),
    "an id without end": ({"columns": [{"name": "a", "id": HUGE}]}, ["columns[0].id"]),
    "no number": ({"columns": [{"name": "a", "id": float("nan")}]}, ["columns[0].id"]),
    "true is no id": ({"columns": [{"name": "a", "id": True}]}, ["columns[0].id"]),
    "unknown words": (
        {"columns": [{"name": "a", "accepts": "wider", "role": ["read", "join"], "nullable": "no way"}], "shape": "round"},
        ["columns[0].accepts", "columns[0].nullable", "columns[0].role[0]", "shape"],
    ),
    "a key that is no list": ({"columns": ["a"], "primary_key": "a", "partitioned_by": {"a": 1}}, ["partitioned_by", "primary_key"]),
    "a key of numbers": ({"primary_key": [5, None]}, ["primary_key[0]", "primary_key[1]"]),
    "half a character": (["\ud800"], [""]),
    "half a character in text": ("`\ud800` INT", [""]),
    "a type without end": ({"columns": {"a": "ARRAY<" * 5_000 + "INT" + ">" * 5_000}}, ["columns[0].type"]),
    "lists without end": ({"columns": listed()}, [""]),
    "mappings without end": (nested("columns"), [""]),
}


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_with_faults_is_refused_with_all_of_them(name: str) -> None:
    value, paths = CONTRACTS[name]
    for call in (lambda: Contract.of(value), lambda: check_contract(OLD, value), lambda: check(OLD, NEW, contracts=[value])):
        error = refused(ContractError, call)
        if paths != [""]:
            assert sorted(fault.path for fault in error.faults) == sorted(paths)


@pytest.mark.parametrize("text", ["INT NOT NULL", "INT NOT  NULL", "int not\nnull", " INT NOT NULL ", "ARRAY<INT> NOT\tNULL"])
def test_not_null_in_a_type_is_seen_however_it_is_spaced(text: str) -> None:
    assert not Contract.of({"columns": {"a": text}}).columns[0].nullable


def test_thousands_of_columns_with_faults_are_a_bounded_list() -> None:
    wrong = {"columns": [{"name": f"c{number}", "type": "INTT"} for number in range(5_000)]}
    assert len(refused(ContractError, lambda: Contract.of(wrong)).faults) == MAX_FAULTS
    twice = {"columns": [f"c{number % 2_000}" for number in range(4_000)]}
    assert len(refused(ContractError, lambda: Contract.of(twice)).faults) == MAX_FAULTS


def test_a_contract_of_ten_thousand_columns_is_a_contract() -> None:
    assert len(Contract.of([f"c{number}" for number in range(10_000)]).columns) == 10_000


def test_a_contract_in_place_of_a_list_of_contracts_is_told_of() -> None:
    error = refused(ContractError, lambda: check(OLD, NEW, contracts=Contract.of("a INT")))
    assert "list" in str(error)


# ---------------------------------------------------------------- evidence

EVIDENCE: dict[str, tuple[Any, list[str]]] = {
    "a number": (5, [""]),
    "nothing": (None, [""]),
    "no path": ({"not_null": True}, ["path"]),
    "an empty path, and nothing found": ({"path": "", "not_null": "x", "files": -1}, ["files", "not_null", "path"]),
    "a type that nobody knows": ({"path": "a", "fits": "INTT"}, ["fits"]),
    "a type that is no text": ({"path": "a", "fits": 5}, ["fits"]),
    "unknown keys": ({"path": "a", "notnull": True}, ["notnull"]),
    "files without end": ({"path": "a", "not_null": True, "files": HUGE}, ["files"]),
    "no number of files": ({"path": "a", "not_null": True, "files": float("nan")}, ["files"]),
    "half a character": ({"path": "\ud800", "not_null": True}, ["path"]),
    "lists without end": ({"path": "a", "not_null": True, "found": listed()}, ["found"]),
    "it says nothing": ({"path": "a"}, [""]),
}


@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence_with_faults_is_refused_with_all_of_them(name: str) -> None:
    value, paths = EVIDENCE[name]
    for call in (lambda: Evidence.read(value), lambda: check(OLD, NEW, evidence=[value])):
        error = refused(PolicyError, call)
        if paths != [""]:
            assert sorted(fault.path for fault in error.faults) == sorted(paths)


# ---------------------------------------------------------------- plans


def changed(*path: Any, to: Any) -> str:
    """The JSON of a plan with another value somewhere."""
    value = part = json.loads(PLAN.to_json())
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = to
    return json.dumps(value)


PLANS: dict[str, Any] = {
    "null": "null",
    "a list": "[]",
    "a number": 5,
    "nothing": None,
    "a mapping": {},
    "no JSON": "{",
    "no text": b"\xff\xfe",
    "half a character": '{"table": "\\ud800"}',
    "not a number": '{"table": NaN}',
    "a member twice": PLAN.to_json()[:-1] + ', "table": "other"}',
    "lists without end": "[" * 100_000,
    "nothing inside": "{}",
    "an unknown member": changed("color", to="red"),
    "no result": changed("result", to=None),
    "a result that is none": changed("result", to={"id": 1}),
    "a base that is none": changed("base", to=5),
    "a base without a digest": changed("base", to={"number": 0}),
    "changes that are none": changed("changes", to=5),
    "a change that is none": changed("changes", to=[5]),
    "an action that nobody knows": changed("changes", to=[{"action": "explode"}]),
    "a report that is none": changed("report", to=5),
    "findings that are none": changed("report", "findings", to=5),
    "a finding that is none": changed("report", "findings", to=[5]),
    "a verdict that is none": changed("report", "findings", 0, "verdict", to="fine"),
    "a rule that is none": changed("report", "findings", 0, "rule", to="NO_SUCH_RULE"),
    "verdicts that are none": changed("report", "findings", 0, "verdicts", to=5),
    "a fix that is none": changed("report", "findings", 0, "fix", to=5),
    "changes of a fix that are none": changed("report", "findings", 0, "fix", to={"text": "", "changes": 5}),
    "a place that is none": changed("report", "findings", 0, "place", to={"file": 5}),
    "columns left alone that are none": changed("left_alone", to=[[1]]),
    "no digest": changed("digest", to=None),
    "another digest": changed("digest", to="0" * 64),
    "another table": changed("table", to="db.other"),
    "another base": changed("base", "number", to=7),
    "fewer changes": changed("changes", to=[]),
    "unchanged, it says": changed("unchanged", to=True),
    "no report at all": changed("report", to={}),
    "a number without end": '{"base": {"number": ' + "9" * 5_000 + "}}",
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_that_cannot_be_read_is_refused(name: str) -> None:
    refused(PlanError, lambda: Plan.from_json(PLANS[name]))


def test_what_was_not_changed_is_read() -> None:
    assert Plan.from_json(PLAN.to_json()) == PLAN
    assert Plan.from_json(PLAN.to_json().encode()) == PLAN


# ---------------------------------------------------------------- the doors

PLAN_OF: Any = Plan.of
THINGS = [None, 3, "x", b"x", [], {}, object()]
DOORS: dict[str, Callable[[Any], Any]] = {
    "check, the old": lambda value: check(value, NEW),
    "check, the new": lambda value: check(OLD, value),
    "check, the history": lambda value: check(OLD, NEW, history=[value]),
    "check_contract, the schema": lambda value: check_contract(value, "a INT"),
    "Plan.of, the base": lambda value: PLAN_OF([value], NEW),
    "Plan.from_json": Plan.from_json,
}
# Nothing at all may be a list of nothing.
LISTS: dict[str, Callable[[Any], Any]] = {
    "check, the whole history": lambda value: check(OLD, NEW, history=value),
    "check, all contracts": lambda value: check(OLD, NEW, contracts=value),
    "check, all evidence": lambda value: check(OLD, NEW, evidence=value),
    "check, the live versions": lambda value: check(OLD, NEW, live=value),
    "Plan.of, the target": lambda value: Plan.of(BASE, value),
    "Plan.apply": PLAN.apply,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("value", THINGS, ids=lambda value: type(value).__name__)
def test_the_wrong_thing_is_refused_in_our_own_words(door: str, value: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        DOORS[door](value)
    assert all(fault.code and fault.fix for fault in caught.value.faults)


@pytest.mark.parametrize("door", LISTS)
@pytest.mark.parametrize("value", [3, 1.5, object(), "x", [[5]], [object()]], ids=["int", "float", "object", "text", "lists", "objects"])
def test_what_is_no_list_of_the_right_things_is_refused_too(door: str, value: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        LISTS[door](value)
    assert all(fault.code and fault.fix for fault in caught.value.faults)


def attempt(call: Callable[[], Any]) -> tuple[Any, SchemaError | None]:
    """What the call gives, or the error of ours that it raises."""
    try:
        return call(), None
    except SchemaError as error:
        return None, error


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["INT", "block", "FULL", "FIELD_DROPPED"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(["rule", "name", "type", "path"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("make", "kind"), [(Policy, PolicyError), (Contract, ContractError), (Evidence, PolicyError)], ids=["policy", "contract", "evidence"]
)
@given(data=st.data())
def test_whatever_stands_in_a_file_is_read_or_refused_in_our_words(make: Any, kind: type[SchemaError], data: st.DataObject) -> None:
    keys = st.sampled_from(sorted(make.model_fields))
    value = data.draw(st.dictionaries(keys, JSON_VALUES, max_size=4) | JSON_VALUES)
    found, error = attempt(lambda: make.read(value))
    if error is None:
        assert make.read(json.loads(found.model_dump_json())) == found
    else:
        assert type(error) is kind
        assert all(fault.code and fault.message and fault.fix for fault in error.faults)


@given(JSON_VALUES, st.data())
def test_whatever_stands_in_the_file_of_a_plan_is_read_or_refused_in_our_words(value: Any, data: st.DataObject) -> None:
    whole = json.loads(PLAN.to_json())
    whole[data.draw(st.sampled_from(sorted(whole)))] = value
    _, error = attempt(lambda: Plan.from_json(json.dumps(whole)))
    assert error is None or type(error) is PlanError


@pytest.mark.parametrize("read", [Contract.read, Policy.read, Contract.of], ids=["contract", "policy", "contract of"])
def test_a_key_of_megabytes_makes_an_error_that_people_can_read_and_so_does_its_cause(read: Callable[[Any], Any]) -> None:
    with pytest.raises(SchemaError) as caught:
        read({"k" * 3_000_000: 1})
    links = [caught.value, caught.value.__cause__, caught.value.__context__]
    assert [len(repr(link)) for link in links if len(repr(link)) > 5_000] == []
