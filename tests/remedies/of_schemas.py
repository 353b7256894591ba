"""What the rules about schemas propose, and how somebody follows it: a row a rule, from the first case of the rule."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.remedies.steps import Create, Edit, Evolve, Policy, Prove, Register, Step, option


class Remedy(NamedTuple):
    """A sentence, or the part of it that is followed, and the steps that follow it."""

    says: str
    steps: Sequence[Step]
    """What is done instead of the change that the finding is about."""
    contracts: Sequence[Mapping[str, Any]] = ()
    """Whom the change breaks, where the finding needs somebody."""
    policy: Mapping[str, Any] = {}
    undo: bool = False
    """Whether the steps come after the change, and take it back."""
    stays: bool = False
    """Whether the change is made in the end, so that its report names the rule, as a warning at most."""


COMPLETE = {"registry_complete": True}
GUARD_OFF = "SET OPTION alter-column-null-to-not-null.disabled = false"
PROVEN = {"not_null": True, "files": 812, "found": "2026-11-18, footers of snapshot 812"}
DEPRECATED = {"deprecated": "2099-12-31", "reason": "moved to shop.discounts"}


def reader(columns: Any, **more: Any) -> dict[str, Any]:
    """A reader and what it needs."""
    return {"name": "daily_report", "columns": columns, **more}


def writer(*columns: tuple[str, str], **more: Any) -> dict[str, Any]:
    """A writer and what it writes."""
    return {"name": "loader", "columns": [{"name": name, "type": kind, "role": "write"} for name, kind in columns], **more}


def _added(*changes: str) -> tuple[Step, ...]:
    """Changes that are made instead."""
    return (Evolve(changes),)


_LOADED = (("id", "BIGINT NOT NULL"), ("amount", "DECIMAL(10, 2)"))
_ID = {"id": 0, "name": "id", "type": "BIGINT NOT NULL"}

OF_SCHEMAS: Mapping[str, Remedy] = {
    # Fields.
    "FIELD_ADDED_NULLABLE": Remedy(
        "write BY NAME",
        (Register(writer(*_LOADED, shape="open")), Evolve(["ADD COLUMN coupon STRING"])),
        (writer(*_LOADED, shape="positional"),),
        stays=True,
    ),
    "FIELD_ADDED_WRITE_DEFAULT": Remedy(
        "say in the comment that NULL means the default",
        (Evolve(["ADD COLUMN coupon STRING DEFAULT none", "ALTER COLUMN coupon COMMENT 'NULL means none'"]),),
        stays=True,
    ),
    "FIELD_ADDED_REQUIRED": Remedy(
        "Add it nullable, backfill it, then set NOT NULL with evidence",
        (
            Evolve(["ADD COLUMN coupon STRING"]),
            Evolve([GUARD_OFF]),
            Prove(["ALTER COLUMN coupon SET NOT NULL"], {"path": "coupon", **PROVEN}),
        ),
    ),
    "FIELD_DROPPED": Remedy(
        "Deprecate it first (FIELD_DEPRECATED), and drop it when nobody reads it any more.",
        (Evolve([option(1, **DEPRECATED)]), Register(reader(["id"])), Evolve(["DROP COLUMN legacy_flag"])),
        (reader(["id", "legacy_flag"]),),
        COMPLETE,
    ),
    "FIELD_DROPPED_UNREAD": Remedy("Go on", _added("DROP COLUMN legacy_flag"), (reader(["id"]),), COMPLETE, stays=True),
    "FIELD_RENAMED": Remedy("Rename it back", _added("RENAME COLUMN customer_id TO cust_id"), (reader("cust_id BIGINT"),), undo=True),
    "FIELD_RENAMED_ALIASED": Remedy(
        "Move the readers to the new name before the alias ends.",
        (
            Evolve(["RENAME COLUMN cust_id TO customer_id", option(1, alias={"cust_id": "2099-12-31"})]),
            Register(reader("customer_id BIGINT", read_with="read_table")),
            Evolve(["UNSET OPTION schemas.field.1"]),
        ),
        (reader("cust_id BIGINT", read_with="read_table"),),
        stays=True,
    ),
    "FIELD_RENAMED_CASE": Remedy("Keep the spelling as it was.", _added("RENAME COLUMN custid TO custId"), undo=True),
    "FIELD_READDED": Remedy("Give it another name", _added("RENAME COLUMN state TO state_of_today"), undo=True),
    "FIELD_REORDERED": Remedy(
        "write and read BY NAME",
        (Register(reader(["id", "amount", "region"], shape="open")), Evolve(["ALTER COLUMN region FIRST"])),
        (reader(["id", "amount", "region"], shape="positional"),),
        stays=True,
    ),
    "FIELD_MOVED": Remedy(
        "Add the field at its new place, backfill it, then drop it at the old one.",
        (Evolve(["ADD COLUMN address.city STRING"]), Evolve(["DROP COLUMN city"])),
    ),
    "FIELD_DOC_CHANGED": Remedy("Nothing has to be done.", (), stays=True, undo=True),
    "FIELD_MEANING_CHANGED": Remedy(
        "Add a field with the new meaning, and deprecate this one.",
        (Evolve(["ADD COLUMN amount_in_cent BIGINT"]), Evolve([option(1, unit="EUR", **DEPRECATED)])),
    ),
    "FIELD_DEPRECATED": Remedy(
        "Tell its readers, and drop it when none is left.",
        (Evolve([option(1, **DEPRECATED)]), Register(reader(["id"])), Evolve(["DROP COLUMN coupon"])),
        (reader(["id", "coupon"]),),
        COMPLETE,
        stays=True,
    ),
    # Types.
    "TYPE_WIDENED": Remedy(
        "Let readers accept the wider type first.",
        (Register(reader("quantity BIGINT")), Evolve(["ALTER COLUMN quantity TYPE BIGINT"])),
        (reader("quantity INT"),),
        COMPLETE,
    ),
    "TYPE_WIDENED_ENGINE_GAP": Remedy(
        "Choose a type that every listed engine widens to",
        _added("ALTER COLUMN quantity TYPE DECIMAL(20, 0)"),
        policy={"readers": ["spark-4-parquet"]},
    ),
    "TYPE_NARROWED": Remedy("Add a field of the new type", _added("ADD COLUMN quantity_int INT")),
    "TYPE_LOSSY": Remedy("a DECIMAL with enough digits loses nothing", _added("ALTER COLUMN quantity TYPE DECIMAL(20, 0)")),
    "TYPE_REINTERPRETED": Remedy("Add a field of the new type", _added("ADD COLUMN amount_whole BIGINT")),
    "TYPE_STRINGIFIED": Remedy("Add a text field beside it.", _added("ADD COLUMN quantity_text STRING")),
    "TYPE_PARSED": Remedy("Add a field of the new type", _added("ADD COLUMN quantity_int INT")),
    "KIND_CHANGED": Remedy("Add a field of the new type.", _added("ADD COLUMN address_parts ROW<city STRING>")),
    "DECIMAL_DIGITS_REDUCED": Remedy("Add a field of the new type", _added("ADD COLUMN amount_short DECIMAL(10, 2)")),
    "TIMESTAMP_ZONE_CHANGED": Remedy(
        "Add a field of the new type", _added("ADD COLUMN at_instant TIMESTAMP(6) WITH LOCAL TIME ZONE")
    ),
    "TIMESTAMP_PRECISION_RAISED": Remedy(
        "Let readers accept the higher precision first.",
        (Register(reader("at TIMESTAMP(6)")), Evolve(["ALTER COLUMN at TYPE TIMESTAMP(6)"])),
        (reader("at TIMESTAMP(3)"),),
        COMPLETE,
    ),
    "TIMESTAMP_PRECISION_LOWERED": Remedy("Add a field of the new type.", _added("ADD COLUMN at_millis TIMESTAMP(3)")),
    "LENGTH_RELAXED": Remedy(
        "Widen the targets first.",
        (Register(reader("code VARCHAR(16)")), Evolve(["ALTER COLUMN code TYPE VARCHAR(16)"])),
        (reader("code VARCHAR(8)"),),
        COMPLETE,
    ),
    "LENGTH_TIGHTENED": Remedy("Keep the length", _added("ALTER COLUMN code TYPE VARCHAR(16)"), undo=True),
    "FIXED_LENGTH_CHANGED": Remedy("Use VARCHAR or VARBINARY.", _added("ALTER COLUMN code TYPE VARCHAR(16)")),
    "VARIANT_CHANGED": Remedy("Add a field, and extract into it.", _added("ADD COLUMN payload_variant VARIANT")),
    "TYPE_CHANGED": Remedy("Add a field of the new type", _added("ADD COLUMN token_bytes BINARY(16)")),
    # NULL.
    "NULLABILITY_RELAXED": Remedy(
        "Fill it in with COALESCE where it is read",
        (Register(reader("amount DOUBLE")), Evolve(["ALTER COLUMN amount DROP NOT NULL"])),
        (reader("amount DOUBLE NOT NULL"),),
        COMPLETE,
    ),
    "NULLABILITY_TIGHTENED": Remedy(
        "Backfill, then prove that no live file holds NULL", (Prove(["ALTER COLUMN amount SET NOT NULL"], {"path": "amount", **PROVEN}),)
    ),
    # Maps and structs.
    "MAP_KEY_CHANGED": Remedy("Add a field with the new key type.", _added("ADD COLUMN counts_by_text MAP<STRING NOT NULL, INT>")),
    "MAP_KEY_WIDENED": Remedy("Add a field with the new key type.", _added("ADD COLUMN counts_by_long MAP<BIGINT NOT NULL, INT>")),
    "MAP_KEY_STRUCT_CHANGED": Remedy(
        "Add a field with the new key type.", _added("ADD COLUMN stock_by_size MAP<ROW<sku STRING, size INT> NOT NULL, INT>")
    ),
    "STRUCT_EMPTIED": Remedy("Drop the struct itself", _added("DROP COLUMN address")),
    # Defaults.
    "WRITE_DEFAULT_REMOVED": Remedy("Keep the default", _added("ALTER COLUMN state SET DEFAULT new"), undo=True),
    "READ_DEFAULT_CHANGED": Remedy("Set the old value again", (Evolve([option(1, initial_default="new")]),), undo=True),
    "READ_DEFAULT_REMOVED": Remedy("Set the old value again", (Evolve([option(1, initial_default=1)]),), undo=True),
    "DEFAULT_INVALID": Remedy("Write a value of the type", _added("ALTER COLUMN quantity SET DEFAULT 1")),
    # Keys.
    "PARTITION_KEYS_CHANGED": Remedy(
        "Create a new table and move the data.", (Create("id BIGINT NOT NULL, dt STRING, region STRING", ["--partitioned-by", "region"]),)
    ),
    "PARTITION_FIELD_RENAMED": Remedy("create a new table", (Create("id BIGINT NOT NULL, day STRING", ["--partitioned-by", "day"]),)),
    "PARTITION_FIELD_RETYPED": Remedy("create a new table", (Create("id BIGINT NOT NULL, dt DATE", ["--partitioned-by", "dt"]),)),
    "PRIMARY_KEY_CHANGED": Remedy("Create a new table and move the data.", (Create("id BIGINT NOT NULL, amount DOUBLE"),)),
    "KEY_FIELD_RETYPED": Remedy("create a new table", (Create("id BIGINT NOT NULL, amount DOUBLE", ["--primary-key", "id"]),)),
    "PRIMARY_KEY_NULLABLE": Remedy("Make it NOT NULL.", (Edit({"columns": "id BIGINT NOT NULL, amount DOUBLE"}),)),
    # Options.
    "OPTION_IMMUTABLE_CHANGED": Remedy("Set it back", (Edit({"options": {"data-file.path-directory": "data"}}),), undo=True),
    "OPTION_MEANING_CHANGED": Remedy("Set it back", _added("UNSET OPTION merge-engine"), undo=True),
    "OPTION_DANGLING_FIELD": Remedy("Keep the column that the option names", _added("DROP COLUMN amount")),
    "OPTION_GUARD_DISABLED": Remedy("Turn it on again", _added("SET OPTION alter-column-null-to-not-null.disabled = true"), undo=True),
    "OPTION_TUNING": Remedy("Nothing has to be done.", (), stays=True, undo=True),
    "FILE_FORMAT_CHANGED": Remedy("Keep one format", _added("SET OPTION file.format = parquet"), undo=True),
    # Ids and names.
    "FIELD_ID_REUSED": Remedy(
        "Give the field an id that was never used.", (Edit({"columns": [_ID, {"id": 2, "name": "amount", "type": "DECIMAL(10, 2)"}]}),)
    ),
    "FIELD_ID_DUPLICATE": Remedy(
        "Give each an id of its own",
        (Edit({"columns": [_ID, {"id": 1, "name": "net", "type": "DOUBLE"}, {"id": 2, "name": "gross", "type": "DOUBLE"}]}),),
    ),
    "HIGHEST_FIELD_ID_REGRESSED": Remedy(
        "Set highestFieldId to the highest id that was ever used.", (Edit({"columns": [_ID], "highest": 1}),)
    ),
    "NAME_DUPLICATE": Remedy(
        "Rename or remove all but one.",
        (Edit({"columns": [_ID, {"id": 1, "name": "net", "type": "DOUBLE"}, {"id": 2, "name": "gross", "type": "DOUBLE"}]}),),
    ),
    "NAME_CASE_COLLISION": Remedy("Rename one of them.", _added("ADD COLUMN amount_2 DOUBLE")),
    "NO_CHANGE": Remedy("Nothing has to be committed.", (), stays=True, undo=True),
    "TYPE_UNREPRESENTABLE": Remedy("Choose another type", _added("ADD COLUMN level INT"), policy={"readers": ["iceberg-v2"]}),
    "RESERVED_NAME": Remedy("Choose another name.", _added("ADD COLUMN sequence_number BIGINT")),
    "TABLE_INVALID": Remedy("remove the option 'bucket'", _added("UNSET OPTION bucket"), undo=True),
}  # fmt: skip
# The other half of a sentence that offers two ways.
OTHER_WAYS: Mapping[str, Remedy] = {
    "TYPE_UNREPRESENTABLE": Remedy(
        "take the engine off the list",
        (Policy({"readers": ["paimon"]}), Evolve(["ADD COLUMN level TINYINT"])),
        policy={"readers": ["iceberg-v2"]},
    ),
    "STRUCT_EMPTIED": Remedy("keep a field", _added("ADD COLUMN address.zip STRING", "DROP COLUMN address.city")),
    "TYPE_LOSSY": Remedy("add a field of the new one", _added("ADD COLUMN quantity_double DOUBLE")),
    "DEFAULT_INVALID": Remedy("remove the default", (Edit({"columns": "id BIGINT NOT NULL, quantity INT"}),)),
}
