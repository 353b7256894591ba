"""Fields inside of a column are pinned as columns are: what bore the name when the contract was made, whatever bears it now."""

import pytest

from airflow_provider_schemas.core import Contract, TableSchema, check_contract, parse_ddl
from airflow_provider_schemas.core.contracts.inner_pins import as_pinned, by_column, inner_pins
from airflow_provider_schemas.core.types.nested import field, row
from airflow_provider_schemas.errors import ContractError

KINDS = ["ROW<a INT, b ROW<c STRING>>", "ARRAY<ROW<a INT>>", "MAP<STRING, ROW<a INT>>", "ROW<`x.y` INT>", "MULTISET<ROW<a INT>>"]


@pytest.mark.parametrize("text", KINDS)
def test_what_is_pinned_has_the_ids_of_the_table(text: str) -> None:
    theirs = TableSchema.create(f"id INT, r {text}").fields[1].type
    pins = dict(inner_pins("r", parse_ddl(text), theirs, {}))
    assert as_pinned("r", parse_ddl(text), pins) == theirs
    assert by_column(pins)["r"] == pins


def test_what_was_pinned_stays_so_and_what_nobody_knows_is_left_out() -> None:
    theirs = TableSchema.create("r ROW<A INT, b INT>").fields[0].type
    mine = parse_ddl("ROW<a INT, b INT, gone INT>")
    assert dict(inner_pins("r", mine, theirs, {})) == {"r.a": 1, "r.b": 2}
    assert dict(inner_pins("r", mine, theirs, {"r.a": 7, "r.gone": 9})) == {"r.a": 7, "r.b": 2, "r.gone": 9}
    assert dict(inner_pins("r", mine, None, {})) == {}
    assert as_pinned("r", mine, {"r.b": 2}) == row([field(2, "b", parse_ddl("INT"))])


def test_nobody_writes_such_pins() -> None:
    for key in ("inner", "meant"):
        with pytest.raises(ContractError, match="There are accepts, id, name, nullable, role, type"):
            Contract.of({"columns": [{"name": "r", "type": "ROW<a INT>", key: {"r.a": 1}}]})


def test_a_contract_that_is_not_pinned_goes_by_names() -> None:
    schema = TableSchema.create("r ROW<a INT>")
    contract = Contract.of("r ROW<a INT>")
    assert check_contract(schema, contract).fits
    pinned = contract.model_copy(update={"columns": (contract.columns[0].model_copy(update={"inner": {"r.a": 7}}),)})
    assert [(one.rule, one.path) for one in check_contract(schema, pinned).findings] == [("EXPECT_STALE_PIN", "r.a")]
    assert "inner" not in str(pinned.model_dump())
