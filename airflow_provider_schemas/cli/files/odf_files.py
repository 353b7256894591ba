"""ODF where a schema is typed: a document with one schema or several, a block, or a folder with a whole chain of them."""

from collections.abc import Iterator
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

_LOOKED_AT = 1_000


class Setting(Struct, frozen=True):
    """One setting of a schema: where it stands, and whether it was one of Arrow that was converted for us."""

    said: str
    schema: odf.DataSchema
    legacy: bool = False
    vocabulary: odf.Vocabulary | None = None
    """What its chain calls the system columns."""
    of_source: bool = False
    """Whether it is how a source is read, to which its dataset adds the system columns."""
    following: odf.Vocabulary | None = None
    """What they are called in a schema that comes after the chain."""

    @property
    def declared(self) -> odf.Declared:
        return odf.Declared(self.schema, self.legacy)


class OdfFile(Struct, frozen=True):
    """What a file or a folder says of schemas, the oldest first; there is at least one."""

    what: str
    settings: tuple[Setting, ...]
    warnings: tuple[str, ...] = ()

    @property
    def schema(self) -> odf.DataSchema:
        """The schema that holds now."""
        return self.settings[-1].schema


def of_text(data: bytes) -> OdfFile:
    """The schemas of a document."""
    documents = odf.documents(data)
    placed = [one for document in documents for one in document.schemas]
    what = f"ODF, {documents[0].envelope}"
    warnings = tuple(str(one) for document in documents for one in document.warnings)
    if not placed:
        source = only_source(documents)
        return OdfFile(what, (Setting(source.path, _read(source), of_source=True),), (*warnings, str(source.warning)))
    settings = tuple(_setting(one.path, one.schema, one.raw_arrow_schema) for one in placed)
    return OdfFile(what, settings, warnings)


def _read(source: DatasetSource) -> odf.DataSchema:
    """The schema of a source, whose columns may be written as DDL."""
    if not source.ddl:
        return source.read()
    try:
        return odf.load_ddl(source.ddl)
    except FormatError as error:
        raise FormatError.of(fault._replace(path=f"{source.path}: {fault.path}".removesuffix(": ")) for fault in error.faults) from None


def of_block(data: bytes) -> OdfFile:
    """The schema that a block sets."""
    block = odf.read_block(data)
    if not isinstance(block.event, SetDataSchema):
        message = f"the block sets no schema: its event is {block.event.kind}."
        raise FormatError(message, code="odf.no-schema", fix="Name the folder of its chain, which says what the schema was then.")
    said = f"block {block.sequence_number}, {block.system_time}, {block.hash}"
    setting = _setting(said, block.event.schema, block.event.raw_arrow_schema)
    return OdfFile("ODF, MetadataBlock", (setting,), tuple(map(str, block.warnings)))


def of_chain(name: str) -> OdfFile:
    """The history of schemas in the blocks of a folder."""
    chain = odf.read_chain(name)
    if not chain.schemas:
        message = f"none of the {chain.length} blocks sets a schema."
        raise FormatError(message, code="odf.no-schema", fix="Nothing was written into this dataset yet.")
    settings = tuple(
        replace(
            _setting(f"block {one.sequence_number}, {one.system_time}, {one.hash}", one.event.schema, one.event.raw_arrow_schema),
            vocabulary=one.vocabulary,
            following=chain.vocabulary,
        )
        for one in chain.schemas
    )
    warnings = (f"block {one.sequence_number}: {warning}" for one in chain.schemas for warning in one.warnings)
    return OdfFile(f"ODF, a chain of {chain.length} blocks", settings, tuple(warnings))


def is_chain(name: str) -> bool:
    """Whether a folder has blocks, or looks as kamu lays out a dataset."""
    place = Path(name)
    if not local_io.is_folder(name):
        return False
    try:
        return (place / BLOCKS).is_dir() or (place / HEAD).is_file() or any(_are_blocks(place))
    except OSError:  # whoever reads it says what stands in the way
        return False


def _are_blocks(place: Path) -> Iterator[bool]:
    for number, one in enumerate(place.iterdir()):
        if number >= _LOOKED_AT:
            return
        try:
            parse_multihash(one.name)
        except FormatError:
            continue
        yield True


def _setting(said: str, schema: odf.DataSchema | None, raw: bytes | None) -> Setting:
    """A schema of Arrow is converted; where both are there, ODF's own counts."""
    return Setting(said, schema) if schema is not None else Setting(said, odf.upgrade(raw or b""), legacy=True)
