"""The rules: every way in which a schema, or a change of one, can matter to somebody.

This is data, and the documentation of what the product decides. A rule has a stable id, says what it is judged from,
and answers the three questions in four letters:

    data, read by id · data, read by name · old readers (by name) · old writers

    .  fine          w  has an effect, worth knowing         x  breaks         !  invalid, whatever a policy says

FULL is the worse of the first and the third. `says` is the sentence of a finding, with names in braces that the judge
fills in; without it the check's own sentence counts. A rule may have variants, whose letters differ under a named
circumstance: alias and case (the old name stays valid, or differs in case only), frozen and iceberg (what Iceberg
does), kept (a column that was never away), matched (pins were matched by name), named (columns are mapped by name),
nested (inside a struct), positional, read (readers are known), required (NOT NULL), rescaled (other buckets), retyped
(under another type), same (the same columns), write (a writer).
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from airflow_provider_schemas.core.report import Answers, Verdict


class Judges(StrEnum):
    """What a rule is judged from."""

    ONE = "one"  # one schema
    TWO = "two"  # a schema and the next one
    HISTORY = "history"  # these and earlier ones
    CONTRACT = "contract"  # a schema and what a job needs
    SOURCE = "source"  # the text that somebody wrote
    STORE = "store"  # versions as they lie in storage
    AUDIT = "audit"  # all versions of a table, and its data files
    DATA = "data"  # rows
    METADATA = "metadata"  # what the catalog of others says of a table
    REPOSITORY = "repository"  # two states of the files that people keep in git


_LETTERS = {".": Verdict.OK, "w": Verdict.WARN, "x": Verdict.BREAK, "!": Verdict.INVALID}


class Rule(Struct, frozen=True):
    """One row of the catalogue."""

    code: str
    id: str
    judges: Judges
    letters: str
    change: str
    why: str
    says: str = ""
    fix: str = ""
    variants: Mapping[str, str] = {}
    faults: tuple[str, ...] = ()
    """The codes of the checks of one schema, or of metadata, that this rule speaks for."""

    def answers(self, variant: str = "") -> Answers:
        """Return the answers to the three questions."""
        return _answers(self.variants.get(variant, self.letters))


@cache
def _answers(letters: str) -> Answers:
    return Answers(*(_LETTERS[letter] for letter in letters))


ONE, TWO, HISTORY, CONTRACT, SOURCE, STORE, AUDIT, DATA, METADATA, REPOSITORY = Judges

# fmt: off

# Fields that come, go, move or are called otherwise.
_FIELDS = (
    Rule(
        "F01", "FIELD_ADDED_NULLABLE", TWO, "....",
        change="a nullable field is added",
        says="{path} is new: {new}.",
        why=(
            "Old rows have NULL there. Readers that take every column, or go by position, see one more; INSERT "
            "by position stops fitting. Inside a struct it stops everyone who moves the whole struct, BY NAME too: "
            "Spark takes a struct with neither a field more nor a field less."
        ),
        fix="Keep it at the end, and write BY NAME.",
        variants={"nested": "..wx"},
    ),
    Rule(
        "F02", "FIELD_ADDED_DEFAULTED", TWO, ".w..",
        change="a field is added with a value that old rows have, too",
        says="{path} is {came}: {new}; {rows} have {default} there, for readers that know the default.",
        why=(
            "The default of an Iceberg column of version 3 is in no file: engines that follow the format fill it in. Whoever "
            "reads the files by name, without the table's metadata, finds NULL, also where the field may not be NULL."
        ),
        fix="Make sure that every reader knows the defaults of the table, or write the value into the old rows.",
        variants={"nested": ".wwx"},
    ),
    Rule(
        "F03", "FIELD_ADDED_WRITE_DEFAULT", TWO, "ww..",
        change="a field is added whose default counts for new rows only",
        says="{path} is new: {new}; its default is written into new rows, old rows have NULL.",
        why=(
            "A mix of NULL and default is easily misread as data. The default of a Paimon or Delta column "
            "never reaches old rows."
        ),
        fix="Backfill the old rows, or say in the comment that NULL means the default.",
        variants={"nested": "wwwx"},
    ),
    Rule(
        "F04", "FIELD_ADDED_REQUIRED", TWO, "xx.x",
        change="a field is added that may not be NULL",
        says="{path} is {came} and NOT NULL: {new}; {rows} have no value for it.",
        why="A value would have to be invented for every old row, and writers that do not know the field fail.",
        fix="Add it nullable, backfill it, then set NOT NULL with evidence (NULLABILITY_TIGHTENED_PROVEN).",
        variants={"nested": "xxwx"},
    ),
    Rule(
        "F05", "FIELD_DROPPED", TWO, "..xx",
        change="a field is dropped",
        says="{path} is gone (it was {old}).",
        why=(
            "Queries that name it stop resolving, and writers that still send it fail. The values stay in old "
            "files, out of reach."
        ),
        fix="Deprecate it first (FIELD_DEPRECATED), and drop it when nobody reads it any more.",
    ),
    Rule(
        "F06", "FIELD_DROPPED_UNREAD", TWO, "...w",
        change="a field is dropped that no registered reader needs, where all readers are registered",
        says="{path} is gone (it was {old}); no registered reader needs it ({contracts}).",
        why="The registry is declared complete, so a field that no contract names has no reader.",
        fix="Go on; writers that still send it have to stop.",
    ),
    Rule(
        "F07", "FIELD_RENAMED", TWO, ".xxx",
        change="a field has another name under the same id",
        says="{old} is now {new}; its id {id} stays.",
        why=(
            "Engines by id find the values; everything that goes by name finds nothing: plain Spark reads "
            "NULL, without an error."
        ),
        fix="Rename it back, or move the readers to the new name; an alias keeps the old name for those that use read_table.",
    ),
    Rule(
        "F08", "FIELD_RENAMED_ALIASED", TWO, ".w..",
        change="a field has another name, and the old one stays as an alias that works for every registered reader that needs it",
        says="{old} is now {new}; {old} stays as an alias{until}.",
        why=(
            "The readers that need the old name read in a way that looks at aliases, as their contracts say "
            "(read_with), so they can move one by one. An engine that goes by name finds nothing under an alias."
        ),
        fix="Move the readers to the new name before the alias ends.",
    ),
    Rule(
        "F09", "FIELD_RENAMED_CASE", TWO, ".www",
        change="only the case of a name changed",
        says="{old} is now spelled {new}.",
        why=(
            "Whether both spellings are one name depends on a switch of the engine: with "
            "spark.sql.caseSensitive Spark reads NULL."
        ),
        fix="Keep the spelling as it was.",
    ),
    Rule(
        "F10", "FIELD_READDED", HISTORY, ".xx.",
        change="a name returns under a new id",
        says=(
            "{path} was field {old} before and is field {new} now; the values written earlier are hidden by "
            "id and come back by name."
        ),
        why=(
            "Engines by name show values that were deleted on purpose; engines by id show NULL where readers "
            "expect values."
        ),
        fix=(
            "Use a new name, or bring the old field back with its id (FIELD_UNDELETED): "
            "`airflow-schemas restore --column NAME TABLE N` does it for a column."
        ),
        variants={"retyped": ".xxx"},
    ),
    Rule(
        "F11", "FIELD_REORDERED", TWO, "..ww",
        change="fields stand in another order",
        says="{path} moved: {old} became {new}.",
        why="Names still resolve. Whatever goes by position, such as INSERT without BY NAME, swaps values.",
        fix="Keep the order, or write and read BY NAME.",
        variants={"positional": "..xx"},
    ),
    Rule(
        "F12", "FIELD_MOVED", TWO, "xxxx",
        change="a field went into another struct, or out of one",
        says="{old} is now {new}; no engine looks for its values there.",
        why="A field is found inside its parent. Its old values are out of reach, by id and by name.",
        fix="Add the field at its new place, backfill it, then drop it at the old one.",
    ),
    Rule(
        "F13", "FIELD_DOC_CHANGED", TWO, "....",
        change="a comment changed",
        says="{what} {path} changed.",
        why="Comments are for people.",
        fix="Nothing has to be done.",
    ),
    Rule(
        "F14", "FIELD_MEANING_CHANGED", TWO, "wwww",
        change="unit, tags or another declared meaning changed",
        says="{path} now means something else: {new} (was {old}).",
        why="The bytes stay the same, their meaning does not: cents read as euros raise no error anywhere.",
        fix="Add a field with the new meaning, and deprecate this one.",
    ),
    Rule(
        "F15", "FIELD_DEPRECATED", TWO, "..ww",
        change="a field is declared deprecated",
        says="{path} is deprecated{until}.",
        why="It starts the clock for everybody who reads it.",
        fix="Tell its readers, and drop it when none is left.",
    ),
    Rule(
        "F16", "FIELD_UNDELETED", HISTORY, "....",
        change="a dropped field returns with its id",
        says="{path} is back with its id {id}, and its old values with it.",
        why="Values that were out of reach since the field was dropped can be read again.",
        fix="Make sure that the values were not dropped for good reason: retention, or a request to forget.",
        variants={"nested": "..wx"},
    ),
)

# Types, length, precision, NULL.
_TYPES = (
    Rule(
        "T01", "TYPE_WIDENED", TWO, "..x.",
        change="every old value is a value of the new type",
        says="{path} is now {new} (was {old}); every old value stays as it is.",
        why="No stored value changes. But the domain grew: a reader whose target has the old type overflows at run time.",
        fix="Let readers accept the wider type first.",
    ),
    Rule(
        "T02", "TYPE_WIDENED_ENGINE_GAP", TWO, "xxx.",
        change="the new type holds every old value, and a listed engine cannot read it so",
        says="{path} is now {new} (was {old}), which loses nothing; but {gaps}.",
        why="Lossless is mathematics, readable is a fact of an engine, and shows at run time, on the first old file.",
        fix="Choose a type that every listed engine widens to, or rewrite the old files.",
    ),
    Rule(
        "T03", "TYPE_NARROWED", TWO, "xx.x",
        change="the new type holds fewer values than the old one",
        says="{path} is now {new} (was {old}); old values need not fit.",
        why=(
            "Values outside the new range wrap around, become NULL, lose their fraction or the time of day, "
            "or stop the reader, depending on the engine."
        ),
        fix="Add a field of the new type; or prove that all live values fit, and rewrite the files.",
    ),
    Rule(
        "T04", "TYPE_LOSSY", TWO, "xxxw",
        change="the new type rounds, or does not reach as far",
        says="{path} is now {new} (was {old}); values are rounded or cut off.",
        why=(
            "Digits that the new type cannot hold are lost: FLOAT has 24 binary digits, DOUBLE 53, and an "
            "integer none behind the point."
        ),
        fix="Keep the type, or add a field of the new one; a DECIMAL with enough digits loses nothing.",
    ),
    Rule(
        "T05", "TYPE_REINTERPRETED", TWO, "xxxx",
        change="the same value means something else under the new type",
        says="{path} is now {new} (was {old}); stored values would mean something else.",
        why=(
            "Engines that do not look twice give days for dates, or hundredfold amounts for decimals, without "
            "an error."
        ),
        fix="Add a field of the new type, and convert into it.",
    ),
    Rule(
        "T06", "TYPE_STRINGIFIED", TWO, "xxx.",
        change="values become text",
        says="{path} is now {new} (was {old}); text sorts, compares and filters differently.",
        why="'10' comes before '9'. Order, equality, statistics and pruning change with the type.",
        fix="Add a text field beside it.",
    ),
    Rule(
        "T07", "TYPE_PARSED", TWO, "xxxx",
        change="text becomes something else",
        says="{path} is now {new} (was {old}); not every text is one.",
        why="Text that cannot be parsed becomes NULL or stops the reader.",
        fix="Add a field of the new type, parse into it, and look at what failed.",
    ),
    Rule(
        "T08", "KIND_CHANGED", TWO, "xxxx",
        change="a scalar, struct, list or map became another of these, or a VECTOR has other elements",
        says="{path} is now {new} (was {old}).",
        why="No engine can turn one into the other.",
        fix="Add a field of the new type.",
    ),
    Rule(
        "T10", "DECIMAL_DIGITS_REDUCED", TWO, "xx.x",
        change="a DECIMAL lost digits, before the point or behind it",
        says="{path} is now {new} (was {old}); old values may not fit or are rounded.",
        why="What does not fit becomes NULL, what has more digits behind the point is rounded, both without an error.",
        fix="Add a field of the new type; or prove that all live values fit.",
    ),
    Rule(
        "T11", "TIMESTAMP_ZONE_CHANGED", TWO, "xxxx",
        change="a clock on the wall became an instant, or the other way round",
        says="{path} is now {new} (was {old}); stored times would shift by the zone of the reader's session.",
        why="Spark ignores what the file says about it, and shifts without an error.",
        fix="Add a field of the new type, and convert with a named zone.",
    ),
    Rule(
        "T12", "TIMESTAMP_PRECISION_RAISED", TWO, "..x.",
        change="a time has more digits",
        says="{path} is now {new} (was {old}); every old value stays as it is.",
        why="No stored value changes, but new ones may have digits that a reader cuts off.",
        fix="Let readers accept the higher precision first.",
    ),
    Rule(
        "T12", "TIMESTAMP_PRECISION_LOWERED", TWO, "xx.w",
        change="a time has fewer digits",
        says="{path} is now {new} (was {old}); digits of old values are cut off.",
        why="Times that differed become equal.",
        fix="Add a field of the new type.",
    ),
    Rule(
        "T13", "LENGTH_RELAXED", TWO, "..w.",
        change="text or bytes may be longer",
        says="{path} is now {new} (was {old}); every old value stays as it is.",
        why="No stored value changes, but a target of the old length may refuse new ones.",
        fix="Widen the targets first.",
    ),
    Rule(
        "T13", "LENGTH_TIGHTENED", TWO, "xx.x",
        change="text or bytes must be shorter",
        says="{path} is now {new} (was {old}); old values may be longer.",
        why="Longer values are cut off or refused, and writers that still send them fail.",
        fix="Keep the length; or prove that all live values fit.",
    ),
    Rule(
        "T14", "FIXED_LENGTH_CHANGED", TWO, "xxxx",
        change="a length became fixed, or a fixed one changed",
        says="{path} is now {new} (was {old}); the padding is stored.",
        why="CHAR and BINARY are stored with their padding, so that old and new values of one meaning differ.",
        fix="Use VARCHAR or VARBINARY.",
    ),
    Rule(
        "T15", "VARIANT_CHANGED", TWO, "xxxx",
        change="a VARIANT became something else, or the other way round",
        says="{path} is now {new} (was {old}).",
        why="A VARIANT holds values of many types in a form of its own.",
        fix="Add a field, and extract into it.",
    ),
    Rule(
        "T16", "VOID_TYPED", TWO, "..w.",
        change="a column that could hold NULL only has a type",
        says="{path} is now {new}; it was {old}, which holds nothing but NULL.",
        why=(
            "No value was ever written, so none can change. But readers meet values in it for the first time, and of a "
            "type that they never heard of."
        ),
        fix="Tell its readers before the first value comes.",
    ),
    Rule(
        "T17", "TYPE_SPELLING_CHANGED", SOURCE, "....",
        change="a type is spelled differently and is the same",
        says="{path}: {new} is {old}.",
        why="INTEGER is INT and STRING is VARCHAR at its longest: the canonical form is equal.",
        fix="Nothing has to be committed for it.",
    ),
    Rule(
        "T18", "TYPE_CHANGED", TWO, "xxxx",
        change="a type that only its own format understands becomes another one, or the other way round",
        says="{path} is now {new} (was {old}); how values pass from one to the other is not known.",
        why=(
            "Some types of other formats have no counterpart here: a UUID, an interval, a text with a collation. Their "
            "names can be compared, their values not: another name may be another order, another equality, or other bytes."
        ),
        fix="Add a field of the new type, and convert into it with the engine that keeps the table.",
    ),
    Rule(
        "N01", "NULLABILITY_RELAXED", TWO, "..x.",
        change="a field may be NULL",
        says="{path} may be NULL now.",
        why="Joins, keys and functions of old readers meet NULL for the first time.",
        fix="Fill it in with COALESCE where it is read, in a view for example, before writers send NULL.",
    ),
    Rule(
        "N02", "NULLABILITY_TIGHTENED", TWO, "xx.x",
        change="a field must not be NULL",
        says="{path} must not be NULL now; old rows may hold NULL.",
        why="Nobody looks at old rows when the flag is set, and Spark does not enforce it on files.",
        fix="Backfill, then prove that no live file holds NULL (NULLABILITY_TIGHTENED_PROVEN).",
    ),
    Rule(
        "N03", "NULLABILITY_TIGHTENED_PROVEN", TWO, "...x",
        change="a field must not be NULL, and no live file holds NULL",
        says="{path} must not be NULL now; {proof}.",
        why="The evidence covers the old rows. Writers that still send NULL fail.",
        fix="Make sure that no writer sends NULL.",
    ),
)

# Maps and structs. Elements of lists and values of maps go by the rules of types and fields.
_CONTAINERS = (
    Rule(
        "C03", "MAP_KEY_CHANGED", TWO, "xxxx",
        change="the key of a map has another type, and not every key stays equal",
        says="{path} is now {new} (was {old}); keys that differed may be equal, or not be found.",
        why="A map is found by equality of its keys. MULTISET elements are keys too.",
        fix="Add a field with the new key type.",
    ),
    Rule(
        "C04", "MAP_KEY_WIDENED", TWO, "wwx.",
        change="the key of a map has a wider type",
        says="{path} is now {new} (was {old}); keys keep their values.",
        why=(
            "Delta reads old keys as wider ones and Iceberg has frozen them; Paimon's evolve refuses the "
            "step, and a foreign one leaves old files to whatever the engine makes of them."
        ),
        fix="Add a field with the new key type.",
        variants={"frozen": "xwx."},
    ),
    Rule(
        "C05", "MAP_KEY_STRUCT_CHANGED", TWO, "xxxx",
        change="fields of a struct that is the key of a map came or went",
        says="{path} is now {new} (was {old}); two keys may become equal.",
        why="Spark keeps both entries and a lookup finds the first of them.",
        fix="Add a field with the new key type.",
    ),
    Rule(
        "C06", "STRUCT_EMPTIED", TWO, "!!!!",
        change="the last field of a struct, or the last column, is gone",
        says="{path} has no field left.",
        why="A struct without fields cannot be stored in Parquet.",
        fix="Drop the struct itself, or keep a field.",
    ),
)

# Defaults that writers fill in.
_DEFAULTS = (
    Rule(
        "D01", "WRITE_DEFAULT_CHANGED", TWO, "...w",
        change="the default that writers fill in changed",
        says="the default of {path} is now {new} (was {old}); it counts for rows written from now on.",
        why="Rows that were written without a value keep the old default.",
        fix="Tell the writers that rely on it.",
    ),
    Rule(
        "D02", "WRITE_DEFAULT_REMOVED", TWO, "....",
        change="the default that writers fill in is gone",
        says="{path} has no default any more (it was {old}).",
        why="Rows without a value get NULL; where NULL is not allowed, their writers fail.",
        fix="Keep the default, or let every writer send a value.",
        variants={"required": "...x"},
    ),
    Rule(
        "D03", "READ_DEFAULT_CHANGED", TWO, "x.x.",
        change="the value that old rows have in a field that was added later changed",
        says="old rows without {path} have {new} there now (was {old}).",
        why=(
            "Nothing was written, and what every reader sees in old rows is something else: history was rewritten. Iceberg "
            "forbids it. Who reads files by name sees NULL before and after."
        ),
        fix="Set the old value again, and add a field with the new one.",
    ),
    Rule(
        "D04", "READ_DEFAULT_REMOVED", TWO, "x..x",
        change="a field that may not be NULL loses the value that old rows have in it",
        says="old rows without {path} have no value there any more (it was {old}), and it is NOT NULL.",
        why="Files from before the field have nothing that could be read, and readers that were promised a value fail.",
        fix="Set the old value again, or let the field be NULL.",
    ),
    Rule(
        "D05", "DEFAULT_INVALID", ONE, "!!!!",
        change="a default that is no value of its type",
        why="No writer could fill it in.",
        fix="Write a value of the type, or remove the default.",
        faults=(
            "default.invalid",
        ),
    ),
)

# Keys.
_KEYS = (
    Rule(
        "K01", "PARTITION_KEYS_CHANGED", TWO, "xxxx",
        change="the table is partitioned by other fields, or in another order",
        says="the table is partitioned by ({new}) now, and was by ({old}).",
        why="Old files lie under the old paths, and an overwrite of a partition reaches other rows than before.",
        fix="Create a new table and move the data.",
        variants={"iceberg": "wxxx"},
    ),
    Rule(
        "K02", "PARTITION_FIELD_RENAMED", TWO, "xxxx",
        change="a partition key has another name",
        says="the partition key {old} is now {new}.",
        why="The name of a partition key is part of the path of every file.",
        fix="Keep the name, or create a new table.",
    ),
    Rule(
        "K02", "PARTITION_FIELD_RETYPED", TWO, "xxxx",
        change="a partition key has another type",
        says="the partition key {path} is now {new} (was {old}).",
        why="Partition values stand in paths and manifests as the old type.",
        fix="Keep the type, or create a new table.",
    ),
    Rule(
        "K03", "PRIMARY_KEY_CHANGED", TWO, "xxwx",
        change="the primary key consists of other fields, or in another order",
        says="the primary key is ({new}) now, and was ({old}).",
        why="Rows were merged under the old key, and an upsert means something else from now on.",
        fix="Create a new table and move the data.",
    ),
    Rule(
        "K04", "KEY_FIELD_RETYPED", TWO, "xxxx",
        change="a primary key, bucket key or sequence field has another type",
        says="{path} is now {new} (was {old}), and it is {role}.",
        why="Rows were placed and ordered by the old type: hashes and order change with it.",
        fix="Keep the type, or create a new table.",
    ),
    Rule(
        "K05", "PRIMARY_KEY_NULLABLE", ONE, "!!!!",
        change="a field of the primary key may be NULL",
        says="{path} is in the primary key and may be NULL.",
        why="NULL equals nothing, so no row could be found by its key.",
        fix="Make it NOT NULL.",
        faults=(
            "schema.primary-key-nullable",
        ),
    ),
)

# Options of the table.
_OPTIONS = (
    Rule(
        "O01", "OPTION_IMMUTABLE_CHANGED", TWO, "!!!!",
        change="an option changed by which the files are laid out",
        says="the option {path} is now {new} (was {old}), and must not change.",
        why="The files that exist were laid out by it.",
        fix="Set it back, or create a new table and move the data.",
    ),
    Rule(
        "O02", "OPTION_MEANING_CHANGED", TWO, "xxxx",
        change="an option changed that decides what rows the files add up to",
        says="the option {path} is now {new} (was {old}): the same files give other rows.",
        why="Merge engine, sequence field, aggregate functions and their like are applied when files are read.",
        fix="Set it back, or create a new table and move the data.",
    ),
    Rule(
        "O03", "OPTION_DANGLING_FIELD", ONE, "!!!!",
        change="an option names a column that is not there",
        why="The option has lost its effect, or stops every engine.",
        fix="Keep the column that the option names, or rewrite the option where no row depends on it.",
        faults=(
            "option.fields-prefix-unknown-field",
            "sequence.unknown-field",
            "sequence-group.unknown-field",
            "bucket.key-unknown-or-not-in-pk",
            "rowkind.unknown-field",
            "manifest-sort.unknown-field",
            "vector-field.unknown",
            "pk-index.unknown-column",
            "file-index.unknown-column",
            "blob-field.unknown",
            "blob-descriptor-field.unknown",
            "blob-view-field.unknown",
            "record-level.time-field-unknown",
            "schema.primary-key-not-a-column",
            "schema.partition-key-not-a-column",
        ),
    ),
    Rule(
        "O04", "OPTION_GUARD_DISABLED", TWO, "wwww",
        change="a safety switch was turned off",
        says="the safety switch {path} is now {new} (was {old}).",
        why="What it kept from happening can happen from now on.",
        fix="Turn it on again after the change that needs it.",
    ),
    Rule(
        "O05", "OPTION_TUNING", TWO, "....",
        change="any other option changed",
        says="the option {path} is now {new} (was {old}).",
        why="It is about speed and size, or unknown to Paimon.",
        fix="Nothing has to be done.",
        variants={"rescaled": "...x"},
    ),
    Rule(
        "O06", "FILE_FORMAT_CHANGED", TWO, "ww..",
        change="new files have another format",
        says="new files are {new}, and old ones stay {old}.",
        why=(
            "The formats differ in what an engine can widen, so that the next change of a type meets two kinds "
            "of files."
        ),
        fix="Keep one format, or rewrite the old files.",
    ),
)

# Identity: ids, names, versions, and what makes a schema invalid.
_IDENTITY = (
    Rule(
        "I01", "FIELD_ID_REUSED", HISTORY, "!!!!",
        change="an id means another field than before",
        says="field id {id} was {old} and is {new} now.",
        why="Values of one field are read as another, without an error.",
        fix="Give the field an id that was never used.",
    ),
    Rule(
        "I02", "FIELD_ID_DUPLICATE", ONE, "!!!!",
        change="two fields have one id",
        why="Nobody can tell whose values are whose.",
        fix="Give each field an id of its own.",
        faults=(
            "fields.duplicate-id",
        ),
    ),
    Rule(
        "I03", "HIGHEST_FIELD_ID_REGRESSED", TWO, "!!!!",
        change="the highest field id fell, or lies below an id in use",
        says="the highest field id is {new}, below {old}.",
        why="The next field would get an id that was used before.",
        fix="Set highestFieldId to the highest id that was ever used.",
    ),
    Rule(
        "I04", "NAME_DUPLICATE", ONE, "!!!!",
        change="two fields of one struct have one name",
        why="Nobody can tell which is meant.",
        fix="Rename one of them.",
        faults=(
            "schema.duplicate-column",
            "fields.duplicate-name-in-row",
        ),
    ),
    Rule(
        "I05", "NAME_CASE_COLLISION", ONE, "!!!!",
        change="two fields of one struct differ in the case of their names only",
        says="{path} and {old} differ in case only.",
        why=(
            "Spark calls the name ambiguous, and reads neither. Paimon takes both, so a collision that was "
            "there before is only warned of."
        ),
        fix="Rename one of them.",
    ),
    Rule(
        "I06", "VERSION_NOT_SUCCESSOR", STORE, "!!!!",
        change="a version does not follow the one before it",
        says="version {new} does not follow version {old}: {reason}.",
        why="Somebody's change was lost, or history was rewritten.",
        fix="Make what the newest version lacks again, on that version; the finding ends once the older version has expired.",
    ),
    Rule(
        "I07", "SCHEMA_FILE_MUTATED", STORE, "!!!!",
        change="a schema file has other bytes than recorded",
        says="the file of version {new} has the digest {new_digest}, and {old_digest} was recorded.",
        why="Versions never change: somebody edited the file, or two writers raced.",
        fix="Restore the file from a copy; without one, check the newest version, and the finding ends once this one has expired.",
    ),
    Rule(
        "I08", "NO_CHANGE", TWO, "....",
        change="the schemas say the same",
        says="nothing changes.",
        why="Nothing has to be committed.",
        fix="Nothing has to be committed.",
    ),
    Rule(
        "I09", "TYPE_UNREPRESENTABLE", TWO, "!!!!",
        change="a listed engine cannot hold the type",
        says="{engine} has no type for {path} {new}.",
        why="The table could not be read there at all.",
        fix="Choose another type, or take the engine off the list.",
    ),
    Rule(
        "I10", "RESERVED_NAME", ONE, "!!!!",
        change="a name that belongs to a system column",
        why="The engine adds columns of its own with these names.",
        fix="Choose another name.",
        faults=(
            "schema.reserved-name",
            "schema.reserved-prefix",
        ),
    ),
    Rule(
        "I11", "VERSION_REWOUND", STORE, "xxxx",
        change="the newest version has a lower number than one that was seen, or another digest",
        says="version {old} was seen, and now {new} is the newest{reason}.",
        why=(
            "Somebody rolled the table back or fast-forwarded a branch: what was decided for the version seen "
            "counts no more."
        ),
        fix="Judge again, against what is there now.",
    ),
    Rule(
        "I12", "TABLE_REPLACED", STORE, "..x.",
        change="the table was dropped and made again since it was seen",
        says="the table was dropped and made again since version {old} was seen: {reason}.",
        why=(
            "A table that was made again holds other rows and counts its columns anew, so that neither a version nor an "
            "id of the earlier table says anything of it."
        ),
        fix="Make sure that the new table holds what the job expects; then judge again, against what is there now.",
        variants={"same": "..w.", "matched": "..w."},
    ),
    Rule(
        "V01", "TABLE_INVALID", ONE, "!!!!",
        change="Paimon refuses the schema",
        why="Its readers or writers would stop at it.",
        fix="Follow the sentence of the finding; it carries the code of the check.",
    ),
)

# What readers and writers need.
_CONTRACTS = (
    Rule(
        "E01", "EXPECT_FIELD_MISSING", CONTRACT, "..x.",
        change="a job needs a field that is not there",
        says="{path} is not there.",
        why="The job stops when it names the field.",
        fix="Take it out of the job, or bring the field back.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E02", "EXPECT_FIELD_RENAMED", CONTRACT, "..x.",
        change="a job needs a field that has another name now",
        says="{path} is now {new} (field id {id}).",
        why=(
            "A query of the old name stops; plain Spark with a schema of its own reads NULL in every row, "
            "without an error."
        ),
        fix="Use {new} instead of {old} in the job.",
        variants={"alias": "..w.", "case": "..w.", "write": "..xx"},
    ),
    Rule(
        "E03", "EXPECT_TYPE_UNSAFE", CONTRACT, "..x.",
        change="a job would convert the type and lose something",
        says="{path} is {new}, and the {who} {verb} {old}: Spark assigns it, and values may change.",
        why="Spark's rules of assignment round and overflow where they call it safe.",
        fix="Let the {who} use {new}.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E04", "EXPECT_TYPE_MISMATCH", CONTRACT, "..x.",
        change="a job needs another type",
        says="{path} is {new}, and the {who} {verb} {old}.",
        why="The job stops, or reads something else than it means.",
        fix="Let the {who} use {new}.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E05", "EXPECT_MAY_BE_NULL", CONTRACT, "..x.",
        change="a job takes no NULL where there may be one",
        says="{path} may be NULL {side}.",
        why="Joins, keys and functions meet NULL.",
        fix="Handle NULL in the job, or change the field.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E06", "EXPECT_EXTRA_FIELD", CONTRACT, "..x.",
        change="a job that takes every column meets one that it does not know",
        says="{path} is there, and the {who} {does}.",
        why=(
            "SELECT * gives one column more than the target has, and a row without a required value cannot be written. Spark "
            "moves a struct only into one that has exactly its fields: INSERT, saveAsTable, unionByName and CAST stop."
        ),
        fix="Name the columns in the job.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E07", "EXPECT_ORDER", CONTRACT, "..x.",
        change="a job that goes by position meets another order",
        says="{path} stands where the {who} expects {old}.",
        why="Values end up in the wrong columns, without an error where the types agree.",
        fix="Go BY NAME in the job.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E08", "EXPECT_KEY_CHANGED", CONTRACT, "..x.",
        change="a job relies on another primary key",
        says="the primary key is ({new}), and the {who} relies on ({old}).",
        why="Rows that are taken for unique are not, or the other way round.",
        fix="Use the key of the table in the job.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E09", "EXPECT_PARTITION_MISSING", CONTRACT, "..x.",
        change="a job relies on a partition key that is none",
        says="the table is not partitioned by {path}.",
        why="The job reads the whole table, or overwrites more than it means.",
        fix="Take the partition keys of the table in the job.",
        variants={"write": "..xx"},
    ),
    Rule(
        "E10", "EXPECT_STALE_PIN", CONTRACT, "..x.",
        change="a name belongs to another field than the one that the job was pinned to",
        says="{path} is field {new} now, and the {who} means field {old}.",
        why="The name came back under a new id: the values are not the same.",
        fix="Look at the field, and pin the contract again.",
        variants={"write": "..xx"},
    ),
)
# What an audit finds besides: histories as a whole, storage, and data files.
_AUDITED = (
    Rule(
        "A01", "TABLE_UNREAD", AUDIT, "xxxx",
        change="a table, one of its versions, or what hangs on it cannot be read",
        says="{reason}",
        why="What nobody could read may be anything: a table that was not read is never called sound.",
        fix="Follow the sentence of the finding; it carries the code of the error.",
    ),
    Rule(
        "A02", "TYPE_CHAIN_BROKEN", AUDIT, "xx..",
        change="allowed steps have led to a type that no old value can be turned into",
        says="{reason}",
        why=(
            "Each step was judged against the one before it, and files skip the steps in between: DATE, STRING, "
            "INT reads no DATE as INT."
        ),
        fix="Add a column of the new type under a new name, backfill it, and drop this one.",
    ),
    Rule(
        "A03", "VERSION_MISSING", AUDIT, "xx..",
        change="files that are read were written with a version that is not there any more",
        says="{reason}",
        why="Without the version nobody knows which column of the file is which.",
        fix="Restore the schema file from a copy; it must be the same byte for byte.",
    ),
    Rule(
        "A04", "FILE_UNREADABLE", AUDIT, "xx..",
        change="a data file is missing, or is no file of its format",
        says="{reason}",
        why="Whoever reads the table stops there, or reads fewer rows than there are.",
        fix="Restore the file, or take it out of the table.",
    ),
    Rule(
        "A05", "FILE_UNEXPLAINED", AUDIT, "xx..",
        change="no version, or more than one, explains the columns of a data file",
        says="{reason}",
        why="A file without field ids is only understood if somebody says which version it is of.",
        fix=(
            "Say with which version it was written: `airflow-schemas bind TABLE FOLDER N`, or table.bind(folder, version). "
            "A file is named by itself where its folder holds files of other versions."
        ),
    ),
    Rule(
        "A06", "FILE_DIFFERS", AUDIT, "xx..",
        change="a data file has other columns than its version says",
        says="{reason}",
        why="Engines trust the version, and read something else than was written, or stop.",
        fix="Look who wrote the file, and write it again with the columns of its version.",
    ),
    Rule(
        "A07", "TABLE_NOT_LOOKED_AT", AUDIT, "wwww",
        change="a table is judged by its description alone, and its data keeps a schema of its own",
        says="{reason}",
        why="The data may have been changed by somebody who did not change the description, and then readers meet other columns.",
        fix="Let the data be looked at, or compare the description with it by hand before each change.",
    ),
    Rule(
        "A08", "TABLE_MISSING", AUDIT, "xxxx",
        change="a job needs a table, or a version of one, that is not there",
        says="{reason}",
        why=(
            "The job stops when it names the table, or makes another one under a misspelled name. Without a schema nobody can "
            "tell what its data is."
        ),
        fix="Mend the name, or create the table before the job runs.",
    ),
    Rule(
        "A09", "FORMAT_FORBIDS", AUDIT, "!!!!",
        change="the format in which others keep the table cannot carry the change",
        says="{reason}",
        why=(
            "An Iceberg table promises that old files can be read with the new schema. Some catalogs and clients take changes "
            "that break the promise: old values are read as others, files cannot be planned, or readers refuse the table."
        ),
        fix="Keep the column as it is, add another one, and fill it.",
    ),
)
# What is wrong with the metadata of tables that others keep: no change of ours made it, and none can be refused for it.
_METADATA = (
    Rule(
        "M01", "SCHEMA_ID_DUPLICATE", METADATA, "xxxx",
        change="the metadata of a table hold two schemas of one id",
        says="{reason}",
        why=(
            "Engines differ in which of the two they take: one reads columns that another does not know, and nobody can tell with which "
            "of them a file was written. A writer whose commit was checked against too little makes such a table without an error."
        ),
        fix="Change the schema of the table once more, so that the current one has an id of its own, and have old schemas removed.",
        faults=(
            "iceberg.schema-id-twice",
        ),
    ),
    Rule(
        "M02", "LAST_COLUMN_ID_LOW", METADATA, "..wx",
        change="the last id that a table has given to a column lies below an id in use",
        says="{reason}",
        why=(
            "What is there is read rightly. The next new column gets an id that another column has or had: its values show up in the new "
            "one, or the table cannot be read any more."
        ),
        fix="Raise the counter of the table to the highest id in use before anybody adds a column.",
        faults=(
            "iceberg.low-last-column-id",
            "delta.low-max-column-id",
        ),
    ),
    Rule(
        "M03", "COLUMN_ID_DUPLICATE", METADATA, "x.xx",
        change="two columns of a table that others keep have one id",
        says="{reason}",
        why="Whoever finds columns by id reads the values of one for those of the other. By the names in the files they are told apart.",
        fix="Find the writer that gave the id twice, and write the table anew with ids of its own for each column.",
        faults=(
            "delta.column-id-twice",
        ),
    ),
    Rule(
        "M04", "COLUMN_ID_REUSED", METADATA, "x.x.",
        change="in a table that others keep, an id means another column than before",
        says="column id {id} was {old} in schema {version} and is {new} since schema {now}.",
        why=(
            "Engines that find columns by id show the values of the earlier column in the files that were written with it, without an "
            "error where the types agree. A column that only has another type is read by what its engine converts, or not at all."
        ),
        fix="Add a column with an id that was never used, fill it anew, and drop the one whose id means two things.",
        variants={"kept": "w.w."},
    ),
    Rule(
        "M05", "COLUMN_NAME_UNMAPPED", METADATA, "xxxx",
        change="a table maps its columns to names in its files, and some have no such name",
        says="{reason}",
        why="Readers refuse the table, or find nothing in these columns: a file has a column under the name that the mapping gives it.",
        fix="Have its writer mended, and write the table anew: without the mapping, or with a name for each column.",
        faults=(
            "delta.no-physical-name",
        ),
    ),
    Rule(
        "M06", "COLUMN_ID_UNMAPPED", METADATA, "xxxx",
        change="a table maps its columns, and some have no id",
        says="{reason}",
        why=(
            "Where columns are found by id, such a column is not found. Where they are found by name it can be read, and writers that "
            "check the mapping refuse the table."
        ),
        fix="Have its writer mended, and write the table anew: without the mapping, or with an id for each column.",
        faults=(
            "delta.no-column-id",
        ),
        variants={"named": "..wx"},
    ),
    Rule(
        "M07", "FEATURE_UNKNOWN", METADATA, "wwww",
        change="a table asks its readers for a feature that nobody here knows",
        says="{reason}",
        why="The columns are judged as the metadata have them. What the feature adds to them is not known.",
        fix="Make sure that the feature changes nothing that readers of the columns notice.",
        faults=(
            "delta.unknown-feature",
        ),
    ),
    Rule(
        "M08", "HEAD_ASSUMED", METADATA, "wwww",
        change="the current schema of a table was taken from its files, and no catalog was asked",
        says="{reason}",
        why="A commit that lost leaves a newer file that never counted, and a file that is named by itself does not tell what came after.",
        fix="Mount the table through its catalog.",
        faults=(
            "iceberg.head-by-listing",
            "iceberg.head-by-file",
        ),
    ),
    Rule(
        "M09", "COLUMN_TYPE_NOT_PROMOTED", METADATA, "w.w.",
        change="a column of a table that others keep got a type that its format does not allow after the earlier one",
        says="{reason}",
        why=(
            "A format that reads old files with the new schema allows only types that hold all values of the earlier one. Engines refuse "
            "files that were written before, or cut their values."
        ),
        fix="Have the earlier type made current again, or have the old files written anew, before anybody reads them.",
        faults=(
            "iceberg.refused-type-change",
        ),
        variants={"needed": "x.x."},
    ),
)
# What rows break, next to a schema or to what a job needs.
_ROWS = (
    Rule(
        "R01", "DATA_COLUMN_MISSING", DATA, "xxxx",
        change="data lacks a column, or a field inside one",
        says="the data has no {path}{of}.",
        why="Nobody can make up its values.",
        fix="Add the column to the data, with a value in every row.",
        variants={"nullable": "wwww"},
    ),
    Rule(
        "R02", "DATA_COLUMN_UNKNOWN", DATA, "xxxx",
        change="data has a column that nobody expects",
        says="{path} is in the data, and nobody expects it.",
        why="A write stops at a column that the table does not have, or goes into the wrong one where it goes by position.",
        fix="Add it to the table, or leave it out of the data.",
        variants={"left": "wwww"},
    ),
    Rule(
        "R03", "DATA_COLUMN_RENAMED", DATA, "xxxx",
        change="data has a column under another name, as its field id or its letters say",
        says="{path} is called {new} in the data.",
        why="Whoever looks for it by name finds nothing.",
        fix="Rename it in the data.",
        variants={"mended": "wwww"},
    ),
    Rule(
        "R04", "DATA_TYPE_DIFFERS", DATA, "xxxx",
        change="data has a column of a type whose values mean something else, or none of which would fit",
        says="{path} is {new} in the data, and {old} is expected.",
        why="No look at values tells whether they mean the same.",
        fix="Convert the column in the data, where you see what becomes of its values.",
    ),
    Rule(
        "R05", "DATA_ORDER", DATA, "xxxx",
        change="data has its columns in another order than a job goes by",
        says="{path} stands where {old} is expected.",
        why="Values end up in the wrong columns, without an error where the types agree.",
        fix="Select the columns in the order that is expected.",
        variants={"mended": "wwww"},
    ),
    Rule(
        "R06", "DATA_NULL", DATA, "xxxx",
        change="rows have NULL where there must be none",
        says="{path} is NULL in {rows}.",
        why="Spark does not enforce NOT NULL on files: readers that rely on it drop rows in joins, or stop.",
        fix="Fill the rows in, or keep them apart: mode='quarantine'.",
    ),
    Rule(
        "R07", "DATA_TOO_LONG", DATA, "xxxx",
        change="rows have text or bytes that are too long",
        says="{path} is longer than {old} in {rows}.",
        why="The value is cut off, or stops the writer.",
        fix="Widen the column in the table, or keep the rows apart: mode='quarantine'.",
    ),
    Rule(
        "R08", "DATA_OUT_OF_RANGE", DATA, "xxxx",
        change="rows have numbers that the type has no room for",
        says="{path} does not fit into {old} in {rows}.",
        why="The value becomes NULL, wraps around, or stops the writer.",
        fix="Widen the column in the table, or keep the rows apart: mode='quarantine'.",
    ),
    Rule(
        "R09", "DATA_INEXACT", DATA, "xxxx",
        change="rows have values with more digits than the type keeps",
        says="{path} would be rounded or cut off as {old} in {rows}.",
        why="Digits are lost without an error.",
        fix="Round the values where you see it, or give the column a finer type.",
    ),
    Rule(
        "R10", "DATA_KEY_DUPLICATE", DATA, "xxxx",
        change="rows share a primary key",
        says="{rows} share {new} that must be unique: ({old}).",
        why="An upsert keeps one of these rows, and a join gives several.",
        fix="Keep one row of each key, the newest for example.",
    ),
    Rule(
        "R11", "DATA_MAP_KEY_NULL", DATA, "xxxx",
        change="rows have a map with a key that is NULL",
        says="{path} has a key that is NULL in {rows}.",
        why="No lookup finds the entry, and Parquet has no room for it.",
        fix="Leave the entry out.",
    ),
    Rule(
        "R12", "DATA_MAP_KEY_DUPLICATE", DATA, "xxxx",
        change="rows have a map in which a key stands twice",
        says="{path} has a key twice in {rows}.",
        why="A lookup finds the first of them in one engine and the last in another.",
        fix="Keep one entry of each key.",
    ),
    Rule(
        "R13", "DATA_TOO_FEW_ROWS", DATA, "xxxx",
        change="data has fewer rows than `min_rows` asks for",
        says="the data has {new}, and min_rows asks for {old}.",
        why="A load that brings nothing looks like one that went well, and what comes after works without its rows.",
        fix="Look why the rows did not come; lower min_rows if so few are right.",
    ),
)
# Files that people keep in git, and that go or say something else. The tables themselves stay as they are.
_FILES = (
    Rule(
        "G01", "TABLE_FILE_DELETED", REPOSITORY, "..ww",
        change="the file of a table is deleted",
        says="{reason}",
        why=(
            "Deleting the file drops nothing: the table stays as it is, and nobody judges its next change before it is made. Somebody "
            "who drops the table afterwards takes it from its readers."
        ),
        fix=(
            "Bring the file back, unless the table is to go. Then have its readers moved to another table, and take their contracts "
            "away: delete their files, and `airflow-schemas contract remove TABLE JOB` where they are registered."
        ),
        variants={"read": "..xw"},
    ),
    Rule(
        "G02", "TABLE_NAME_CHANGED", REPOSITORY, "..ww",
        change="the file of a table names another table",
        says="{reason}",
        why=(
            "Tables are known by their names. To whoever reads the earlier name this is a table that goes; the other name is a new table "
            "without data, and no engine renames anything because a file says so."
        ),
        fix=(
            "Keep `table:` as it was, if the table is the same one. If it is another one, bring the file of the earlier table back, and "
            "give the new table a file of its own."
        ),
        variants={"read": "..xw"},
    ),
    Rule(
        "G03", "CONTRACT_FILE_DELETED", REPOSITORY, "..w.",
        change="the file of a job is deleted",
        says="{reason}",
        why=(
            "A registered contract stays registered without its file, and blocks changes for a job that may be gone. A contract that was "
            "never registered is gone with its file, and then nobody asks for the job."
        ),
        fix="Take the registered contract away as well, `airflow-schemas contract remove TABLE JOB`; or bring the file back.",
    ),
)
# fmt: on

CATALOGUE: tuple[Rule, ...] = (
    *_FIELDS,
    *_TYPES,
    *_CONTAINERS,
    *_DEFAULTS,
    *_KEYS,
    *_OPTIONS,
    *_IDENTITY,
    *_CONTRACTS,
    *_AUDITED,
    *_METADATA,
    *_ROWS,
    *_FILES,
)
RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in CATALOGUE})

# Codes that no finding has: ways of applying other rules. They are kept so that nobody gives them to something else.
WAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "T09": ("DECIMAL_SCALE_RAISED", "a scale that grows while the digits before the point stay is TYPE_WIDENED, or its engine gap"),
    "C01": ("LIST_ELEMENT", "every rule of types and NULL at `[]`"),
    "C02": ("MAP_VALUE", "every rule at `{}`"),
})  # fmt: skip


def _fault_pairs() -> Iterator[tuple[str, str]]:
    """Yield the id of each rule with each check that it speaks for."""
    for rule in CATALOGUE:
        for fault in rule.faults:
            yield rule.id, fault


# The rule that speaks for each check of one schema, or of metadata; for all others it is TABLE_INVALID.
RULE_OF_FAULT: Mapping[str, str] = MappingProxyType({fault: rule for rule, fault in _fault_pairs()})
