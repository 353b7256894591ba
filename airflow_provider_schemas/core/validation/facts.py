"""The facts about a schema that its checks need, each computed once.

A schema of 10,000 columns has few distinct types, so checks look at the types and not at the columns; only a
check that has a reason to walks over columns.
"""

from collections.abc import Collection
from functools import cached_property, lru_cache

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.schema.comment_directives import LEGACY_DESCRIPTORS, is_blob
from airflow_provider_schemas.core.schema.table_schema import TableSchema, structure_faults
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, of_wire


class Facts:
    """A schema as the checks look at it.

    Reading an option whose value is malformed raises. A check that needs it then finds nothing: the
    malformed value is a finding of its own.
    """

    def __init__(self, schema: TableSchema, branches: Collection[str] | None = None) -> None:
        self.schema = schema
        self.branches = branches
        self.options = schema.options.as_dict()

    @cached_property
    def structure(self) -> list[Finding]:
        """What Java refuses even to read."""
        return [Finding(*fault[:4]) for fault in structure_faults(self.schema)]

    # ------------------------------------------------------------ columns

    @cached_property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return [column.name for column in self.schema.fields]

    @cached_property
    def distinct_names(self) -> frozenset[str]:
        """The names of the columns, each once."""
        return frozenset(self.column_names)

    @cached_property
    def spelling(self) -> str:
        """The names of the columns as one text, to look for what few tables have."""
        return "\n".join(self.column_names)

    @cached_property
    def columns(self) -> dict[str, Field]:
        """The columns by name."""
        return {column.name: column for column in self.schema.fields}

    def kind(self, name: str) -> DataType | None:
        """Return the type of a column."""
        column = self.columns.get(name)
        return column.type if column else None

    @cached_property
    def atoms(self) -> frozenset[AtomicType]:
        """The atomic types that occur anywhere."""
        return _atoms(self.schema.parts.texts)

    @cached_property
    def roots(self) -> frozenset[Root]:
        """The roots that occur anywhere, in columns or inside them."""
        return frozenset([*self.schema.parts.containers, *_roots(self.schema.parts.texts)])

    @cached_property
    def defaulted(self) -> list[Field]:
        """The columns with a default value."""
        return [column for column in self.schema.fields if column.default is not None]

    def columns_of(self, *roots: Root) -> list[Field]:
        """Return the columns of these roots."""
        if self.roots.isdisjoint(roots):
            return []
        return [column for column in self.schema.fields if column.type.root in roots]

    @cached_property
    def blobs(self) -> dict[str, Field]:
        """The columns whose values are BLOBs."""
        if Root.BLOB not in self.roots:
            return {}
        return {column.name: column for column in self.schema.fields if is_blob(column.type)}

    @cached_property
    def filed_blobs(self) -> dict[str, Field]:
        """The BLOB columns whose values lie in files of their own, instead of as a reference in the data file."""
        inline = {*self.descriptors, *self.names("blob-view-field")}
        return {name: column for name, column in self.blobs.items() if name not in inline}

    @cached_property
    def descriptors(self) -> list[str]:
        """The columns that hold descriptors of BLOBs."""
        return self.names("blob-descriptor-field") or self.names(LEGACY_DESCRIPTORS)

    # ------------------------------------------------------------ keys

    @cached_property
    def primary_keys(self) -> frozenset[str]:
        return frozenset(self.schema.primary_keys)

    @property
    def append(self) -> bool:
        """Whether the table has no primary key."""
        return not self.schema.primary_keys

    @property
    def crosses_partitions(self) -> bool:
        """Whether a row with one primary key may move from partition to partition."""
        return not self.append and not self.primary_keys.issuperset(self.schema.partition_keys)

    @cached_property
    def bucket_key(self) -> list[str]:
        return table_options.split(self.options["bucket-key"]) if "bucket-key" in self.options else []

    @cached_property
    def sequence(self) -> list[str]:
        """The sequence fields."""
        if "sequence.field" not in self.options:
            return []
        return [name.strip() for name in table_options.split(self.options["sequence.field"])]

    # ------------------------------------------------------------ options

    def has(self, *keys: str) -> bool:
        """Return whether any of these options is set."""
        return not self.options.keys().isdisjoint(keys)

    def flag(self, key: str) -> bool:
        return table_options.flag(self.options, key)

    def number(self, key: str) -> int | None:
        return table_options.number(self.options, key)

    def choice(self, key: str) -> str:
        return table_options.choice(self.options, key)

    def names(self, key: str) -> list[str]:
        """Return the names that an option lists."""
        return table_options.names(self.options.get(key, ""))

    @property
    def bucket(self) -> int:
        return self.number("bucket") or 0

    @property
    def engine(self) -> str:
        return self.choice("merge-engine")

    @property
    def producer(self) -> str:
        return self.choice("changelog-producer")

    @property
    def format(self) -> str:
        return self.options.get("file.format", "parquet").lower()

    @cached_property
    def column_options(self) -> list[tuple[str, list[str], str, str]]:
        """The options `fields.<names>.<rest>`: key, names, rest, value."""
        options: list[tuple[str, list[str], str, str]] = []
        for key, value in self.options.items():
            if key.startswith(table_options.COLUMN_PREFIX):
                _, *parts = table_options.split(key, ".")
                names = table_options.split(parts[0]) if parts else []
                options.append((key, names, ".".join(parts[1:]), value))
        return options


# A table is checked version by version, and its versions have mostly the same types.
@lru_cache(maxsize=64)
def _atoms(texts: frozenset[str]) -> frozenset[AtomicType]:
    return frozenset([atom for atom in map(of_wire, texts) if isinstance(atom, AtomicType)])


@lru_cache(maxsize=64)
def _roots(texts: frozenset[str]) -> frozenset[Root]:
    return frozenset([atom.root for atom in _atoms(texts)])
