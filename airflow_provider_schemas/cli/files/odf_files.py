"""Schemas of ODF on a command line: a document with one schema or several, a block, or a folder with a whole chain of blocks."""

from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats import odf
from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema
from airflow_provider_schemas.formats.odf.chain.files import BLOCKS, HEAD
from airflow_provider_schemas.formats.odf.chain.multihash import parse_multihash
from airflow_provider_schemas.formats.odf.serialization.sources import DatasetSource, only_source

# So many files of a folder are looked at to see whether one is a block.
_MAX_FILES = 1_000


class Setting(Struct, frozen=True):
    """One setting of a schema: where it stands, and whether it was a schema of Arrow that was converted."""

    place: str
    schema: odf.DataSchema
    legacy: bool = False
    vocabulary: odf.Vocabulary | None = None
    """The names of the system columns in its chain."""
    of_source: bool = False
    """Whether it describes how a source is read; its dataset adds the system columns."""
    following: odf.Vocabulary | None = None
    """The names of the system columns in a schema that comes after the chain."""

    @property
    def declared(self) -> odf.Declared:
        return odf.Declared(self.schema, self.legacy)


class OdfFile(Struct, frozen=True):
    """The schemas of a file or a folder, the oldest first; there is at least one."""

    what: str
    settings: tuple[Setting, ...]
    warnings: tuple[str, ...] = ()

    @property
    def schema(self) -> odf.DataSchema:
        """The newest schema."""
        return self.settings[-1].schema


def read_document(data: bytes) -> OdfFile:
    """Return the schemas of a document."""
    documents = odf.documents(data)
    what = f"ODF, {documents[0].envelope}"
    settings: list[Setting] = []
    warnings: list[str] = []
    for document in documents:
        settings += [_setting(schema.path, schema.schema, schema.raw_arrow_schema) for schema in document.schemas]
        warnings += map(str, document.warnings)
    if not settings:
        source = only_source(documents)
        settings.append(Setting(source.path, _read_source(source), of_source=True))
        warnings.append(str(source.warning))
    return OdfFile(what, tuple(settings), tuple(warnings))


def _read_source(source: DatasetSource) -> odf.DataSchema:
    """Return the schema of a source, whose columns may be written as DDL."""
    if not source.ddl:
        return source.read()
    try:
        return odf.load_ddl(source.ddl)
    except FormatError as error:
        raise FormatError.of(fault._replace(path=f"{source.path}: {fault.path}".removesuffix(": ")) for fault in error.faults) from None


def read_block(data: bytes) -> OdfFile:
    """Return the schema that a block sets."""
    block = odf.read_block(data)
    if not isinstance(block.event, SetDataSchema):
        message = f"the block sets no schema: its event is {block.event.kind}."
        raise FormatError(message, code="odf.no-schema", fix="Name the folder of its chain, which says what the schema was then.")
    place = f"block {block.sequence_number}, {block.system_time}, {block.hash}"
    setting = _setting(place, block.event.schema, block.event.raw_arrow_schema)
    return OdfFile("ODF, MetadataBlock", (setting,), tuple(map(str, block.warnings)))


def read_chain(folder: str) -> OdfFile:
    """Return the history of schemas in the blocks of a folder."""
    chain = odf.read_chain(folder)
    if not chain.schemas:
        message = f"none of the {chain.length} blocks sets a schema."
        raise FormatError(message, code="odf.no-schema", fix="Nothing was written into this dataset yet.")
    settings: list[Setting] = []
    warnings: list[str] = []
    for block in chain.schemas:
        place = f"block {block.sequence_number}, {block.system_time}, {block.hash}"
        setting = _setting(place, block.event.schema, block.event.raw_arrow_schema)
        settings.append(replace(setting, vocabulary=block.vocabulary, following=chain.vocabulary))
        warnings += [f"block {block.sequence_number}: {warning}" for warning in block.warnings]
    return OdfFile(f"ODF, a chain of {chain.length} blocks", tuple(settings), tuple(warnings))


def is_chain(name: str) -> bool:
    """Return whether a folder has blocks, or is laid out as kamu lays out a dataset."""
    folder = Path(name)
    if not local_io.is_folder(name):
        return False
    try:
        return (folder / BLOCKS).is_dir() or (folder / HEAD).is_file() or any(map(_is_block, islice(folder.iterdir(), _MAX_FILES)))
    except OSError:  # the reader of the folder reports it
        return False


def _is_block(path: Path) -> bool:
    """Return whether a file has the name of a block."""
    try:
        parse_multihash(path.name)
    except FormatError:
        return False
    return True


def _setting(place: str, schema: odf.DataSchema | None, raw: bytes | None) -> Setting:
    """Return a setting; the schema of ODF counts before that of Arrow, which is converted."""
    if schema is not None:
        return Setting(place, schema)
    return Setting(place, odf.upgrade(raw or b""), legacy=True)
