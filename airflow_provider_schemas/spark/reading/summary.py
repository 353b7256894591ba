"""What a read does, in a few lines for the log: how it is known what the files are, and what differs from what is wanted."""

from collections import Counter
from collections.abc import Iterator, Sequence

from airflow_provider_schemas.core.projection.projection import Projection
from airflow_provider_schemas.core.projection.projection import ReadMode as Reading
from airflow_provider_schemas.core.projection.rows import brief
from airflow_provider_schemas.spark.files.file_schemas import Source
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource

_MOST = 20
_WORDS = {
    SchemaSource.MANIFEST: "by their manifest",
    SchemaSource.STAMPED: "stamped",
    SchemaSource.BOUND: "bound",
    SchemaSource.EQUAL: "equal to one version",
}


def summary(table: str, version: int, sources: Sequence[Source], projections: Sequence[tuple[int, Projection]]) -> str:
    """The lines; projections each with the number of files that are read so."""
    lines = [
        f"{table} v{version}: {len(sources):,} {'file' if len(sources) == 1 else 'files'} in {len(projections)} scans: {_origins(sources)}"
    ]
    found = list(_differences(projections, sum(count for count, _ in projections)))
    lines += found[:_MOST]
    lines += [f"  and {len(found) - _MOST:,} more"] if len(found) > _MOST else []
    return "\n".join(lines)


def _origins(sources: Sequence[Source]) -> str:
    counts = Counter(one.written.how for one in sources)
    versions: dict[SchemaSource, set[int]] = {}
    for one in sources:
        if one.written.version is not None:
            versions.setdefault(one.written.how, set()).add(one.written.version)
    parts = [f"{counts[how]:,} {word}{_numbers(versions.get(how, set()))}" for how, word in _WORDS.items() if counts[how]]
    return f"{', '.join(parts)}{', ' if parts else ''}0 unknown"


def _numbers(versions: set[int]) -> str:
    if not versions:
        return ""
    least, most = min(versions), max(versions)
    return f" (v{least})" if least == most else f" (v{least} to v{most})"


def _differences(projections: Sequence[tuple[int, Projection]], total: int) -> Iterator[str]:
    """A line for each column that differs in some files."""
    counts: Counter[tuple[str, str]] = Counter()
    for count, projection in projections:
        for one in projection.fields:
            if one.renamed:
                counts[one.name, f"<- {one.source}"] += count
            if one.how is Reading.CONVERT and one.source_type is not None:
                counts[one.name, f"{brief(one.source_type)} -> {brief(one.target)}"] += count
            if one.how is Reading.NESTED:
                counts[one.name, "part by part"] += count
            if one.how is Reading.ABSENT:
                counts[one.name, "NULL"] += count
    for (name, what), count in counts.items():
        yield f"  {name}  {what} in {count:,} of {total:,} files"
