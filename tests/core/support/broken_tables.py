"""Every rule of validity, with a table that breaks it and a neighbour that does not."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.validation.validity import created
from airflow_provider_schemas.errors import InvalidSchemaError

NONE: Mapping[str, str] = MappingProxyType({})

KV = "k INT, v STRING"
EVOLVING = {"row-tracking.enabled": "true", "data-evolution.enabled": "true"}


class Table(NamedTuple):
    """A table to create, as short as it can be said."""

    columns: str
    options: Mapping[str, str] = NONE
    keys: str = ""
    partitions: str = ""

    def created(self) -> TableSchema:
        return created(self.columns, self.partitions.split(), self.keys.split(), self.options, None)

    def codes(self) -> list[str]:
        try:
            self.created()
        except InvalidSchemaError as error:
            return [fault.code for fault in error.faults]
        return []


class Case(NamedTuple):
    """A rule, a table that breaks it, and one that does not."""

    code: str
    broken: Table
    sound: Table


def option(code: str, key: str, bad: str, good: str, *, columns: str = KV, keys: str = "", more: Mapping[str, str] = NONE) -> Case:
    """A case where one option decides."""
    return Case(code, Table(columns, {**more, key: bad}, keys), Table(columns, {**more, key: good}, keys))


def typed(code: str, bad: str, good: str, options: Mapping[str, str], *, keys: str = "", partitions: str = "") -> Case:
    """A case where the columns decide."""
    return Case(code, Table(bad, options, keys, partitions), Table(good, options, keys, partitions))


def needed(
    code: str, options: Mapping[str, str], more: Mapping[str, str], *, columns: str = KV, keys: str = "", partitions: str = ""
) -> Case:
    """A case where an option needs others."""
    return Case(code, Table(columns, options, keys, partitions), Table(columns, {**options, **more}, keys, partitions))


KEYS = [
    typed("schema.primary-key-type", "k MAP<INT, INT>, v INT", "k DOUBLE, v MAP<INT, INT>", {}, keys="k"),
    typed("schema.partition-key-type", "k VARIANT, v INT", "k BYTES, v VARIANT", {}, partitions="k"),
    typed("schema.primary-key-not-a-column", "a INT, v INT", "k INT, v INT", {}, keys="k"),
    typed("schema.partition-key-not-a-column", "K INT, v INT", "k INT, v INT", {}, partitions="k"),
    Case("schema.primary-key-duplicate", Table(KV, keys="k k"), Table(KV, keys="k v")),
    Case("schema.partition-key-duplicate", Table("a INT, b INT", partitions="a a"), Table("a INT, b INT", partitions="a b")),
    Case("schema.primary-key-equals-partition-keys", Table(KV, keys="k", partitions="v k"), Table(KV, keys="k", partitions="v")),
    Case("schema.primary-key-twice", Table(KV, {"primary-key": "k"}, "k"), Table(KV, {"primary-key": "k"})),
    Case("schema.partition-key-twice", Table(KV, {"partition": ""}, partitions="k"), Table(KV, {"partition": " k ,"})),
    Case("schema.pk-nullable-without-pk", Table(KV, {"primary-key.nullable": "true"}), Table(KV, {"primary-key.nullable": "true"}, "k")),
]

COLUMNS = [
    typed("schema.duplicate-column", "a INT, a STRING", "a INT, A STRING", {}),
    typed("fields.blank-name", "` ` INT", "` a` INT", {}),
    typed("schema.reserved-name", "k INT, _ROW_ID INT", "k INT, _row_id INT, r ROW<_ROW_ID INT>", {}),
    typed("schema.reserved-prefix", "k INT, _KEY_ INT", "k INT, _key_a INT, a_KEY_ INT", {}),
    typed("default.invalid", "k INT DEFAULT 'x'", "k INT DEFAULT 7, s STRING DEFAULT 'x'", {}),
    option("attributes.invalid", "schemas.field.0", "[1]", '{"unit": "EUR"}'),
    option("attributes.invalid", "schemas.table", "owner", '{"owner": "me"}'),
    option("option.bad-value", "merge-engine", "bad", "PARTIAL-UPDATE", keys="k"),
    option("option.bad-value", "write-only", "yes", "True"),
    option("option.bad-value", "snapshot.expire.limit", "1 h", "10"),
    option("option.bad-value", "scan.snapshot-id", "9223372036854775808", "9223372036854775807"),
    option("option.bad-value", "bucket", "many", "-1"),
    option("option.bad-value", "fields.v.ignore-retract", "1", "false", keys="k"),
    option("option.auto-create", "auto-create", "true", "false"),
    Case("option.path", Table(KV, {"path": "/tmp/t"}), Table(KV, {"my.path": "/tmp/t"})),
]

BUCKETS = [
    needed("bucket.key-with-dynamic", {"bucket-key": "k"}, {"bucket": "2"}),
    needed("bucket.full-compaction-with-dynamic", {"full-compaction.delta-commits": "5"}, {"bucket": "2", "bucket-key": "k"}),
    option("bucket.not-positive", "bucket", "0", "1", keys="k"),
    Case("bucket.not-positive", Table(KV, {"bucket": "-2"}), Table(KV, {"bucket": "-2"}, "k")),
    needed("bucket.key-required", {"bucket": "1"}, {"bucket-key": "v"}),
    typed("bucket.key-nested-type", "k ROW<x INT>", "k DECIMAL(10, 2)", {"bucket": "2", "bucket-key": "k"}),
    option("bucket.key-unknown-or-not-in-pk", "bucket-key", "k, v", "k,v", more={"bucket": "2"}),
    option("bucket.key-unknown-or-not-in-pk", "bucket-key", "v", "k", more={"bucket": "2"}, keys="k"),
    Case(
        "bucket.key-in-partition",
        Table(KV, {"bucket": "2", "bucket-key": "k"}, partitions="k"),
        Table(KV, {"bucket": "2", "bucket-key": "k"}, partitions="v"),
    ),
]

SCANS = [
    option("scan.must-be-null", "scan.mode", "latest", "default", more={"scan.snapshot-id": "1"}),
    option("scan.must-be-null", "scan.mode", "latest-delta", "from-creation-timestamp", more={"scan.creation-time-millis": "1"}),
    Case(
        "scan.must-be-null",
        Table(KV, {"scan.timestamp-millis": "1", "scan.tag-name": "t"}),
        Table(KV, {"scan.timestamp-millis": "1"}),
    ),
    Case("scan.exactly-one", Table(KV, {"scan.snapshot-id": "1", "scan.tag-name": "t"}), Table(KV, {"scan.tag-name": "t"})),
    needed("scan.exactly-one", {"scan.mode": "from-timestamp"}, {"scan.timestamp": "2024-01-01 00:00:00"}),
    needed("scan.exactly-one", {"scan.mode": "incremental"}, {"incremental-between": "1,2"}),
    needed("scan.must-not-be-null", {"scan.mode": "from-snapshot-full"}, {"scan.snapshot-id": "1"}),
    needed("scan.must-not-be-null", {"scan.mode": "from-file-creation-time"}, {"scan.file-creation-time-millis": "1"}),
    Case("fallback-branch.missing", Table(KV, {"scan.fallback-branch": "b"}), Table(KV, {"scan.fallback-snapshot-branch": "b"})),
    Case("primary-branch.missing", Table(KV, {"scan.primary-branch": "b"}), Table(KV)),
    Case(
        "fallback-branch.with-primary-branch",
        Table(KV, {"scan.primary-branch": "b", "scan.fallback-branch": "b"}),
        Table(KV),
    ),
]

GROUPED = "k INT, a INT, b INT, g INT, h INT, x BLOB"
UPDATE = {"merge-engine": "partial-update"}

MERGING = [
    Case(
        "option.fields-prefix-unknown-field",
        Table(KV, {"fields.z.ignore-retract": "true"}),
        Table(KV, {"fields.v.ignore-retract": "true"}),
    ),
    Case(
        "option.fields-prefix-unknown-field",
        Table(GROUPED, {"fields.g,z.sequence-group": "a"}, "k"),
        Table(GROUPED, {"fields.default-aggregate-function": "sum"}, "k"),
    ),
    typed("option.fields-prefix-nested-row", "k INT, r ROW<x INT>", "k INT, r INT", {"fields.r.x.y": "1"}),
    option("sequence.unknown-field", "sequence.field", "v,z", "v", keys="k"),
    option("sequence.unknown-field", "sequence.field", "", " v , k ", keys="k"),
    option("sequence.duplicate-field", "sequence.field", "v,v", "v", keys="k"),
    Case(
        "sequence.aggregate-function",
        Table(KV, {"sequence.field": "v", "fields.v.aggregate-function": "max"}, "k"),
        Table("k INT, v INT, w INT", {"sequence.field": "v", "fields.w.aggregate-function": "max"}, "k"),
    ),
    option("sequence.first-row", "merge-engine", "first-row", "deduplicate", keys="k", more={"sequence.field": "v"}),
    Case(
        "sequence.cross-partition",
        Table("k INT, p INT, v INT", {"sequence.field": "v"}, "k", "p"),
        Table("k INT, p INT, v INT", {"sequence.field": "v"}, "k p", "p"),
    ),
    Case(
        "sequence-group.blob",
        Table(GROUPED, {**UPDATE, "fields.x.sequence-group": "a"}, "k"),
        Table(GROUPED, {**UPDATE, "fields.g.sequence-group": "x"}, "k"),
    ),
    Case(
        "sequence-group.primary-key",
        Table(GROUPED, {**UPDATE, "fields.g.sequence-group": "k"}, "k"),
        Table(GROUPED, {"fields.g.sequence-group": "k"}, "k"),
    ),
    Case(
        "sequence-group.unknown-field",
        Table(GROUPED, {**UPDATE, "fields.g.sequence-group": "a,z"}, "k"),
        Table(GROUPED, {**UPDATE, "fields.g.sequence-group": "a, b"}, "k"),
    ),
    Case(
        "sequence-group.duplicate-field",
        Table(GROUPED, {**UPDATE, "fields.g.sequence-group": "a", "fields.h.sequence-group": "a"}, "k"),
        Table(GROUPED, {**UPDATE, "fields.g.sequence-group": "a", "fields.h.sequence-group": "b"}, "k"),
    ),
    Case(
        "sequence-group.malformed-key",
        Table(GROUPED, {**UPDATE, "fields.g.h.sequence-group": "a"}, "k"),
        Table(GROUPED, {**UPDATE, "fields.g,h.sequence-group": "a"}, "k"),
    ),
    Case(
        "aggregation.unknown-function",
        Table(KV, {"merge-engine": "aggregation", "fields.v.aggregate-function": "avg"}, "k"),
        Table(KV, {"merge-engine": "deduplicate", "fields.v.aggregate-function": "avg"}, "k"),
    ),
    option(
        "aggregation.unknown-function", "fields.default-aggregate-function", "avg", "max", keys="k", more={"merge-engine": "aggregation"}
    ),
    option("aggregation.unsupported-type", "fields.v.aggregate-function", "sum", "listagg", keys="k", more={"merge-engine": "aggregation"}),
    needed(
        "partial-update.aggregate-without-group",
        {**UPDATE, "fields.a.aggregate-function": "sum"},
        {"fields.g.sequence-group": "a"},
        columns=GROUPED,
        keys="k",
    ),
    option(
        "partial-update.aggregate-without-group", "fields.default-aggregate-function", "max", "last_non_null_value", keys="k", more=UPDATE
    ),
    Case(
        "partial-update.contradictory-deletes",
        Table(KV, {**UPDATE, "ignore-delete": "true", "partial-update.remove-record-on-delete": "true"}, "k"),
        Table(KV, {**UPDATE, "ignore-delete": "false", "partial-update.remove-record-on-delete": "true"}, "k"),
    ),
    option(
        "partial-update.contradictory-deletes",
        "partial-update.remove-record-on-delete",
        "true",
        "false",
        columns=GROUPED,
        keys="k",
        more={**UPDATE, "fields.g.sequence-group": "a"},
    ),
]

CHANGELOGS = [
    Case("changelog.needs-primary-key", Table(KV, {"changelog-producer": "input"}), Table(KV, {"changelog-producer": "input"}, "k")),
    Case(
        "option.streaming-read-overwrite",
        Table(KV, {"streaming-read-overwrite": "true"}),
        Table(KV, {"streaming-read-overwrite": "true"}, "k"),
    ),
    option("option.streaming-read-overwrite", "changelog-producer", "lookup", "input", keys="k", more={"streaming-read-overwrite": "true"}),
    option(
        "changelog.full-compaction-with-lookup",
        "changelog-producer",
        "lookup",
        "full-compaction",
        keys="k",
        more={"full-compaction.delta-commits": "5"},
    ),
    option("option.target-file-row-num", "target-file-row-num", "0", "1"),
    option("option.retention-range", "snapshot.num-retained.min", "0", "1"),
    option("option.retention-range", "snapshot.num-retained.max", "9", "10"),
    option("option.retention-range", "changelog.num-retained.min", "5", "4", more={"changelog.num-retained.max": "4"}),
    needed("option.retention-range", {"changelog.num-retained.max": "9"}, {"snapshot.num-retained.min": "3"}),
    option("option.record-level-time-field-unknown", "record-level.time-field", "t", "k", keys="k"),
    typed("option.record-level-time-field-type", "k INT, t DATE", "k INT, t TIMESTAMP_LTZ(3)", {"record-level.time-field": "t"}, keys="k"),
    option("changelog.first-row", "changelog-producer", "input", "lookup", keys="k", more={"merge-engine": "first-row"}),
    option("rowkind.unknown-field", "rowkind.field", "z", "v", keys="k"),
    option("dv.changelog-producer", "changelog-producer", "full-compaction", "lookup", keys="k", more={"deletion-vectors.enabled": "true"}),
    option("dv.first-row", "deletion-vectors.enabled", "true", "false", keys="k", more={"merge-engine": "first-row"}),
    Case(
        "snapshot-ordering.primary-key",
        Table(KV, {"sequence.snapshot-ordering": "true", "write-only": "true"}),
        Table(KV, {"sequence.snapshot-ordering": "true", "write-only": "true"}, "k"),
    ),
    option(
        "snapshot-ordering.sequence-field",
        "sequence.snapshot-ordering",
        "true",
        "false",
        keys="k",
        more={"sequence.field": "v", "write-only": "true"},
    ),
    needed("snapshot-ordering.write-only", {"sequence.snapshot-ordering": "true"}, {"write-only": "true"}, keys="k"),
]

ICEBERG = {"metadata.iceberg.storage": "table-location"}
ICEBERG_3 = {**ICEBERG, "metadata.iceberg.format-version": "3"}

FORMATS = [
    option("format.unknown", "file.format", "lance", "ORC"),
    typed("format.unsupported-type", "a ARRAY<ROW<x VARIANT>>", "a ARRAY<ROW<x BYTES>>", {"file.format": "orc"}),
    typed("format.unsupported-type", "v VECTOR<FLOAT, 3>", "v ARRAY<FLOAT>", {"file.format": "orc"}),
    typed("format.unsupported-type", "v VARIANT", "v MULTISET<INT>", {"file.format": "avro"}),
    typed("format.unsupported-type", "v ARRAY<INT>", "v TIMESTAMP(9)", {"file.format": "csv"}),
    typed("format.unsupported-type", "v MULTISET<INT>", "v ARRAY<MULTISET<INT>>", {"file.format": "json"}),
    typed("format.unsupported-type", "a STRING, b STRING", "a STRING", {"file.format": "text"}),
    typed("format.unsupported-type", "a INT", "a STRING NOT NULL", {"file.format": "text"}),
    typed("format.avro-precision", "t TIMESTAMP(7)", "t TIMESTAMP(6)", {"file.format": "avro"}),
    typed("format.avro-precision", "r ROW<t TIME(4)>", "r ROW<t TIME(3), d DECIMAL(38, 9)>", {"file.format": "avro"}),
    typed("format.avro-precision", "t TIMESTAMP_LTZ(9)", "t TIME(9)", {"file.format.per.level": "0:parquet, 1:AVRO"}),
    option("format.geo-requires-parquet", "file.format", "orc", "parquet", columns="g ARRAY<GEOMETRY>"),
    option("format.geo-requires-parquet", "file.format.per.level", "0:avro,1:parquet", "0:parquet", columns="g GEOMETRY"),
    option("format.geo-requires-parquet", "changelog-file.format", "orc", "PARQUET", columns="k INT, g GEOGRAPHY", keys="k"),
    option("format.geo-clustering-column", "clustering.columns", "k,g", "k", columns="k INT, g GEOMETRY"),
    option("format.geo-bucket-key", "bucket-key", "g", "k", columns="k INT, g GEOMETRY", more={"bucket": "2"}),
    option("format.geo-sequence-field", "sequence.field", "g", "v", columns="k INT, v INT, g GEOMETRY", keys="k"),
    needed("format.geo-iceberg-format-version", ICEBERG, ICEBERG_3, columns="g GEOMETRY"),
    option(
        "format.geo-iceberg-rest-catalog", "metadata.iceberg.storage", "rest-catalog", "hive-catalog", columns="g GEOMETRY", more=ICEBERG_3
    ),
    typed("format.geo-iceberg-crs", "g GEOGRAPHY('a,b')", "g GEOMETRY('a,b')", ICEBERG_3),
]

INDEXED = {"bucket": "2", "deletion-vectors.enabled": "true"}
ITEMS = "k INT, s STRING, t STRING, e VECTOR<FLOAT, 3>, f VECTOR<DOUBLE, 3>, m MAP<STRING, INT>, n MAP<INT, INT>"
VECTOR = {"fields.e.pk-vector.index.type": "ivf-flat", "fields.f.pk-vector.index.type": "ivf-flat"}

INDEXES = [
    option("vector-field.unknown", "vector-field", "e,z", "e,f", columns=ITEMS),
    option("vector-field.type", "vector-field", "k", "e", columns=ITEMS),
    option("pk-index.unknown-column", "pk-btree.index.columns", "z", "s", columns=ITEMS, keys="k", more=INDEXED),
    option("pk-index.column-type", "pk-bitmap.index.columns", "m", "s, t", columns=ITEMS, keys="k", more=INDEXED),
    option("pk-index.column-type", "pk-vector.index.columns", "f", "e", columns=ITEMS, keys="k", more={**INDEXED, **VECTOR}),
    option("pk-index.column-type", "pk-full-text.index.columns", "k", "s", columns=ITEMS, keys="k", more=INDEXED),
    option("pk-index.duplicate-column", "pk-btree.index.columns", "s,s", "s", columns=ITEMS, keys="k", more=INDEXED),
    option(
        "pk-index.column-in-two-indexes",
        "pk-btree.index.columns",
        "s",
        "t",
        columns=ITEMS,
        keys="k",
        more={**INDEXED, "pk-full-text.index.columns": "s"},
    ),
    option("pk-index.single-column", "pk-full-text.index.columns", "s,t", "s", columns=ITEMS, keys="k", more=INDEXED),
    needed("pk-index.vector-type", {**INDEXED, "pk-vector.index.columns": "e"}, VECTOR, columns=ITEMS, keys="k"),
    option(
        "pk-index.vector-metric",
        "fields.e.pk-vector.distance.metric",
        "manhattan",
        "l2",
        columns=ITEMS,
        keys="k",
        more={**INDEXED, **VECTOR, "pk-vector.index.columns": "e"},
    ),
    Case(
        "pk-index.primary-key",
        Table(ITEMS, {**INDEXED, "bucket-key": "k", "pk-btree.index.columns": "s"}),
        Table(ITEMS, {**INDEXED, "bucket-key": "k", "pk-btree.index.columns": "s"}, "k"),
    ),
    needed("pk-index.deletion-vectors", {"bucket": "2", "pk-btree.index.columns": "s"}, INDEXED, columns=ITEMS, keys="k"),
    option(
        "pk-index.merge-on-read",
        "deletion-vectors.merge-on-read",
        "true",
        "false",
        columns=ITEMS,
        keys="k",
        more={**INDEXED, "pk-btree.index.columns": "s"},
    ),
    option(
        "pk-index.bucket",
        "bucket",
        "-1",
        "-2",
        columns=ITEMS,
        keys="k",
        more={"deletion-vectors.enabled": "true", "pk-btree.index.columns": "s"},
    ),
    option(
        "pk-index.clustering-override",
        "pk-clustering-override",
        "true",
        "false",
        columns=ITEMS,
        keys="k",
        more={**INDEXED, "pk-btree.index.columns": "s", "clustering.columns": "t"},
    ),
    option("file-index.unknown-column", "file-index.bloom-filter.columns", "z", "s, t", columns=ITEMS),
    option("file-index.unknown-column", "file-index.bloom-filter.columns", "", "s", columns=ITEMS),
    option("file-index.unsupported-type", "file-index.bloom-filter.columns", "m", "m[a],m[b]", columns=ITEMS),
    option("file-index.unsupported-type", "file-index.bitmap.columns", "e", "s", columns=ITEMS),
    option("file-index.not-a-map", "file-index.bloom-filter.columns", "s[a]", "s", columns=ITEMS),
    option("file-index.map-key-type", "file-index.bloom-filter.columns", "n[1]", "m[1]", columns=ITEMS),
    option(
        "file-index.shared-shredding",
        "fields.m.map.storage-layout",
        "shared-shredding",
        "default",
        columns="k INT, m MAP<STRING NOT NULL, INT>",
        more={"file-index.bloom-filter.columns": "m[a]"},
    ),
]

SHARED = {"fields.m.map.storage-layout": "shared-shredding"}
MAPPED = "k INT, m MAP<STRING NOT NULL, INT>"

MAPS = [
    typed("map-layout.not-a-map", "m INT", "m MAP<INT, INT>", {"fields.m.map.storage-layout": "default"}),
    typed("map-layout.key-type", "m MAP<STRING, INT>", MAPPED, SHARED),
    typed("map-layout.type", "m MAP<STRING NOT NULL, INT>, v VARIANT", MAPPED, SHARED),
    typed("map-layout.type", "m MAP<STRING NOT NULL, ARRAY<VECTOR<FLOAT, 2>>>", f"{MAPPED}, v VECTOR<FLOAT, 2>", SHARED),
    option("map-layout.format", "file.format", "avro", "orc", columns=MAPPED, more=SHARED),
    option("map-layout.compression", "file.compression", "snappy", "LZ4", columns=MAPPED, more=SHARED),
    option("map-layout.bucket", "bucket", "-2", "2", columns=MAPPED, keys="k", more=SHARED),
    option("map-layout.max-columns", "fields.m.map.shared-shredding.max-columns", "0", "1", columns=MAPPED, more=SHARED),
    option("option.variant-shredding-range", "variant.shredding.maxSchemaWidth", "0", "1"),
    option("option.variant-shredding-range", "variant.shredding.maxSchemaDepth", "-1", "50"),
    option("option.variant-shredding-range", "variant.shredding.minFieldCardinalityRatio", "1.1", "1"),
]

KB = "k INT, b BLOB"

BLOBS = [
    Case("row-tracking.primary-key", Table(KV, {"row-tracking.enabled": "true"}, "k"), Table(KV, {"row-tracking.enabled": "true"})),
    option("row-tracking.bucket", "row-tracking.enabled", "true", "false", more={"bucket": "2", "bucket-key": "k"}),
    needed("data-evolution.needs-row-tracking", {"data-evolution.enabled": "true"}, EVOLVING),
    option("data-evolution.incremental-clustering", "clustering.incremental", "true", "false", more=EVOLVING),
    needed("blob.needs-data-evolution", {}, EVOLVING, columns=KB),
    needed("blob.needs-data-evolution", {}, EVOLVING, columns="k INT, b MAP<INT, BLOB>"),
    typed("blob.only-column", "b BLOB, c ARRAY<BLOB>", KB, EVOLVING),
    Case("blob.partition-key", Table(KB, EVOLVING, partitions="b"), Table(KB, EVOLVING, partitions="k")),
    typed("blob.nested", "k INT, r ROW<b BLOB>", "k INT, r ARRAY<BLOB>", EVOLVING),
    typed("blob.nested", "k INT, r MAP<BLOB, BLOB>", "k INT, r MAP<INT, BLOB>", EVOLVING),
    option("blob-field.unknown", "blob-field", "z", "b", columns=KB, more=EVOLVING),
    option("blob-field.type", "blob-field", "k", "b", columns="k INT, b ARRAY<BLOB>", more=EVOLVING),
    option("blob-descriptor-field.type", "blob-descriptor-field", "c", "b", columns="k INT, b BLOB, c ARRAY<BLOB>", more=EVOLVING),
    option("blob-view-field.unknown", "blob-view-field", "B", "b", columns=KB, more=EVOLVING),
    option(
        "blob-view-field.overlap", "blob-view-field", "b", "c", columns=f"{KB}, c BLOB", more={**EVOLVING, "blob-descriptor-field": "b"}
    ),
    Case("blob.primary-key", Table(KB, keys="b"), Table(KB, keys="k")),
    Case("blob.partition-key", Table(KB, keys="k", partitions="b"), Table(KB, {"blob-descriptor-field": "b"}, "k", "b")),
    option("blob.sequence-field", "sequence.field", "b", "v", columns="k INT, b BLOB, v INT", keys="k"),
    option("blob.merge-engine", "merge-engine", "aggregation", "partial-update", columns=KB, keys="k"),
    option("blob.changelog-producer", "changelog-producer", "input", "none", columns=KB, keys="k"),
    Case(
        "blob.external-paths",
        Table(KB, {"data-file.external-paths": "s3://x"}, "k"),
        Table(KV, {"data-file.external-paths": "s3://x"}, "k"),
    ),
    typed("vector.only-column", "e VECTOR<FLOAT, 2>", "k INT, e VECTOR<FLOAT, 2>", {**EVOLVING, "vector.file.format": "lance"}),
    needed("vector.needs-data-evolution", {"vector.file.format": "lance"}, EVOLVING, columns="k INT, e VECTOR<FLOAT, 2>"),
]

INCREMENTAL = {"clustering.incremental": "true"}
OVERRIDE = {"pk-clustering-override": "true", "clustering.columns": "v", "deletion-vectors.enabled": "true"}
CHAINED = {
    "chain-table.enabled": "true",
    "bucket": "2",
    "sequence.field": "v",
    "partition.timestamp-pattern": "$p",
    "partition.timestamp-formatter": "yyyyMMdd",
}
PARTED = "k INT, q STRING, p STRING, v INT"


def without(options: Mapping[str, str], key: str) -> dict[str, str]:
    return {name: value for name, value in options.items() if name != key}


def chain(code: str, key: str) -> Case:
    return needed(code, without(CHAINED, key), CHAINED, columns=PARTED, keys="k p", partitions="p")


CLUSTERING = [
    Case("clustering.primary-key", Table(KV, INCREMENTAL, "k"), Table(KV, INCREMENTAL)),
    option(
        "clustering.bucket-append-ordered", "bucket-append-ordered", "true", "false", more={**INCREMENTAL, "bucket": "2", "bucket-key": "k"}
    ),
    option(
        "clustering.deletion-vectors",
        "deletion-vectors.enabled",
        "true",
        "false",
        more={**INCREMENTAL, "bucket": "2", "bucket-key": "k", "bucket-append-ordered": "false"},
    ),
    needed("clustering-override.needs-columns", without(OVERRIDE, "clustering.columns"), OVERRIDE, keys="k"),
    needed("clustering-override.needs-deletion-vectors", without(OVERRIDE, "deletion-vectors.enabled"), OVERRIDE, keys="k"),
    Case("clustering-override.sequence-field", Table(KV, {**OVERRIDE, "sequence.field": "v"}, "k"), Table(KV, OVERRIDE, "k")),
    option("clustering-override.changelog-producer", "changelog-producer", "lookup", "input", keys="k", more=OVERRIDE),
    Case(
        "clustering-override.record-level-expire", Table(KV, {**OVERRIDE, "record-level.expire-time": "1 h"}, "k"), Table(KV, OVERRIDE, "k")
    ),
    Case("chain-table.needs-primary-key", Table(PARTED, {**CHAINED, "bucket-key": "k"}, "", "p"), Table(PARTED, CHAINED, "k p", "p")),
    Case("chain-table.needs-partitions", Table(PARTED, CHAINED, "k"), Table(PARTED, CHAINED, "k p", "p")),
    chain("chain-table.bucket", "bucket"),
    chain("chain-table.needs-sequence-field", "sequence.field"),
    chain("chain-table.needs-timestamp-pattern", "partition.timestamp-pattern"),
    chain("chain-table.needs-timestamp-formatter", "partition.timestamp-formatter"),
    Case(
        "chain-table.partition-keys",
        Table(PARTED, {**CHAINED, "chain-table.chain-partition-keys": "q"}, "k q p", "q p"),
        Table(PARTED, {**CHAINED, "chain-table.chain-partition-keys": "p"}, "k q p", "q p"),
    ),
    Case(
        "sequence-number.needs-primary-key",
        Table(KV, {"table-read.sequence-number.enabled": "true"}),
        Table(KV, {"table-read.sequence-number.enabled": "true"}, "k"),
    ),
    Case(
        "manifest-sort.needs-partitions",
        Table(KV, {"manifest-sort.enabled": "true"}),
        Table(KV, {"manifest-sort.enabled": "true"}, partitions="v"),
    ),
    Case(
        "manifest-sort.unknown-field",
        Table(KV, {"manifest-sort.enabled": "true", "manifest-sort.partition-field": "k"}, partitions="v"),
        Table(KV, {"manifest-sort.enabled": "true", "manifest-sort.partition-field": "v"}, partitions="v"),
    ),
]

CASES = [*KEYS, *COLUMNS, *BUCKETS, *SCANS, *MERGING, *CHANGELOGS, *FORMATS, *INDEXES, *MAPS, *BLOBS, *CLUSTERING]


def _labels() -> list[str]:
    """The code of each case, numbered where several cases show one rule."""
    codes = [case.code for case in CASES]
    return [f"{code} {codes[:number].count(code) + 1}" if codes.count(code) > 1 else code for number, code in enumerate(codes)]


LABELS = _labels()
