"""A store: the tables of a warehouse, on any storage, with the versions of their schemas beside their data or in a registry."""

import json
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import msgspec

from airflow_provider_schemas.core.common.short_repr import bounded
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit import drop_and_rename, evaluate, new_warehouse, operations, registry_in_use
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.store.commit.evaluate import CommitTerms
from airflow_provider_schemas.store.commit.mounted import refusals as mounted_refusals
from airflow_provider_schemas.store.commit.operations import CommitRequest
from airflow_provider_schemas.store.commit.target import Target, is_table_file_path, lies_elsewhere, read_target, subject_in_registry
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.common.data_location import check_location, trimmed
from airflow_provider_schemas.store.layout.identifiers import TableName, checked, table_name
from airflow_provider_schemas.store.layout.paths import DEFAULT_REGISTRY, Layout, database_folder, database_of
from airflow_provider_schemas.store.mounts.source import TableSource
from airflow_provider_schemas.store.prefetch import PrefetchRequest, prefetch
from airflow_provider_schemas.store.registry import policies, removals
from airflow_provider_schemas.store.registry.registry_id import checked_id
from airflow_provider_schemas.store.registry.removals import Removals
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.spark.files import roots_of_spark
from airflow_provider_schemas.store.storage import exclusive_create
from airflow_provider_schemas.store.storage.files import AT_ONCE, Files, Requests
from airflow_provider_schemas.store.storage.object_storage import folder_of, open_files, open_root
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.table_changes import PolicyLike
from airflow_provider_schemas.store.table_location import TablePlace, known_layout
from airflow_provider_schemas.store.table_state import Subject

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class SchemaStore:
    """The schemas of a warehouse. Opening one asks nothing of the storage."""

    def __init__(
        self,
        url: str | PathLike[str],
        *,
        storage_options: Mapping[str, Any] | None = None,
        fs: Any = None,
        layout: str | Layout | None = None,
        registry: str | PathLike[str] | None = None,
        registry_options: Mapping[str, Any] | None = None,
        read_only: bool = False,
        single_writer: bool = False,
        catalog: str = "",
        team: str = "",
        actor: str = "",
        look: bool = True,
        registry_id: str = "",
        at_once: int = AT_ONCE,
        mounts: Mapping[str, TableSource] | None = None,
        revision: str = "",
    ) -> None:
        """Open a store at an address that fsspec knows, with its options, or on a filesystem that is handed in.

        The layout of an existing warehouse is found out. Contracts, policies, waivers and plans lie in the registry,
        which is `_schemas` in the warehouse unless another address is given. Single writer is for storages that
        cannot keep writers apart. Catalog is what else keeps the tables: Hive, Glue, REST. Look says whether the newest
        data file of a table that is only described may be read, to see what its columns are. Registry id is what the
        registry has to be: where it is another one, or is not there, that is an error, and no new warehouse is begun.
        At once is how many requests may be under way to an object store. Mounts are databases that others keep, by their
        names here: each is read at its source, which is opened once one of its tables is asked for. Revision is the commit of
        the repository from which the changes come that are written through the store.
        """
        at_once = arguments.at_once(at_once)
        warehouse = open_root(url, storage_options=storage_options, fs=fs, at_once=at_once)
        self._roots: Roots = Roots(
            warehouse,
            _registry(warehouse, registry, storage_options, registry_options, fs, at_once=at_once),
            known_layout(layout),
            read_only=read_only,
            single_writer=single_writer,
            catalog=arguments.text(catalog, "catalog"),
            team=checked(team, "team") if team else "",
            actor=arguments.text(actor, "actor"),
            revision=arguments.revision(revision),
            registry_named=registry is not None,
            registry_id=checked_id(registry_id),
            open_location=partial(_location, dict(storage_options or {}), fs),
            look=look,
            handed_in=fs is not None,
            mounts=mounts,
        )

    @classmethod
    def on(
        cls,
        spark: "SparkSession",
        url: str | PathLike[str],
        *,
        registry: str | PathLike[str] | None = None,
        layout: str | Layout | None = None,
        team: str = "",
        registry_id: str = "",
    ) -> Self:
        """Open a store that is read through a Spark session, classic or Connect, with the credentials that Spark has. Read only.

        Tables are asked for by their names: Spark cannot list those of a warehouse without listing all their data.
        """
        store = cls.__new__(cls)
        known_team = checked(team, "team") if team else ""
        store._roots = roots_of_spark(spark, url, registry=registry, layout=known_layout(layout), team=known_team)
        store._roots.registry_id = checked_id(registry_id)
        return store

    def __repr__(self) -> str:
        roots = getattr(self, "_roots", None)  # a debugger shows a store whose arguments were refused
        return bounded(f"SchemaStore({roots.warehouse.url!r})") if roots else "SchemaStore(...)"

    @property
    def url(self) -> str:
        """The address of the warehouse, without credentials."""
        return self._roots.warehouse.url

    @property
    def warehouse(self) -> Files:
        """The files of the warehouse."""
        return self._roots.warehouse

    @property
    def registry(self) -> Files:
        """The files of the registry."""
        return self._roots.registry

    @property
    def mounts(self) -> Mapping[str, TableSource]:
        """The databases that others keep, by their names here."""
        return self._roots.mounts

    @property
    def roots(self) -> Roots:
        """The roots, as the rooms of the store know them."""
        return self._roots

    @property
    def registry_id(self) -> str:
        """The id of the registry; empty if it has none. StorageError if it is not there, or not the one that is meant."""
        return registry_in_use.read_id(self._roots)

    def check_registry(self) -> None:
        """Raise StorageError if the registry is not there, or not the one that the tables name: then what it lacks proves nothing."""
        registry_in_use.check_store(self._roots)

    @property
    def expects_registry(self) -> bool:
        """Whether it was opened with the id that the registry has to have."""
        return bool(self._roots.registry_id)

    @property
    def layout(self) -> Layout:
        """How new tables are laid out."""
        return self._roots.layout

    @property
    def read_only(self) -> bool:
        return self._roots.read_only

    @property
    def single_writer(self) -> bool:
        return self._roots.single_writer

    @property
    def team(self) -> str:
        return self._roots.team

    @property
    def actor(self) -> str:
        return self._roots.actor

    @property
    def revision(self) -> str:
        """The commit from which changes come that name no other; empty where it is not known."""
        return self._roots.revision

    def judging(self) -> Self:
        """Return the store as one judgement sees it: nothing is asked of the storage twice, until something is written through it.

        In a judgement, a part of it: what is written through the part leaves the others as they are.
        """
        other = copy(self)
        other._roots = self._roots.judging()
        return other

    def rehearsing(self) -> Self:
        """Return the store for a rehearsal: what is written through it is judged and refused as ever, lies in memory, and goes with it.

        A store that is read only can be rehearsed, too. Nothing is sent to the catalog of a mounted database either.
        """
        other = copy(self)
        other._roots = self._roots.rehearsing()
        return other

    def in_judgement(self) -> Self:
        """Return the store itself, if it is that of one judgement; else as one judgement sees it."""
        return self if self._roots.snapshot is not None else self.judging()

    def asked(self) -> Requests:
        """Return how many requests were made so far."""
        counts = [self.warehouse.count, self.registry.count, *(source.count for source in self.mounts.values())]
        each_once = {id(count): count for count in counts}
        return sum((Requests(*count.snapshot()) for count in each_once.values()), Requests())

    def foresee(self, request: PrefetchRequest) -> None:
        """Ask for what a judgement will ask, at once, where that saves time."""
        prefetch(self._roots, request)

    def guarantee(self) -> str:
        """Return what the storage promises to writers who come at once, and whether it was asked."""
        files = self._roots.root_of(self.layout)
        if self._roots.external and self.layout is not Layout.REGISTRY:
            return f"read only: the catalog {shown(self._roots.catalog)} keeps the tables"
        return "read only" if self.read_only else exclusive_create.promise(files, alone=self.single_writer)

    # ------------------------------------------------------------ databases

    def _places(self) -> list[tuple[Files, Layout]]:
        """Return the roots in which databases may lie, each with its layout."""
        own = [] if self.layout is Layout.REGISTRY else [(self.warehouse, self.layout)]
        return [*own, (self.registry, Layout.REGISTRY)]

    def databases(self) -> tuple[str, ...]:
        """Return the names of the databases: one listing of each root. A mounted one is named, and not asked."""
        databases: set[str] = set()
        for files, layout in self._places():
            names = (database_of(entry.name, layout) for entry in files.list("") if entry.folder)
            databases.update(name for name in names if name is not None)
        self._check_roots(databases)
        return tuple(sorted(databases | self._roots.mounted.keys()))

    def create_database(self, database: str) -> None:
        """Make the folder of a database, if it is not there. Object stores have no folders: there, a table makes its database."""
        checked(database, "database")
        mounted_refusals.refuse_database(self._roots, database)
        with new_warehouse.begun(self._roots):
            folder = database_folder(database, self.layout)
            files = self._roots.root_of(self.layout)
            self._roots.check_own(TablePlace(files, folder, self.layout), f"database {database}")
            self._roots.check_writable(files, f"database {database}")
            files.make_folder(folder)

    def tables(self, database: str) -> tuple[str, ...]:
        """Return the names of the tables of a database: one listing of each root, whatever the number of tables."""
        checked(database, "database")
        if database in self._roots.mounted:
            return self._roots.mounted[database].addressable()
        tables: set[str] = set()
        for files, layout in self._places():
            entries = files.list(database_folder(database, layout))
            tables.update(entry.name for entry in entries if entry.folder and not entry.name.startswith((".", "_")))
        self._check_roots(tables)
        return tuple(sorted(tables))

    def unaddressable(self, database: str) -> tuple[str, ...]:
        """Return the names of tables of a mounted database that nobody can ask for as `db.table`, as their source has them."""
        checked(database, "database")
        mounted = self._roots.mounted.get(database)
        return () if mounted is None else mounted.unaddressable()

    def _check_roots(self, found: Collection[str]) -> None:
        """Raise StorageError where nothing was found because a root is not there."""
        for files, _ in self._places() if not found else ():
            files.check_root()

    # ------------------------------------------------------------ tables

    def table(self, name: str | TableName, branch: str | None = None) -> Table:
        """Return a table, which need not be there."""
        return Table(self._roots, table_name(name), branch)

    def exists(self, name: str | TableName) -> bool:
        """Return whether a table has a version."""
        return self.table(name).exists()

    def create_table(
        self,
        name: str | TableName,
        schema: TableSchema | TableFile | str | PathLike[str] | Iterable[Mapping[str, Any]],
        *,
        primary_keys: Iterable[str] = (),
        partition_keys: Iterable[str] = (),
        options: Mapping[str, str] | None = None,
        comment: str | None = None,
        policy: PolicyLike = None,
        override: str = "",
        unchecked: str = "",
        key: str | None = None,
        actor: str = "",
        run: str = "",
        approval: str = "",
        revision: str = "",
    ) -> Committed:
        """Write the first version of a table: a schema, SQL text, columns, a table file or the path of one; nothing, if it is that already.

        Unchecked says why a description of data that lie elsewhere is not compared with them.
        """
        about = {"primary_keys": primary_keys, "partition_keys": partition_keys, "options": options, "comment": comment}
        wanted = _read_schema(schema, {key: value for key, value in about.items() if value not in ((), None)})
        terms = {"run": run, "approval": approval, "key": key, "override": override, "unchecked": unchecked}
        author = self._roots.author(actor=actor, revision=revision, **terms)
        table = table_name(name)
        mounted_refusals.refuse_create(self._roots, table, wanted)
        elsewhere = lies_elsewhere(wanted)
        with new_warehouse.begun(self._roots, registered=elsewhere) as notes:
            # Data that lie elsewhere are no Paimon table's beside which the schemas could lie.
            subject = subject_in_registry(self._roots, table) if elsewhere else Subject(self._roots, table)
            request = CommitRequest(author, CommitTerms(policy, override, unchecked=unchecked))
            return operations.create(subject, wanted, request).with_notes(notes)

    def adopt(
        self,
        name: str | TableName,
        location: str,
        schema: Target,
        *,
        format: str = "parquet",  # noqa: A002  # the name of the attribute
        key: str | None = None,
        override: str = "",
        unchecked: str = "",
        actor: str = "",
        run: str = "",
        revision: str = "",
    ) -> Committed:
        """Keep the schemas of a table whose data lie elsewhere, in the registry. Nothing is written at the location.

        Of plain Parquet and ORC the newest files are looked at: a description that they contradict is refused, unless
        unchecked says why it is right all the same. The reason is recorded in the version.
        """
        table = table_name(name)
        wanted = read_target(schema)
        mounted_refusals.refuse_create(self._roots, table, wanted)
        described = self._with_location(wanted.create() if isinstance(wanted, TableFile) else wanted, location, format)
        author = self._roots.author(actor=actor, revision=revision, run=run, key=key, override=override, unchecked=unchecked)
        with new_warehouse.begun(self._roots, registered=True) as notes:
            subject = subject_in_registry(self._roots, table)
            evaluate.check_table(subject, wanted)
            request = CommitRequest(author, CommitTerms(override=override, unchecked=unchecked))
            return operations.create(subject, described, request).with_notes(notes)

    def _with_location(self, schema: TableSchema, location: object, kind: str) -> TableSchema:
        """Return the schema with the attributes that say where the data lie and in which format."""
        if not isinstance(location, str) or not location.strip():
            message = f"{shown(str(location))} is no location of data."
            raise FormatError(message, code="table.no-location", fix="Pass the address of its folder.")
        check_location(location, handed_in=self._roots.handed_in)
        about = {**schema.table_attributes, "location": trimmed(location), "format": policies.known_format(kind)}
        options = {**schema.options, attribute_key(None): json.dumps(about, ensure_ascii=False, sort_keys=True)}
        return msgspec.structs.replace(schema, options=Options(options))

    # ------------------------------------------------------------ policies

    def policies(self) -> tuple[str, ...]:
        """Return the policies in the registry, as paths: of databases, with names, and the default."""
        self.check_registry()
        return policies.listed(self.registry)

    def save_policy(self, policy: Policy | Mapping[str, Any], *, name: str = "", database: str = "", override: str = "") -> Policy:
        """Write the policy of this name, of a database, or of all other tables. A weaker one than before needs a reason."""
        self._roots.check_writable(self.registry, "the policy")
        with new_warehouse.begun(self._roots) as notes:
            if notes:
                self.warehouse.make_folder("")
            registry = registry_in_use.read_id(self._roots)
            registry_in_use.check_neighbours(self._roots, registry, database)
            if not registry:
                registry_in_use.give_id(self._roots, database)
        return policies.save(self.registry, policy, name=name, database=database, override=override)

    def rename_table(self, old: str | TableName, new: str | TableName, *, override: str = "") -> Table:
        """Give a table another name, with its history and the records about it. Override says why registered jobs do not count."""
        source = Subject(self._roots, table_name(old))
        mounted_refusals.refuse_rename(source, table_name(new))
        drop_and_rename.rename(source, Subject(self._roots, table_name(new)), override=override)
        return self.table(new)

    def removals(self, name: str | TableName) -> Removals:
        """Return why tables of this name were dropped or renamed although jobs read them, and which table got the name by a rename."""
        subject = Subject(self._roots, table_name(name))
        registry_in_use.check_table(subject)
        return removals.listed(self.registry, subject.name)

    def drop_table(self, name: str | TableName, *, purge: bool = False, override: str = "", if_exists: bool = False) -> None:
        """Delete a table's schemas. Purge says that data beside them goes as well; override, why registered jobs do not count."""
        subject = Subject(self._roots, table_name(name))
        mounted_refusals.refuse_drop(subject, purge=purge)
        drop_and_rename.drop(subject, purge=purge, override=override, if_exists=if_exists)


def _read_schema(schema: Any, about: Mapping[str, Any]) -> TableSchema | TableFile:
    """Return the schema that a table is to have; keys, options and a comment can be given with SQL text and columns only."""
    if not isinstance(schema, TableSchema | TableFile) and not is_table_file_path(schema):
        return TableSchema.create(schema, **about)
    if about:
        message = f"{', '.join(about)} cannot be given beside a schema or a table file, which says so itself."
        raise FormatError(message, code="table.said-twice", path=next(iter(about)), fix="Say it there.")
    return read_target(schema)


def _registry(
    warehouse: Files,
    registry: str | PathLike[str] | None,
    options: Mapping[str, Any] | None,
    registry_options: Mapping[str, Any] | None,
    fs: Any,
    *,
    at_once: int,
) -> Files:
    """Return the files of the registry: inside the warehouse, unless another address is given."""
    if registry is None:
        return folder_of(warehouse, DEFAULT_REGISTRY)
    other = registry_options is not None or (fs is not None and "://" in str(registry))
    about = registry_options if registry_options is not None else options
    return open_root(registry, storage_options=about, fs=None if other else fs, at_once=at_once)


def _location(options: Mapping[str, Any], fs: Any, location: str) -> Files:
    """Return the files of a table's location, with the credentials of the warehouse."""
    return open_files(location, storage_options=options, fs=fs)
