"""What a read does, in a few lines for the log: how it is known what the files are, and what differs from what is wanted."""

from collections import Counter
from collections.abc import Iterator, Sequence

from airflow_provider_schemas.core.projection.projection import ProjectedField, Projection, ReadMode
from airflow_provider_schemas.core.projection.rows import brief
from airflow_provider_schemas.spark.files.file_schemas import ResolvedFile
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource

_MOST = 20
_WORDS = {
    SchemaSource.MANIFEST: "by their manifest",
    SchemaSource.STAMPED: "stamped",
    SchemaSource.BOUND: "bound",
    SchemaSource.EQUAL: "equal to one version",
}


def summary(table: str, version: int, files: Sequence[ResolvedFile], projections: Sequence[tuple[int, Projection]]) -> str:
    """Return the lines; projections each with the number of files that are read so."""
    noun = "file" if len(files) == 1 else "files"
    lines = [f"{table} v{version}: {len(files):,} {noun} in {len(projections)} scans: {_origins(files)}"]
    differences = list(_differences(projections))
    lines += differences[:_MOST]
    if len(differences) > _MOST:
        lines.append(f"  and {len(differences) - _MOST:,} more")
    return "\n".join(lines)


def _origins(files: Sequence[ResolvedFile]) -> str:
    """Return how it is known what the files are."""
    counts: Counter[SchemaSource] = Counter()
    versions: dict[SchemaSource, set[int]] = {}
    for file in files:
        written = file.written
        counts[written.how] += 1
        if written.version is not None:
            versions.setdefault(written.how, set()).add(written.version)
    parts = [f"{counts[how]:,} {word}{_span(versions.get(how, set()))}" for how, word in _WORDS.items() if counts[how]]
    return ", ".join([*parts, "0 unknown"])


def _span(versions: set[int]) -> str:
    if not versions:
        return ""
    first = min(versions)
    last = max(versions)
    return f" (v{first})" if first == last else f" (v{first} to v{last})"


def _differences(projections: Sequence[tuple[int, Projection]]) -> Iterator[str]:
    """Yield a line for each column that differs in some files."""
    total = sum(count for count, _ in projections)
    counts: Counter[tuple[str, str]] = Counter()
    for count, projection in projections:
        for field in projection.fields:
            for difference in _field_differences(field):
                counts[field.name, difference] += count
    for (name, difference), count in counts.items():
        yield f"  {name}  {difference} in {count:,} of {total:,} files"


def _field_differences(field: ProjectedField) -> Iterator[str]:
    if field.renamed:
        yield f"<- {field.source}"
    if field.how is ReadMode.CONVERT and field.source_type is not None:
        yield f"{brief(field.source_type)} -> {brief(field.target)}"
    elif field.how is ReadMode.NESTED:
        yield "part by part"
    elif field.how is ReadMode.ABSENT:
        yield "NULL"
