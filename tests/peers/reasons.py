"""Why a checker and we part on a change, and who is right. This is data, joined with the answers by change.

What happens to old files was measured with Spark 4.3, or read from the rules of the format. `both` is said where the
tool answers another question, or for another format, and is right about that.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Right(StrEnum):
    """Who is right about a table of files."""

    WE = "we"
    BOTH = "both"
    TOOL = "the tool"


class Reason(NamedTuple):
    """One reason, which may be that of several changes."""

    changes: tuple[str, ...]
    right: Right
    why: str


WE, BOTH, TOOL = Right
MAP_KEY = "map<int not null, string> to map<bigint not null, string>"
_ZONES = ("timestamp(6) ltz to timestamp(6)", "timestamp(6) to timestamp(6) ltz")
_WIDER = (
    "int to bigint",
    "int to double",
    "float to double",
    "int to decimal(10, 0)",
    "decimal(10, 2) to decimal(20, 2)",
    "decimal(10, 2) to decimal(12, 4)",
    "varchar(20) to varchar(40)",
    "date to timestamp(6)",
    "timestamp(3) to timestamp(6)",
)

_AVRO_BACKWARD = (
    Reason(
        ("rename", "nested rename"),
        WE,
        "It finds no such name and takes the default, NULL, which decodes without an error. The stored values are out of sight, "
        "and plain Spark reads NULL in the same way, without a warning.",
    ),
    Reason(
        ("rename with alias",),
        BOTH,
        "A decoder of messages resolves the aliases of its schema. Engines that read tables look at none: plain Spark reads NULL under the "
        "new name. Where every reader says that it reads with `read_table`, we say ok.",
    ),
    Reason(("swap names",), WE, "Both names are there, so that each column reads the other's values. Only ids can tell."),
    Reason(
        ("re-add same type",), WE, "The name is there and the type fits: values that were deleted come back as those of the new column."
    ),
    Reason(
        ("add twin",),
        WE,
        "Avro's names are case-sensitive, and Spark's are not unless it is told: it calls the two ambiguous and reads neither.",
    ),
    Reason(
        ("bigint to double",),
        WE,
        "Avro promotes a long to a double, which promises that it decodes, not that the value stays: no double is 9007199254740993. "
        "Spark stops at Parquet files, and rounds from ORC.",
    ),
    Reason(
        ("int to decimal(10, 0)",),
        BOTH,
        "A decimal of Avro is bytes, and no int decodes as bytes. Spark and Paimon read an int column of Parquet as this decimal, exactly.",
    ),
    Reason(
        ("decimal(20, 2) to decimal(10, 2)", "decimal(10, 4) to decimal(10, 2)"),
        WE,
        "It compares bytes with bytes and sees no digits, though the Avro specification lets only decimals of equal precision and "
        "scale match. Spark's vectorized decoder stops; its decoder by rows gives NULL for what does not fit, or rounds.",
    ),
    Reason(
        ("string to bytes",),
        BOTH,
        "The Avro specification promotes text to bytes, and Spark hands the bytes over. We break because text and bytes do not "
        "compare, print or filter alike. Avro's own decoder in Python refuses it inside a union, against its checker.",
    ),
    Reason(
        ("bytes to string",),
        WE,
        "Not all bytes are text: in UTF-8, FF FE is none, and Spark hands it over as if it were. Avro's own decoder in Python refuses it "
        "inside a union, against its checker.",
    ),
    Reason(
        ("int to date", "bigint to timestamp(6) ltz"),
        WE,
        "It sees int and int, long and long, and no logical type. Spark reads the int 19724 as 2024-01-02, without an error, and "
        "stops at the bigint.",
    ),
    Reason(
        ("timestamp(6) to timestamp(3)",),
        BOTH,
        "It sees a long on both sides. Spark, whose times always have six digits, reads the old ones as they are; Paimon cuts digits off, "
        "so that times that differed are equal.",
    ),
    Reason(
        _ZONES,
        WE,
        "It sees a long on both sides. Spark ignores what a Parquet file says about the zone, and shifts every value by that of "
        "the session: five hours in New York.",
    ),
)

_AVRO_FORWARD = (
    Reason(
        ("drop", "nested drop", "rename", "nested rename", "rename with alias"),
        BOTH,
        "An old decoder of messages takes its own default, NULL, for what is not sent. A reader of a table names the column, and stops.",
    ),
    Reason(("swap names",), WE, "Both names are there, so that every reader gets the other column."),
    Reason(("re-add same type",), WE, "Messages are one by one; a table keeps its old rows, and by id they have NULL in the new column."),
    Reason(
        ("add twin",), WE, "Avro's names are case-sensitive. A reader on Spark that names the old one gets an error: the name is ambiguous."
    ),
    Reason(
        ("decimal(10, 2) to decimal(20, 2)", "decimal(10, 2) to decimal(12, 4)"),
        WE,
        "It compares bytes with bytes and sees no digits. A reader whose target is the old type meets values that do not fit it.",
    ),
    Reason(
        ("string to bytes", "bytes to string"),
        WE,
        "Avro's own decoder in Python refuses it inside a union, against its checker. Where values do decode, readers do with bytes what "
        "is done with text, or the other way round.",
    ),
    Reason(
        ("int to date", "bigint to timestamp(6) ltz"), WE, "It sees no logical type. A reader that computes with it gets days and times."
    ),
    Reason(("timestamp(3) to timestamp(6)",), WE, "It sees a long on both sides. A reader of milliseconds cuts off digits of new values."),
    Reason(_ZONES, WE, "It sees a long on both sides. Every comparison with another time is off by the zone."),
)

_ICEBERG_PROMOTES = (
    "Iceberg's format 2 has no such promotion. Paimon and Spark on Parquet read the old values exactly. Where `iceberg-v2` is "
    "among the engines of the policy, we say [TYPE_WIDENED_ENGINE_GAP](../rules/TYPE_WIDENED_ENGINE_GAP.md), which breaks."
)
_SCALE = (
    "A defect of pyiceberg 0.12.0: it compares the scale of the old type with itself, so that only the precision counts. The "
    "Iceberg specification keeps the scale, since {}."
)
_IDENTIFIERS = "Iceberg does not enforce its identifier fields. Here rows were merged by the old key, and stay merged."
_PARTITIONS = (
    "Iceberg keeps the partitioning of each file beside it, so that a new one is for new files. In Paimon partitions are the paths "
    "of the files, and an overwrite reaches other rows."
)

_ICEBERG_UPDATE = (
    Reason(
        ("add twin",),
        WE,
        "Iceberg's names are case-sensitive, and Spark's are not unless it is told: it calls the two ambiguous and reads neither.",
    ),
    Reason(
        (MAP_KEY,),
        TOOL,
        "Nothing in Paimon converts the keys of a map, and `evolve` refuses the step, too. Our rule only warns, because engines "
        "of Delta can.",
    ),
    Reason(("int to double", "int to decimal(10, 0)", "date to timestamp(6)"), BOTH, _ICEBERG_PROMOTES),
    Reason(("decimal(10, 4) to decimal(10, 2)",), WE, _SCALE.format("two of the four digits behind the point would be lost")),
    Reason(
        ("string to bytes", "bytes to string"),
        WE,
        "pyiceberg promotes both ways, and the Iceberg specification neither. Not all bytes are text, and the two do not compare alike.",
    ),
    Reason(("partition keys",), BOTH, _PARTITIONS),
    Reason(("primary key",), BOTH, _IDENTIFIERS),
)

_ICEBERG_APPEND = (
    Reason(
        ("rename case",),
        BOTH,
        "pyiceberg matches names with their case, and an old writer's column is unknown to it. Spark writes it unless it is told "
        "to mind the case, so we warn.",
    ),
    Reason(("swap names",), WE, "Names and types fit, so that every value is written into the other column."),
    Reason(("add twin",), WE, "An old writer's data fits. But no Spark job can write or read the table by name any more."),
    Reason(
        ("int to double", "int to decimal(10, 0)", "date to timestamp(6)"),
        BOTH,
        "pyiceberg converts only what Iceberg promotes. Spark converts while it writes.",
    ),
    Reason(("nested add",), BOTH, "pyiceberg leaves NULL in the new field. Spark writes no struct that has a field less, and stops."),
    Reason(
        ("bigint to double",), BOTH, "pyiceberg converts only what Iceberg promotes. Spark converts while it writes, and rounds: we warn."
    ),
    Reason(("decimal(10, 4) to decimal(10, 2)",), WE, _SCALE.format("an old writer's digits would be lost")),
    Reason(("int to string",), BOTH, "pyiceberg converts only what Iceberg promotes. Spark writes numbers into a text column as text."),
    Reason(
        ("string to bytes", "bytes to string"),
        WE,
        "pyiceberg promotes both ways. An old writer fills the column with what means something else.",
    ),
    Reason(("partition keys",), BOTH, _PARTITIONS),
    Reason(("primary key",), BOTH, _IDENTIFIERS),
)

_NAMES_ONLY = "It matches properties by name. That the field ids differ is metadata to it."

_CONSUMER = (
    Reason(
        ("rename case",),
        BOTH,
        "Names of a contract are case-sensitive. A reader on Spark finds the column unless it is told to mind the case, so we warn.",
    ),
    Reason(("swap names",), WE, f"{_NAMES_ONLY} Every reader gets the other column from now on."),
    Reason(("re-add same type",), WE, f"{_NAMES_ONLY} A reader gets NULL for every old row, by id; by name it gets what was deleted."),
    Reason(
        ("add twin",), WE, "To it this is one property more. A reader on Spark that names the old one gets an error: the name is ambiguous."
    ),
    Reason(
        ("bigint to int", "int to smallint", "decimal(20, 2) to decimal(10, 2)", "varchar(40) to varchar(20)"),
        WE,
        "To it types are texts, and any other text is an error in both directions. What fits the narrower type fits what the reader "
        "expects. A reader that needs the very type says `exact` in its contract.",
    ),
    Reason(
        ("double to float", "decimal(10, 4) to decimal(10, 2)", "timestamp(6) to date", "timestamp(6) to timestamp(3)"),
        BOTH,
        "To it any other text of a type is an error. New values fit what the reader expects, but are coarser than it may count on; a "
        "reader that minds says `exact` in its contract.",
    ),
    Reason(
        ("varchar(20) to varchar(40)",),
        BOTH,
        "It calls any text that may be longer an error. Only a reader whose own target has the old length stops, so we warn.",
    ),
    Reason(
        ("partition keys",),
        BOTH,
        "Partition keys are metadata to it, and a reader notices nothing. One that overwrites partitions reaches other rows.",
    ),
    Reason(
        ("primary key",),
        BOTH,
        "Rows are unique by more columns than before. We warn; a reader that relies on the key says so in its contract, and then it "
        "[breaks](../rules/EXPECT_KEY_CHANGED.md).",
    ),
)

_PRODUCER = (
    Reason(
        ("add nullable",),
        BOTH,
        "Its test looks for the new property in the table, so that the table must be altered first. A writer that does not know "
        "the column leaves NULL.",
    ),
    Reason(
        ("drop", "drop required", "nested drop"),
        BOTH,
        "A table with one column more passes its tests. A writer that still sends the column is refused.",
    ),
    Reason(("rename case",), BOTH, "Names of a contract are case-sensitive. Spark writes unless it is told to mind the case, so we warn."),
    Reason(("swap names",), WE, f"{_NAMES_ONLY} An old writer fills the other column."),
    Reason(
        (*_WIDER, MAP_KEY),
        BOTH,
        "Its test compares the type of the table with that of the contract, so that the table must be altered first. Every value "
        "of an old writer fits the wider type.",
    ),
    Reason(
        ("bigint to double", "timestamp(6) to timestamp(3)"),
        BOTH,
        "Its test compares the types. An old writer's values are taken and lose digits, so we warn.",
    ),
    Reason(("int to string",), BOTH, "Its test compares the types. Spark writes an old writer's numbers as text."),
    Reason(
        ("partition keys",),
        WE,
        "Partition keys are metadata to it. Old files lie under the old paths, and an old writer's overwrite reaches other rows.",
    ),
    Reason(
        ("drop key column",),
        WE,
        "A table with one column more passes its tests. But the key names a column that is gone, and no writer can write.",
    ),
)

REASONS: Mapping[str, tuple[Reason, ...]] = {
    "Avro BACKWARD": _AVRO_BACKWARD,
    "Avro FORWARD": _AVRO_FORWARD,
    "pyiceberg update": _ICEBERG_UPDATE,
    "pyiceberg append": _ICEBERG_APPEND,
    "datacontract consumer": _CONSUMER,
    "datacontract producer": _PRODUCER,
}


class Caution(NamedTuple):
    """An answer that agrees with ours and says less than it seems to."""

    judge: str
    changes: tuple[str, ...]
    why: str


CAUTIONS = (
    Caution(
        "Avro BACKWARD",
        ("decimal(10, 2) to decimal(20, 2)", "decimal(10, 2) to decimal(12, 4)"),
        "It says this of every two decimals, see above. We say it because all digits of the old values fit.",
    ),
    Caution(
        "Avro BACKWARD",
        ("date to timestamp(6)", "timestamp(3) to timestamp(6)"),
        "It sees that a long holds an int, or a long a long, and not what they count: days, milliseconds, microseconds.",
    ),
    Caution(
        "Avro FORWARD",
        ("element tighten",),
        "Avro's own decoder in Python refuses such a row, against its checker, because the arrays inside the unions are not alike.",
    ),
    Caution(
        "pyiceberg update",
        ("decimal(10, 2) to decimal(12, 4)",),
        "The defect named above lets it through; the Iceberg specification does not. Paimon and Spark on Parquet read the values "
        "exactly, and with `iceberg-v2` among the engines of the policy we say "
        "[TYPE_WIDENED_ENGINE_GAP](../rules/TYPE_WIDENED_ENGINE_GAP.md).",
    ),
)
