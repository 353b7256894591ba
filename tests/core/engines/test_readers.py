"""What readers do with old files: as it was measured and as the formats rule, and laws that hold for all of them."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.engines.readers import (
    READERS,
    Outcome,
    Reader,
    describe,
    holds,
    outcome,
    outcomes,
    parse_reader,
    readable,
)
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.errors import FormatError
from tests.support import damaged
from tests.support.strategies import atoms, types

ROW, VECTORIZED = "spark-4-parquet row", "spark-4-parquet vectorized"

# File type and type to read it as; Parquet in vectors, Parquet in rows, ORC, Iceberg 2, Delta, and how Paimon casts.
SHEET = """
tinyint > smallint             | exact   | exact   | exact       | absent  | exact   | implicit
smallint > tinyint             | wrong   | wrong   | null        | absent  | refused | explicit
int > bigint                   | exact   | exact   | exact       | exact   | exact   | implicit
int > smallint                 | wrong   | wrong   | null        | absent  | refused | explicit
int > tinyint                  | wrong   | wrong   | null        | absent  | refused | explicit
bigint > int                   | error   | error   | null        | refused | refused | explicit
int > float                    | error   | error   | wrong       | refused | refused | lossy
int > double                   | exact   | exact   | exact       | refused | exact   | implicit
bigint > double                | error   | error   | wrong       | refused | refused | lossy
bigint > float                 | error   | error   | wrong       | refused | refused | lossy
float > double                 | exact   | exact   | exact       | exact   | exact   | implicit
double > float                 | error   | error   | wrong       | refused | refused | explicit
int > decimal(10,0)            | exact   | exact   | exact       | refused | exact   | implicit
int > decimal(10,2)            | error   | null    | null        | refused | refused | lossy
bigint > decimal(20,0)         | exact   | exact   | exact       | refused | exact   | implicit
bigint > decimal(19,0)         | error   | exact   | exact       | refused | refused | implicit
int > string                   | error   | error   | exact       | refused | refused | explicit
string > int                   | error   | error   | null        | refused | refused | explicit
bigint > string                | error   | error   | exact       | refused | refused | explicit
decimal(10,2) > decimal(20,2)  | exact   | exact   | exact       | exact   | exact   | implicit
decimal(20,2) > decimal(10,2)  | error   | null    | null        | refused | refused | lossy
decimal(10,2) > decimal(12,4)  | exact   | exact   | exact       | refused | exact   | implicit
decimal(10,2) > decimal(10,4)  | error   | null    | null        | refused | refused | lossy
decimal(10,4) > decimal(10,2)  | error   | wrong   | wrong       | refused | refused | lossy
decimal(10,2) > double         | error   | error   | approximate | refused | refused | lossy
double > decimal(10,2)         | error   | error   | null        | refused | refused | lossy
decimal(10,2) > bigint         | wrong   | wrong   | wrong       | refused | refused | explicit
string > binary                | exact   | exact   | exact       | refused | refused | explicit
binary > string                | bytes   | bytes   | bytes       | refused | refused | explicit
boolean > int                  | error   | error   | exact       | refused | refused | explicit
int > boolean                  | error   | error   | wrong       | refused | refused | explicit
boolean > string               | error   | error   | exact       | refused | refused | explicit
date > timestamp               | error   | error   | exact       | refused | refused | explicit
date > timestamp_ntz           | exact   | exact   | error       | refused | exact   | explicit
timestamp > date               | error   | error   | wrong       | refused | refused | explicit
timestamp_ntz > date           | error   | error   | error       | refused | refused | lossy
timestamp > timestamp_ntz      | shifted | shifted | error       | refused | refused | lossy
timestamp_ntz > timestamp      | shifted | shifted | error       | refused | refused | lossy
date > string                  | error   | error   | exact       | refused | refused | explicit
timestamp > string             | error   | wrong   | exact       | refused | refused | explicit
string > date                  | error   | error   | null        | refused | refused | explicit
timestamp > bigint             | error   | error   | wrong       | refused | refused | explicit
bigint > timestamp             | error   | error   | error       | refused | refused | explicit
date > int                     | wrong   | wrong   | error       | refused | refused | no
int > date                     | wrong   | wrong   | error       | refused | refused | no
"""
PARTS = (VECTORIZED, ROW, "spark-4-orc", "iceberg-v2", "delta", "paimon")
ROWS = [[cell.strip() for cell in line.split("|")] for line in SHEET.strip().splitlines()]

# Measured again with more values, file encodings and time zones, these were worse than the sheet says.
WORSE = {
    ("double > decimal(10,2)", "spark-4-orc"): "wrong",  # 1.239 is 1.24; what does not fit is NULL
    ("binary > string", "spark-4-orc"): "wrong",  # ff 00, as text
    ("boolean > string", "spark-4-orc"): "wrong",  # TRUE
    ("date > timestamp", "spark-4-orc"): "shifted",  # where the zone of the JVM is not the session's
    ("timestamp > string", "spark-4-orc"): "shifted",  # likewise
    ("timestamp > bigint", VECTORIZED): "wrong",  # where the file has microseconds, not INT96
    ("timestamp > bigint", ROW): "wrong",  # likewise
    ("bigint > timestamp", "spark-4-orc"): "wrong",  # seconds; only an overflow is an error
}
# What the classes of Paimon's casts leave open.
PAIMON = {
    "implicit": {Outcome.EXACT},
    "lossy": set(Outcome) - {Outcome.EXACT, Outcome.REFUSED, Outcome.ABSENT, Outcome.UNKNOWN},
    "explicit": set(Outcome) - {Outcome.REFUSED, Outcome.ABSENT, Outcome.UNKNOWN},
    "no": {Outcome.REFUSED},
}

SAMPLES = [
    *("BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DATE", "TIME(3)", "TIME(6)", "TIME(9)", "VARIANT", "BLOB"),
    *("CHAR(5)", "VARCHAR(5)", "VARCHAR(7)", "STRING", "BINARY(5)", "VARBINARY(5)", "VARBINARY(7)", "BYTES", "GEOMETRY", "GEOGRAPHY"),
    *("DECIMAL(3, 0)", "DECIMAL(5, 0)", "DECIMAL(5, 2)", "DECIMAL(9, 0)", "DECIMAL(9, 2)", "DECIMAL(10, 0)", "DECIMAL(10, 2)"),
    *("DECIMAL(12, 2)", "DECIMAL(12, 4)", "DECIMAL(18, 0)", "DECIMAL(18, 2)", "DECIMAL(19, 0)", "DECIMAL(20, 0)", "DECIMAL(22, 2)"),
    *("DECIMAL(38, 0)", "DECIMAL(38, 10)", "TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(6)", "TIMESTAMP(9)"),
    *("TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(6)", "TIMESTAMP_LTZ(9)"),
]


def parsed(text: str) -> DataType:
    return parse_ddl({"timestamp": "TIMESTAMP_LTZ(6)", "timestamp_ntz": "TIMESTAMP(6)", "binary": "BYTES"}.get(text, text))


Pair = tuple[DataType, DataType]


def pair(text: str) -> Pair:
    source, target = text.split(" > ")
    return parsed(source), parsed(target)


@cache
def samples_read_as_others(name: str) -> list[Pair]:
    """The pairs of the samples that a reader reads, but for those that are equal."""
    return [(one, other) for one, other in product(map(parsed, SAMPLES), repeat=2) if one != other and readable(name, one, other)]


def two_of_a_kind() -> st.SearchStrategy[Pair]:
    """Types that differ by length, precision or scale at most."""
    roots = st.sampled_from([Root.DECIMAL, Root.VARCHAR, Root.VARBINARY, Root.TIMESTAMP, Root.TIMESTAMP_LTZ])
    return roots.flatmap(lambda root: st.tuples(atoms(root), atoms(root)))


class TestTheSheet:
    @pytest.mark.parametrize("part", PARTS[:-1])
    @pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
    def test_a_reader_does_what_was_measured_or_ruled(self, row: list[str], part: str) -> None:
        expected = WORSE.get((row[0], part), row[1 + PARTS.index(part)])
        assert outcomes(part.partition(" ")[0], *pair(row[0]))[part] == expected

    @pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
    def test_paimon_reads_as_it_casts(self, row: list[str]) -> None:
        assert outcome("paimon", *pair(row[0])) in PAIMON[row[-1]]

    def test_what_was_measured_again_is_in_the_sheet_and_worse(self) -> None:
        order = list(Outcome)
        sheet = {(row[0], part): Outcome(cell) for row in ROWS for part, cell in zip(PARTS[:-1], row[1:], strict=False)}
        assert [cell for cell, found in WORSE.items() if order.index(Outcome(found)) <= order.index(sheet[cell])] == []


# Each of these read as each, in the order of the list: Parquet in vectors, Parquet in rows, ORC, Paimon, as Spark and
# Paimon answered. A dot is the same value; a close one, bytes, error, null, refused, shifted, wrong by their letters.
KINDS_MEASURED = [
    *("TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(9, 2)", "DECIMAL(10, 0)", "DECIMAL(20, 2)", "BOOLEAN"),
    *("CHAR(5)", "VARCHAR(7)", "STRING", "BYTES", "DATE", "TIMESTAMP(6)", "TIMESTAMP_LTZ(6)"),
]
MEASURED = """
.... .... .... .... ee.. .... e... .... .... eeww ee.. ee.. ee.. eeer wwer eewr eewr
wwnw .... .... .... ee.. .... e... .... .... eeww ee.w ee.. ee.. eeer wwer eewr eewr
wwnw wwnw .... .... eeww .... ennn .... .... eeww ee.w ee.w ee.. eeer wwer eeww eeww
eenw eenw eenw .... eeww eeww ennn ennn ennn eeww ee.w ee.w ee.. eeer eeer eeww eeww
eeww eeww eeww eeww .... .... eeww eeww eeww eewr eenw eenw een. eeer eeer eewr eewr
eeww eeww eeww eeww eeww .... eeww eeww eeww eewr eenw eenw een. eeer eeer eewr eewr
wwww wwww wwww wwww eeaa wwaa .... ewww .... eewr ee.w ee.w ee.. eeer wwer eewr eewr
eenw eenw eenw .... eeaa eeaa ennn .... .... eewr ee.w ee.w ee.. eeer eeer eewr eewr
eeww eeww eeww eeww eeaa eeaa ennn ewww .... eewr ew.w ew.w ew.. wwer eeer eewr eewr
ee.. ee.. ee.. ee.. ee.. ee.. ee.. ee.. ee.. .... eew. eew. eew. eeer eeer eewr eewr
eenw eenw eenw eenw eene eene eeww eeww eeww eewe .... .... .... .... eenw eesw eesw
eenw eenw eenw eenw eene eene eeww eeww eeww eewe wwww .... .... .... eenw eesw eesw
eenw eenw eenw eenw eene eene eeww eeww eeww eewe wwww ...w .... .... eenw eesw eesw
eeer eeer eeer eeer eeer eeer eeer eeer eeer eeer bbww bbww bbww .... eeer eeer eeer
wwer wwer wwer wwer eeer wwer ewer ewer ewer eeer ee.r ee.r ee.. eeer .... ..e. eess
eewr eewr eeww wwww eewr eewr ewwr ewwr ewwr eewr eewr eewr eew. eeer eeew .... sses
eewr eewr eeww wwww eewr eewr ewwr ewwr ewwr eewr ewsr ewsr ews. ewer eeww sses ....
"""

# Further pairs, for which parameters matter.
FINER = [
    ("DECIMAL(5, 0) > SMALLINT", "wwnw"),
    ("DECIMAL(4, 0) > SMALLINT", "...."),
    ("DECIMAL(9, 0) > INT", "...."),
    ("DECIMAL(9, 0) > DOUBLE", "...."),
    ("DECIMAL(18, 0) > BIGINT", "...."),
    ("DECIMAL(18, 2) > BIGINT", "wwww"),
    ("DECIMAL(19, 0) > BIGINT", "eenw"),
    ("DECIMAL(5, 5) > VARCHAR(8)", "ee.."),
    ("DECIMAL(5, 5) > VARCHAR(7)", "ee.w"),
    ("DECIMAL(5, 2) > VARCHAR(7)", "ee.."),
    ("DECIMAL(19, 0) > VARCHAR(20)", "ew.."),
    ("INT > VARCHAR(11)", "ee.."),
    ("INT > VARCHAR(10)", "ee.w"),
    ("BOOLEAN > VARCHAR(4)", "eeww"),
    ("BOOLEAN > DECIMAL(2, 2)", "eenn"),
    ("TINYINT > DECIMAL(3, 0)", "e..."),
    ("TINYINT > DECIMAL(3, 1)", "ennn"),
    ("VARCHAR(7) > VARCHAR(5)", "...w"),
    ("CHAR(5) > CHAR(7)", "wwww"),
    ("VARCHAR(5) > VARBINARY(20)", "...."),
    ("VARCHAR(5) > VARBINARY(19)", "...w"),
    ("STRING > BYTES", "...."),
    ("VARBINARY(7) > VARBINARY(5)", "...w"),
    ("VARBINARY(5) > BINARY(5)", "...w"),
    ("TIMESTAMP(6) > TIMESTAMP(3)", "...w"),
    ("TIMESTAMP_LTZ(6) > TIMESTAMP_LTZ(3)", "...w"),
    ("TIMESTAMP(3) > TIME(3)", "---w"),
    ("TIME(3) > TIMESTAMP(3)", "---w"),
    ("TIME(3) > STRING", "---."),
    ("TIME(3) > VARCHAR(20)", "---r"),
    ("TIME(3) > TIME(6)", "---r"),
    ("STRING > TIME(3)", "---w"),
    ("VARIANT > STRING", "??-r"),
    ("BLOB > BYTES", "---r"),
]
LETTERS = {Outcome.EXACT: ".", Outcome.APPROXIMATE: "a", Outcome.ABSENT: "-", Outcome.UNKNOWN: "?"}


def cell(source: DataType, target: DataType) -> str:
    names = ("spark-4-parquet", "spark-4-orc", "paimon")
    found = [one for name in names for one in outcomes(name, source, target).values()]
    return "".join(LETTERS.get(one, one.value[0]) for one in found)


class TestTheMeasuredPairs:
    @pytest.mark.parametrize(("source", "line"), list(zip(KINDS_MEASURED, MEASURED.strip().splitlines(), strict=True)))
    def test_spark_and_paimon_answer_as_they_did(self, source: str, line: str) -> None:
        assert " ".join(cell(parsed(source), parsed(target)) for target in KINDS_MEASURED) == line

    @pytest.mark.parametrize(("text", "expected"), FINER)
    def test_parameters_matter_where_they_did(self, text: str, expected: str) -> None:
        assert cell(*pair(text)) == expected


# Pairs that lose nothing, and the readers that cannot read them all the same.
GAPS = """
TINYINT > FLOAT                    | spark-4-parquet delta spark-delta
SMALLINT > FLOAT                   | spark-4-parquet delta spark-delta
TINYINT > DECIMAL(3, 0)            | spark-4-parquet delta spark-delta
SMALLINT > DECIMAL(9, 2)           | spark-4-parquet delta spark-delta
SMALLINT > DECIMAL(10, 0)          |
SMALLINT > DECIMAL(38, 10)         |
TINYINT > DOUBLE                   |
TINYINT > BIGINT                   |
INT > BIGINT                       |
INT > DOUBLE                       | iceberg-v2 spark-iceberg
INT > DECIMAL(10, 0)               | iceberg-v2 spark-iceberg
INT > DECIMAL(12, 2)               | iceberg-v2 spark-iceberg
BIGINT > DECIMAL(19, 0)            | spark-4-parquet delta spark-delta iceberg-v2 spark-iceberg
BIGINT > DECIMAL(21, 2)            | spark-4-parquet delta spark-delta iceberg-v2 spark-iceberg
BIGINT > DECIMAL(22, 2)            | iceberg-v2 spark-iceberg
FLOAT > DOUBLE                     |
DECIMAL(5, 2) > DECIMAL(9, 2)      |
DECIMAL(9, 2) > DECIMAL(10, 2)     |
DECIMAL(18, 0) > DECIMAL(19, 0)    |
DECIMAL(9, 2) > DECIMAL(12, 4)     | iceberg-v2 spark-iceberg
DECIMAL(18, 2) > DECIMAL(38, 10)   | iceberg-v2 spark-iceberg
DATE > TIMESTAMP(3)                | spark-4-orc iceberg-v2
CHAR(5) > VARCHAR(5)               |
VARCHAR(5) > STRING                |
BINARY(5) > VARBINARY(7)           | spark-iceberg
VARBINARY(5) > BYTES               |
TIMESTAMP(3) > TIMESTAMP(6)        |
TIMESTAMP_LTZ(0) > TIMESTAMP_LTZ(3)|
TIMESTAMP(6) > TIMESTAMP(9)        | spark-4-parquet spark-4-orc iceberg-v2 spark-iceberg delta spark-delta
"""
GAP_ROWS = [[cell.strip() for cell in line.split("|")] for line in GAPS.strip().splitlines()]


class TestReadableOldFiles:
    @pytest.mark.parametrize("row", GAP_ROWS, ids=[row[0] for row in GAP_ROWS])
    def test_a_lossless_change_is_readable_but_for_the_readers_that_were_seen_to_fail(self, row: list[str]) -> None:
        source, target = pair(row[0])
        lacking = {name for name in READERS if not (holds(name, source) and holds(name, target))}
        assert lossless(source, target)
        assert {name for name in READERS if not readable(name, source, target)} == set(row[1].split()) | lacking

    def test_a_change_is_as_readable_as_the_worse_of_two_parquet_readers_makes_it(self) -> None:
        found = outcomes("spark-4-parquet", *pair("bigint > decimal(19,0)"))
        assert found == {VECTORIZED: Outcome.ERROR, ROW: Outcome.EXACT}
        assert outcome("spark-4-parquet", *pair("bigint > decimal(19,0)")) is Outcome.ERROR
        assert outcome("spark-4-parquet", *pair("int > decimal(10,2)")) is Outcome.NULL

    @pytest.mark.parametrize("name", READERS)
    @given(kind=types())
    def test_every_type_is_readable_as_itself(self, name: str, kind: DataType) -> None:
        assert readable(name, kind, kind)
        assert outcome(name, kind, kind) is Outcome.EXACT

    @pytest.mark.parametrize("name", READERS)
    @given(data=st.data(), nullable=st.booleans())
    def test_whatever_is_readable_loses_nothing_and_has_its_types(self, name: str, data: st.DataObject, nullable: bool) -> None:
        others = two_of_a_kind() | st.tuples(atoms(), atoms())
        source, target = data.draw(damaged.mostly(st.sampled_from(samples_read_as_others(name)), others))
        source = source.with_nullable(nullable)
        bare = source.with_nullable(True), target.with_nullable(True)
        found = readable(name, source, target)
        assert found == readable(name, *bare)
        if found and bare[0] != bare[1]:
            assert lossless(*bare)
            assert outcome(name, source, target) is Outcome.EXACT
            assert holds(name, source)
            assert holds(name, target)

    @pytest.mark.parametrize("name", READERS)
    def test_what_can_be_read_in_steps_can_be_read_at_once(self, name: str) -> None:
        kinds = [parsed(text) for text in SAMPLES]
        then = {one: [other for other in kinds if readable(name, one, other)] for one in kinds}
        assert [(one, last) for one in kinds for step in then[one] for last in then[step] if last not in then[one]] == []

    @given(source=atoms(), target=atoms())
    def test_paimon_reads_every_lossless_change(self, source: DataType, target: DataType) -> None:
        nullable = source.with_nullable(True), target.with_nullable(True)
        assert readable("paimon", source, target) == lossless(*nullable)

    def test_paimon_reads_every_lossless_change_of_the_samples(self) -> None:
        pairs = list(product(map(parsed, SAMPLES), repeat=2))
        assert [one for one in pairs if readable("paimon", *one) != lossless(*one)] == []

    @pytest.mark.parametrize("name", READERS)
    def test_containers_of_one_kind_are_left_to_who_asks_for_their_parts(self, name: str) -> None:
        assert readable(name, parsed("ARRAY<BIGINT>"), parsed("ARRAY<INT>"))
        assert readable(name, parsed("ROW<a INT> NOT NULL"), parsed("ROW<b STRING>"))
        assert not readable(name, parsed("ARRAY<INT>"), parsed("MAP<INT, INT>"))
        assert not readable(name, parsed("INT"), parsed("ARRAY<INT>"))


class TestWhatReadersDo:
    @pytest.mark.parametrize("name", READERS)
    def test_only_what_a_reader_lacks_is_absent(self, name: str) -> None:
        for source, target in product(map(parsed, SAMPLES), repeat=2):
            has_both = holds(name, source) and holds(name, target)
            assert (outcome(name, source, target) is Outcome.ABSENT) == (not has_both and source != target), (source, target)

    @pytest.mark.parametrize("name", READERS)
    def test_every_pair_is_known_but_those_of_variants(self, name: str) -> None:
        pairs = [one for one in product(map(parsed, SAMPLES), repeat=2) if outcome(name, *one) is Outcome.UNKNOWN]
        assert all(Root.VARIANT in (source.root, target.root) for source, target in pairs)
        assert bool(pairs) == (name == "spark-4-parquet")

    def test_not_null_does_not_matter(self) -> None:
        assert outcome("paimon", parsed("DATE"), parsed("STRING NOT NULL")) is Outcome.EXACT
        assert outcome("delta", parsed("INT"), parsed("BIGINT NOT NULL")) is Outcome.EXACT

    def test_every_outcome_has_words_of_its_own(self) -> None:
        assert len({describe(one) for one in Outcome}) == len(Outcome)
        assert describe(Outcome.WRONG) == "reads another value, without an error"


# What each reader lacks among one sample of each kind, and of each precision that may matter.
_FOREIGN = "VECTOR<FLOAT,3> MULTISET<INT> OPAQUE('x')"
LACKING = {
    "paimon": "OPAQUE('x')",
    "spark-4-parquet": f"TIME(3) TIMESTAMP(9) TIMESTAMP_LTZ(9) BLOB GEOMETRY GEOGRAPHY {_FOREIGN}",
    "spark-4-orc": f"TIME(3) TIMESTAMP(9) TIMESTAMP_LTZ(9) VARIANT BLOB GEOMETRY GEOGRAPHY {_FOREIGN}",
    "iceberg-v2": f"TINYINT SMALLINT TIME(9) TIMESTAMP(9) TIMESTAMP_LTZ(9) VARIANT BLOB GEOMETRY GEOGRAPHY {_FOREIGN}",
    "spark-iceberg": f"TINYINT SMALLINT TIME(3) TIMESTAMP(9) TIMESTAMP_LTZ(9) BLOB GEOMETRY GEOGRAPHY {_FOREIGN}",
    "delta": "TIME(3) TIMESTAMP(9) TIMESTAMP_LTZ(9) BLOB GEOMETRY GEOGRAPHY VECTOR<FLOAT,3> MULTISET<INT>",
    "spark-delta": "TIME(3) TIMESTAMP(9) TIMESTAMP_LTZ(9) BLOB GEOMETRY GEOGRAPHY VECTOR<FLOAT,3> MULTISET<INT>",
}
KINDS = [
    *("CHAR(5)", "VARCHAR(5)", "BOOLEAN", "BINARY(5)", "VARBINARY(5)", "DECIMAL(38,10)", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT"),
    *("DOUBLE", "DATE", "TIME(3)", "TIME(9)", "TIMESTAMP(6)", "TIMESTAMP(9)", "TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(9)", "VARIANT", "BLOB"),
    *("GEOMETRY", "GEOGRAPHY", "ARRAY<INT>", "VECTOR<FLOAT,3>", "MULTISET<INT>", "MAP<INT,INT>", "ROW<a INT>"),
    "OPAQUE('x')",
]


class TestTypesThatReadersHave:
    @pytest.mark.parametrize("name", READERS)
    def test_a_reader_holds_every_type_but_those_it_lacks(self, name: str) -> None:
        assert {parsed(kind).root for kind in KINDS} == set(Root)
        lacking = {kind for kind in KINDS if not holds(name, parsed(kind))} - ({"TIME(9)"} if "TIME(3)" in LACKING[name] else set())
        assert lacking == set(LACKING[name].split())

    @pytest.mark.parametrize("name", READERS)
    @given(kind=types())
    def test_not_null_does_not_matter(self, name: str, kind: DataType) -> None:
        assert holds(name, kind) == holds(name, kind.with_nullable(not kind.nullable))


class TestNames:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("paimon", Reader("paimon", "id")),
            ("iceberg-v2", Reader("iceberg-v2", "id")),
            ("delta", Reader("delta", "name")),
            ("delta by id", Reader("delta", "id")),
            ("spark-delta", Reader("spark-delta", "id")),
            ("spark-4-parquet", Reader("spark-4-parquet", "name")),
            ("spark-4-parquet by id", Reader("spark-4-parquet", "id")),
            ("  Spark-4-ORC   BY  name ", Reader("spark-4-orc", "name")),
        ],
    )
    def test_a_reader_is_named_with_the_way_it_finds_columns_if_that_is_not_the_usual_one(self, text: str, expected: Reader) -> None:
        assert parse_reader(text) == expected

    @given(reader=st.builds(Reader, st.sampled_from(sorted(READERS)), st.sampled_from(("id", "name"))))
    def test_the_text_of_a_reader_reads_back_and_says_no_more_than_it_must(self, reader: Reader) -> None:
        assert parse_reader(str(reader)) == reader
        assert (" by " in str(reader)) == (READERS[reader.name] != reader.by)

    @pytest.mark.parametrize(
        ("text", "near"),
        [("spark-4-parqet", "spark-4-parquet"), ("iceberg", "iceberg-v2"), ("spark-orc by id", "spark-4-orc"), ("Delta Lake", "delta")],
    )
    def test_a_misspelt_name_is_refused_with_the_one_that_was_meant(self, text: str, near: str) -> None:
        with pytest.raises(FormatError) as caught:
            parse_reader(text)
        assert caught.value.code == "reader.unknown"
        assert caught.value.fix.startswith(f"Did you mean {near}? ")

    @pytest.mark.parametrize("text", ["", "trino", "paimon by position", "by id", "paimon by id by name", None, 4, "x" * 10**6])
    def test_what_is_no_reader_is_refused_with_the_names_there_are(self, text: object) -> None:
        with pytest.raises(FormatError) as caught:
            parse_reader(text)
        assert len(str(caught.value)) < 400
        assert all(name in caught.value.fix for name in READERS)
        assert "Did you mean" not in caught.value.fix

    @pytest.mark.parametrize("call", [readable, outcome, outcomes])
    def test_an_unknown_name_is_refused_wherever_it_is_used(self, call: object) -> None:
        assert callable(call)
        with pytest.raises(FormatError, match="Did you mean paimon"):
            call("paimn", parsed("INT"), parsed("BIGINT"))
        with pytest.raises(FormatError, match="Did you mean paimon"):
            holds("paimn", parsed("INT"))
