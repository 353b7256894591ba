"""What a reader of schemas has to know of the protocol: which tables are not told by their folder, and which features may mean more.

An unknown feature does not keep us from reading a schema: it is reported. A table whose commits its catalog keeps is another matter.
"""

from typing import Final

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.delta.log_actions import Metadata, Protocol

# What changes how data is read, and leaves the schema in the log as it is.
_KNOWN: Final = frozenset(
    {
        "appendOnly",
        "allowColumnDefaults",
        "changeDataFeed",
        "checkConstraints",
        "checkpointProtection",
        "clustering",
        "collations",
        "collations-preview",
        "columnMapping",
        "deletionVectors",
        "domainMetadata",
        "generatedColumns",
        "geospatial",
        "icebergCompatV1",
        "icebergCompatV2",
        "icebergCompatV3",
        "icebergWriterCompatV1",
        "icebergWriterCompatV3",
        "identityColumns",
        "inCommitTimestamp",
        "inCommitTimestamp-preview",
        "invariants",
        "materializePartitionColumns",
        "rowTracking",
        "timestampNtz",
        "typeWidening",
        "typeWidening-preview",
        "v2Checkpoint",
        "vacuumProtocolCheck",
        "variantShredding",
        "variantShredding-preview",
        "variantType",
        "variantType-preview",
    }
)
_NEWEST_READER: Final = 3
_BY_CATALOG: Final = frozenset(
    {"catalogManaged", "catalogOwned", "catalogOwned-preview", "coordinatedCommits", "coordinatedCommits-preview"}
)
_COORDINATOR: Final = "delta.coordinatedCommits.commitCoordinator"


def features_of(protocol: Protocol | None) -> frozenset[str]:
    """Return the features that readers and writers of a table have to know."""
    if protocol is None:
        return frozenset()
    return frozenset((*(protocol.reader_features or ()), *(protocol.writer_features or ())))


def unknown_features(protocol: Protocol | None) -> tuple[str, ...]:
    """Return what of a protocol is newer than we are: features of readers, and the version of the protocol itself."""
    if protocol is None:
        return ()
    unknown = sorted({*(protocol.reader_features or ())} - _KNOWN)
    if protocol.min_reader_version > _NEWEST_READER:
        unknown.append(f"reader version {protocol.min_reader_version}")
    return tuple(unknown)


def check_is_in_folder(protocol: Protocol | None, metadata: Metadata, table: str) -> None:
    """Refuse a table whose newest commits its catalog has: what the folder says may be old."""
    by_catalog = sorted(features_of(protocol) & _BY_CATALOG)
    coordinated = sorted(key for key in metadata.settings if key.startswith(_COORDINATOR))
    if not by_catalog and not coordinated:
        return
    message = f"{table} is managed by its catalog ({', '.join([*by_catalog, *coordinated])}): its newest commits need not be in its folder."
    fix = (
        "Mount the table through its catalog: Unity Catalog offers such tables to readers of Iceberg, at its Iceberg REST endpoint, "
        "where UniForm is on. Mount that endpoint as an Iceberg catalog. Or describe the table in the registry."
    )
    raise FormatError(message, code="delta.catalog-managed", path=table, fix=fix)
