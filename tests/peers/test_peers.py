"""The page beside other checkers is what the recorded answers and today's rules make of it, and leaves no answer out."""

import contextlib
from types import ModuleType

import pytest

from airflow_provider_schemas.core import Policy, check, evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import ChangeError
from tests.peers import avro_peer, contract_peer, iceberg_peer
from tests.peers.answers import JUDGES, PEERS, SILENT, WORDS, CannotSayError, Record, read, write
from tests.peers.avro_reader import sample
from tests.peers.catalogue import CHANGES
from tests.peers.change import Change
from tests.peers.differences import Difference, differences
from tests.peers.ours import Ours, judged
from tests.peers.page import PAGE, page
from tests.peers.reasons import CAUTIONS, REASONS

RECORD = read()
_OWN_DECODER = "own decoder in Python refuses"
BY_KEY = {one.key: one for one in CHANGES}
ALL = pytest.mark.parametrize("change", CHANGES, ids=[one.key for one in CHANGES])


@pytest.fixture(scope="module")
def ours() -> dict[str, Ours]:
    return {one.key: judged(one) for one in CHANGES}


@pytest.fixture(scope="module")
def found(ours: dict[str, Ours]) -> list[Difference]:
    return list(differences(BY_KEY, RECORD.answers, ours))


def test_the_page_is_what_the_answers_and_the_rules_of_today_make_of_it() -> None:
    assert PAGE.read_text("utf-8") == page(RECORD), "write it again: python -m tests.peers page"


def test_every_change_has_an_answer_of_every_checker_or_a_reason_why_not() -> None:
    assert RECORD.answers.keys() == BY_KEY.keys()
    for key, answers in RECORD.answers.items():
        assert answers.keys() == {judge.name for judge in JUDGES}, key
        assert {one.word for one in answers.values()} <= {SILENT, *WORDS}, key
        assert all(one.says for one in answers.values() if one.word == SILENT), key


def test_the_answers_say_which_versions_gave_them() -> None:
    assert RECORD.versions.keys() == {*PEERS.values(), "Python"}


def test_every_difference_has_one_reason_and_every_reason_a_difference(found: list[Difference]) -> None:
    given = [(judge, change) for judge, reasons in REASONS.items() for one in reasons for change in one.changes]
    assert sorted(given) == sorted((one.judge.name, one.change) for one in found)


def test_a_caution_is_about_answers_that_agree_with_ours_in_one_word(found: list[Difference]) -> None:
    parted = {(one.judge.name, one.change) for one in found}
    for caution in CAUTIONS:
        assert len({RECORD.answers[change][caution.judge].word for change in caution.changes}) == 1
        assert not {(caution.judge, change) for change in caution.changes} & parted


def test_where_the_reader_of_avro_refuses_what_its_checker_lets_through_the_page_says_so() -> None:
    refused = {
        (judge, change)
        for change, by in RECORD.answers.items()
        for judge, one in by.items()
        if one.says.startswith("its own reader refuses")
    }
    told = {(judge, change) for judge, reasons in REASONS.items() for one in reasons for change in one.changes if _OWN_DECODER in one.why}
    told |= {(one.judge, change) for one in CAUTIONS for change in one.changes if _OWN_DECODER in one.why}
    assert refused
    assert told == refused


def test_a_sample_row_of_avro_has_a_value_for_every_column() -> None:
    for change in CHANGES:
        with contextlib.suppress(CannotSayError):
            row = sample(avro_peer.translated(change.old()))
            assert row.keys() == {one.name for one in change.old().fields}
            assert None not in row.values()


@pytest.mark.parametrize("key", ["int to double", "int to decimal(10, 0)", "date to timestamp(6)", "decimal(10, 2) to decimal(12, 4)"])
def test_with_an_iceberg_reader_in_the_policy_what_iceberg_cannot_promote_is_a_gap(key: str) -> None:
    findings = check(BY_KEY[key].old(), BY_KEY[key].new(), Policy(readers=("iceberg-v2",))).findings
    assert [(one.rule, one.verdicts.data_by_id) for one in findings] == [("TYPE_WIDENED_ENGINE_GAP", Verdict.BREAK)]


def test_every_rule_that_the_page_links_is_one_of_ours(ours: dict[str, Ours]) -> None:
    named = {rule for one in ours.values() for rule in one.rules}
    assert named
    assert named <= RULES.keys()


def test_a_rule_that_changes_its_mind_changes_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    milder = judged(BY_KEY["add nullable"])
    monkeypatch.setattr("tests.peers.page.judged", lambda change: milder if change.key == "comment" else judged(change))
    assert page(RECORD) != PAGE.read_text("utf-8")


def test_a_difference_without_a_reason_stops_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.peers.page.REASONS", dict.fromkeys(REASONS, ()))
    with pytest.raises(KeyError, match="give the reason"):
        page(RECORD)


def test_the_answers_are_read_as_they_were_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("answers") / "answers.json"
    write(RECORD, file)
    assert read(file) == RECORD
    assert isinstance(RECORD, Record)


def test_no_two_changes_share_a_key_or_a_title() -> None:
    assert len({one.key for one in CHANGES}) == len({one.title for one in CHANGES}) == len(CHANGES)


@ALL
def test_every_change_changes_something(change: Change) -> None:
    assert change.old().content != change.new().content


@ALL
def test_a_table_after_a_change_keeps_the_ids_of_its_columns(change: Change) -> None:
    old, new = change.old(), change.new()
    assert len({one.id for one in new.fields}) == len(new.fields)
    assert max(one.id for one in new.fields) <= new.highest_field_id
    assert new.highest_field_id >= old.highest_field_id


@ALL
def test_a_table_is_written_out_only_where_evolve_does_not_lead_to_it(change: Change) -> None:
    if change.after and change.steps:
        with contextlib.suppress(ChangeError):
            assert evolve(change.old(), change.steps).content != change.new().content


@ALL
@pytest.mark.parametrize("peer", [avro_peer, iceberg_peer, contract_peer], ids=["Avro", "Iceberg", "contract"])
def test_a_peer_that_would_see_no_change_says_why(peer: ModuleType, change: Change) -> None:
    """A peer must not be said to let something through that its translation never showed to it."""
    said = change.key in peer.UNSAID
    assert said or _seen(peer, change)


def _seen(peer: ModuleType, change: Change) -> bool:
    if peer is iceberg_peer and change.key == "partition keys":
        return True  # a schema of Iceberg has no partitions: its spec is asked
    try:
        old = peer.translated(change.old())
        return bool(old != peer.translated(change.new()))
    except CannotSayError:
        return True


def test_an_alias_of_avro_stands_at_the_column_that_was_renamed() -> None:
    change = BY_KEY["rename with alias"]
    fields = avro_peer.translated(change.new(), change.aliases)["fields"]
    assert [one.get("aliases") for one in fields] == [None, ["amount"], None]


def test_a_nullable_column_of_avro_is_a_union_whose_default_is_null() -> None:
    fields = avro_peer.translated(BY_KEY["add nullable"].new())["fields"]
    assert fields[-1] == {"name": "note", "type": ["null", "string"], "default": None}


def test_a_map_of_avro_whose_keys_are_no_text_is_an_array_of_pairs() -> None:
    change = BY_KEY["map<int not null, string> to map<bigint not null, string>"]
    kind = avro_peer.translated(change.old())["fields"][1]["type"][1]
    assert [one["type"] for one in kind["items"]["fields"]] == ["int", ["null", "string"]]


def test_a_column_of_iceberg_keeps_its_id_through_a_rename() -> None:
    change = BY_KEY["rename"]
    before, after = (iceberg_peer.translated(one)["fields"][1] for one in (change.old(), change.new()))
    assert (before["id"], before["name"], after["id"], after["name"]) == (2, "amount", 2, "total")


def test_a_contract_says_length_zone_and_keys() -> None:
    (text,) = contract_peer.translated(BY_KEY["varchar(20) to varchar(40)"].old())["schema"]
    assert text["properties"][1]["logicalTypeOptions"] == {"maxLength": 20}
    (zone,) = contract_peer.translated(BY_KEY["timestamp(6) to timestamp(6) ltz"].new())["schema"]
    assert zone["properties"][1]["logicalTypeOptions"] == {"timezone": True}
    (keyed,) = contract_peer.translated(BY_KEY["primary key"].new())["schema"]
    assert [one.get("primaryKeyPosition") for one in keyed["properties"]] == [1, 2, None, None]
