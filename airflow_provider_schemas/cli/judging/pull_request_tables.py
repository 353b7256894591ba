"""The table files of a check against git: new, changed, moved, deleted, and files that name another table."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.files.file_kinds import FileKind
from airflow_provider_schemas.cli.judging import data, file_policy, missing_tables, pull_request_files, repository_findings, steps
from airflow_provider_schemas.cli.judging.compared import store_url, table_version
from airflow_provider_schemas.cli.judging.pull_request_files import Changes, StateFile, readable
from airflow_provider_schemas.cli.judging.pull_request_readers import TreeContracts, readers
from airflow_provider_schemas.cli.judging.verdicts import Call, ComparedReport
from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import Fault, NotThereError, SchemaError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table

_MAX_CHANGES = 5
_MAX_NAMES = 5
# A file of these kinds may still be that of its table, for all that is known.
_HIDING = (FileKind.TABLE, FileKind.OTHER, FileKind.STAND_IN)


class PairedTableFiles(Struct, frozen=True, dict=True):
    """The table files of both states, by the tables that they are about."""

    changes: Changes
    tree: TreeContracts
    args: Namespace

    # ------------------------------------------------------------ which file is about which table

    @cached_property
    def _old_read(self) -> tuple[list[StateFile], list[Fault]]:
        return readable(self.changes.old.of_kind(FileKind.TABLE), lambda file: file.table)

    @cached_property
    def _new_read(self) -> tuple[list[StateFile], list[Fault]]:
        return readable(self.changes.new.of_kind(FileKind.TABLE), lambda file: file.table)

    @cached_property
    def old(self) -> Mapping[str, Sequence[StateFile]]:
        """The files of the base; of tables that seem new also those that were moved to what the line means."""
        known = _by_table(self._old_read[0])
        unknown = [table for table in self.new if table not in known]
        if not unknown:
            return known
        moved = _by_table(pull_request_files.moved_away(self.changes))
        return {**known, **{table: moved[table] for table in unknown if table in moved}}

    @cached_property
    def new(self) -> Mapping[str, Sequence[StateFile]]:
        """The files of the new state."""
        return _by_table(self._new_read[0])

    @property
    def unread(self) -> list[Fault]:
        """The faults of files whose table cannot be told. One of the base counts where a table may be taken for new without it."""
        return [*self._new_read[1], *(self._old_read[1] if self._unclear_tables else ())]

    @cached_property
    def _unclear_tables(self) -> frozenset[str]:
        """The tables without an old file, while some file of the base cannot be read: it may have been that of any of them."""
        if not self._old_read[1]:
            return frozenset()
        return frozenset(table for table in self.new if table not in self.old)

    @cached_property
    def unchanged(self) -> frozenset[str]:
        """The tables whose only file has the text that it had."""
        return frozenset(table for table in self.new if self._is_unchanged(table))

    def _is_unchanged(self, table: str) -> bool:
        old = self.old.get(table, ())
        new = self.new[table]
        return len(old) == len(new) == 1 and self.changes.is_unchanged(old[0], new[0])

    # ------------------------------------------------------------ what is judged

    def calls(self) -> Iterator[Call]:
        """Yield the judgements, those of files that are there first."""
        for table, files in self.new.items():
            if len(files) > 1:
                yield table, partial(_refuse_several, table, files)
            elif table not in self.unchanged and table not in self._unclear_tables:
                yield from self._calls_about(table, files[0])
        for table, files in self.old.items():
            if table not in self.new and not self._is_hidden(files):
                yield files[0].label, partial(self._judge_gone, table, files[0])

    def _calls_about(self, table: str, file: StateFile) -> Iterator[Call]:
        before = self.old.get(table, ())
        for old in before:
            yield file.label, partial(self._judge_changed, old, file)
        if not before and self._stood_in(file.path):
            yield file.label, partial(self._refuse_stand_in, file)
        elif not before:
            yield file.label, partial(self._judge_new, file)
        elif open_store.is_named(self.args):
            yield file.label, partial(self._judge_stored, before[0], file)

    def _is_hidden(self, files: Sequence[StateFile]) -> bool:
        """Return whether the file of a table is there and cannot be read, or is not known any more: then it is not said to be gone."""
        read = {file.path for file in self._new_read[0]}
        there = (self.changes.new.files.get(file.path) for file in files)
        return any(file is not None and file.kind in _HIDING and file.path not in read for file in there)

    def _stood_in(self, path: str) -> bool:
        """Return whether the base has a file at a path whose text is not in git, or is none that anybody knows."""
        old = self.changes.old.files.get(path)
        return old is not None and old.kind in (FileKind.STAND_IN, FileKind.OTHER)

    def _refuse_stand_in(self, file: StateFile) -> ComparedReport:
        message = f"at {self._short} it was no table file that can be read, so it is not known whether the table is new."
        fix = "Keep table files in git itself, as plain text; or name a base at which it was one."
        raise SchemaError(message, code="cli.git-old-text", path=file.label, fix=fix)

    @property
    def _short(self) -> str:
        return self.changes.comparison.base_words

    def notes(self) -> Iterator[str]:
        """Yield what is not judged, and why."""
        if self.unchanged:
            short = self._short.partition(",")[0]
            words = counted(len(self.unchanged), "table file")
            against = " against git or the store" if open_store.is_named(self.args) else ""
            verb = "is as it was" if len(self.unchanged) == 1 else "are as they were"
            yield f"{words} {verb} at {short}: not judged again{against}"
        for table, files in self.new.items():
            old = self.old.get(table, ())
            if len(old) == len(files) == 1 and old[0].path != files[0].path:
                yield f"the file of {table} was moved: {old[0].label} is {files[0].label} now"

    # ------------------------------------------------------------ against git

    def _judge_changed(self, old: StateFile, new: StateFile) -> ComparedReport:
        """Judge the step from the file of the base to the one that is there."""
        operand, file = _table_file(new)
        before = old.operand
        table = self._stored_if_there(file.table)
        asked = readers(self.tree, file.table, table, self.args)
        schema = _schema_of(old)
        policy = self._policy_of_step(schema, operand, table)
        plan = table_file.plan(file, steps.version_of(before), policy=policy, contracts=asked.contracts)
        report = steps.with_left_alone(plan)
        compared = f"{new.label} with {file.table} at {self._short}"
        first = self._note_about_first_policy(schema, operand, table)
        return _compared(compared, _unnumbered(replace(report, notes=(*report.notes, *first, *asked.notes))), new)

    def _policy_of_step(self, old: TableSchema, new: Operand, table: "Table | None") -> Judging | None:
        """Return the policy of the line; else that of the files, which plan and table file find; else that of the stored table."""
        given = policy_option.read_policy(self.args)
        of_files = file_policy.of_step(old, new)
        if table is None and file_policy.is_first(old, new):
            return given or file_policy.of_first(new)
        if of_files is None or table is None:
            return given or of_files
        return policy_option.combine(self.args, table.policy())

    def _note_about_first_policy(self, old: TableSchema, new: Operand, table: "Table | None") -> Iterator[str]:
        if table is None and file_policy.is_first(old, new) and policy_option.read_policy(self.args) is None:
            yield "the policy is new: it can make this change break, and what it lets through it lets through from the next change on"

    # ------------------------------------------------------------ new tables

    def _judge_new(self, new: StateFile) -> ComparedReport:
        """Judge the file of a table that the base does not have: with the table of the store, if it is there already."""
        operand, file = _table_file(new)
        table = self._stored_if_there(file.table)
        if table is not None:
            note = f"{file.table} is new in git, and was in {store_url(self.args)} already: compared with it"
            return self._against_store(operand, file, table, new, [note])
        asked = readers(self.tree, file.table, None, self.args)
        plan = table_file.plan(file, None, policy=policy_option.read_policy(self.args), contracts=asked.contracts)
        findings = (*plan.report.findings, *missing_tables.misspelled(file, self.args, self.new))
        notes = (*plan.report.notes, "judged as a new table: nothing was compared", *asked.notes)
        compared = f"{new.label} with nothing: {file.table} is new since {self._short}{self._and_not_stored()}"
        return _compared(compared, _unnumbered(replace(plan.report, findings=findings, notes=notes)), new)

    def _and_not_stored(self) -> str:
        if not open_store.is_named(self.args):
            return ""
        return f", and {store_url(self.args)} has no such table"

    # ------------------------------------------------------------ against the store

    def _stored_if_there(self, name: str) -> "Table | None":
        """Return the table of the store; None without a store, and where the store does not have it."""
        if not open_store.is_named(self.args):
            return None
        table = open_store.store(self.args).table(name, branch=self.args.branch)
        return table if table.exists() else None

    def _judge_stored(self, old: StateFile, new: StateFile) -> ComparedReport:
        """Judge a changed file against the table of the store; one that the store does not have is not there to be broken."""
        operand, file = _table_file(new)
        table = self._stored_if_there(file.table)
        if table is None:
            return self._not_stored(file, new)
        return self._against_store(operand, file, table, new, self._drift(old, table))

    def _not_stored(self, file: TableFile, new: StateFile) -> ComparedReport:
        """Return the report that the store does not have a table; refuse a store without any, which may be another one."""
        store = open_store.store(self.args)
        if not any(store.tables(database) for database in store.databases()):
            message = f"there are no tables in {store_url(self.args)}, so there is nothing to compare {file.table} with."
            fix = "Pass the address of the store with --store URL or --conn ID if it is another one; else leave it out."
            raise NotThereError(message, code="cli.no-base", path=new.label, fix=fix)
        note = f"{store_url(self.args)} has no {file.table}: compared with git alone"
        findings = missing_tables.misspelled(file, self.args, self.new)
        compared = f"{new.label} with nothing in {store_url(self.args)}, which has no {file.table}"
        return _compared(compared, Report(findings, table=file.table, notes=(note,)), new)

    def _against_store(self, operand: Operand, file: TableFile, table: "Table", new: StateFile, notes: Sequence[str]) -> ComparedReport:
        policy = policy_option.read_policy(self.args)
        jobs = self.tree.about(file.table)
        plan = table.plan(target=file, policy=policy, override=self.args.override, unchecked=self.args.unchecked, jobs=jobs)
        combined = policy_option.combine(self.args, table.policy())
        report = data.with_data_after(plan, steps.with_left_alone(plan), table, combined)
        whole = replace(report, notes=(*report.notes, *notes, *self.tree.note(file.table)))
        return _compared(steps.compared_with_base(operand, plan, self.args), whole, new)

    def _drift(self, old: StateFile, table: "Table") -> Sequence[str]:
        """Return a note that the stored table is not what the file of the base says, if so: somebody changed it otherwise."""
        head = table.latest()
        where = table_version(table.name, head.number, self.args)
        file = old.operand.file
        if file is None:
            return ()
        try:
            planned = table_file.changes_of(file, head.schema)
        except SchemaError as error:
            return [f"{where} is not what the file said at {old.at}: {error.message}"]
        texts = [short_text(change) for change in planned.changes]
        if texts:
            return [f"{where} is not what the file said at {old.at}. It would become so by: {listed(texts, _MAX_CHANGES)}"]
        if planned.left_alone:
            return [f"{where} has what the file did not say at {old.at}: {listed(planned.left_alone, _MAX_CHANGES)}"]
        return ()

    # ------------------------------------------------------------ files that are gone

    def _judge_gone(self, name: str, old: StateFile) -> ComparedReport:
        """Judge that no file is about a table any more: its file was deleted, or names another table now."""
        table = self._stored_if_there(name)
        asked = readers(self.tree, name, table, self.args)
        rule, what = self._what_happened(name, old)
        known = repository_findings.readers_of(asked.contracts)
        finding = repository_findings.of_file(rule, f"{what} {self._stays(name, table)}", known, table=name)
        report = Report(
            repository_findings.weighed_file([finding], self._policy_of_gone(old, table)),
            table=name,
            contracts=len(asked.contracts),
            notes=(*asked.notes, *self._unasked_registry()),
        )
        return _compared(f"no file with {name} at {self._short}", report, old)

    def _what_happened(self, name: str, old: StateFile) -> tuple[str, str]:
        """Return the rule about a table without a file, and what became of its file."""
        other = next((table for table, files in self.new.items() if any(file.path == old.path for file in files)), "")
        if other:
            return repository_findings.TABLE_NAME_CHANGED, f"{old.label} was about {name} and is about {other} now:"
        if old.path in self.changes.new.files:
            return repository_findings.TABLE_FILE_DELETED, f"{old.label} is not a table file any more:"
        return repository_findings.TABLE_FILE_DELETED, f"{old.label} was deleted:"

    def _stays(self, name: str, table: "Table | None") -> str:
        """Write what becomes of a table whose file is gone."""
        if table is not None:
            return f"{table_version(name, table.latest().number, self.args)} stays as it is."
        if open_store.is_named(self.args):
            return f"{store_url(self.args)} has no {name}."
        return f"the table {name} stays as it is."

    def _unasked_registry(self) -> Iterator[str]:
        if not open_store.is_named(self.args):
            yield "no store is named: whether readers are registered was not looked at"

    def _policy_of_gone(self, old: StateFile, table: "Table | None") -> Judging:
        """Return the policy of the stored table; else that of the line, else that of the file that is gone."""
        if table is not None:
            return policy_option.combine(self.args, table.policy())
        given = policy_option.read_policy(self.args)
        if given is not None:
            return given
        schema = _schema_of(old)
        return file_policy.of_schemas(schema, schema)


# ---------------------------------------------------------------- parts


def _unnumbered(report: Report) -> Report:
    """Return a report without versions: a commit has none, and those of the table in the store are others."""
    return replace(report, old=None, new=None)


def _by_table(files: Sequence[StateFile]) -> Mapping[str, Sequence[StateFile]]:
    by_table: dict[str, list[StateFile]] = {}
    for file in files:
        by_table.setdefault(file.table, []).append(file)
    return by_table


def _table_file(file: StateFile) -> tuple[Operand, TableFile]:
    """Return a file as an operand, and its content."""
    operand = file.operand
    if operand.file is None:
        raise AssertionError("only table files come here")
    if operand.file.table != file.table:
        message = f"a line of it reads as if it were about {file.table}, and it is about {operand.file.table}."
        raise SchemaError(message, code="cli.git-two-tables", path=file.label, fix="Let no other line begin with `table:`.")
    return operand, operand.file


def _schema_of(old: StateFile) -> TableSchema:
    """Return the schema that the file of the base describes, or raise an error that names the base."""
    try:
        return old.operand.schema
    except SchemaError as error:
        raise old.refusal(error) from None


def _refuse_several(table: str, files: Sequence[StateFile]) -> ComparedReport:
    labels = listed((file.label for file in files), _MAX_NAMES)
    fix = "Keep one file for each table."
    raise SchemaError(f"{len(files)} files are about it: {labels}.", code="cli.objects", path=table, fix=fix)


def _compared(compared: str, report: Report, file: StateFile) -> ComparedReport:
    return ComparedReport(compared, replace(report, file=file.label))
