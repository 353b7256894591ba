"""The objects of a `check`, put into groups: pairs, table files against their tables, or one schema by itself.

Objects that cannot be read do not keep the others from being judged, unless they are half of a pair.
"""

from argparse import Namespace
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.files import local_io, schema_folders
from airflow_provider_schemas.cli.judging import base, steps
from airflow_provider_schemas.cli.judging.compared import table_version
from airflow_provider_schemas.cli.judging.verdicts import Call, ComparedReport, Verdicts, collect, placed
from airflow_provider_schemas.cli.operands import Operand, read_operand
from airflow_provider_schemas.errors import Fault, SchemaError


def verdicts(args: Namespace) -> Verdicts:
    """Judge all objects of the line."""
    args.objects = [*args.objects, *base.files_behind_new(args)]
    names, unread = schema_folders.table_files(args.objects, args.left_out)
    operands, faults = _read_operands(names, args)
    failed = Verdicts(faults=[*unread, *faults])
    if operands and all(operand.file is not None for operand in operands):
        judged = failed.joined(_judge_table_files(operands, args, has_lost_half=len(names) == 2 and bool(faults)))
        if not faults:  # the table of a file that cannot be read is not known
            judged = judged.joined(_unmatched_new(operands, args))
        return judged.joined(_uncovered_tables(operands, args))
    if args.new and not faults:
        fix = "Leave it out, or name table files alone."
        raise SchemaError("--new is about table files.", code="cli.base", path="--new", fix=fix)
    if faults or not operands:
        return failed
    return failed.joined(_judge_schemas(operands, args))


def _read_operands(names: Sequence[str], args: Namespace) -> tuple[list[Operand], list[Fault]]:
    operands: list[Operand] = []
    faults: list[Fault] = []
    for name in args.progress.each("reading files", names, len(names)):
        try:
            operands.append(read_operand(name, args))
        except SchemaError as error:
            faults += placed(error, local_io.label(name))
    return operands, faults


# ---------------------------------------------------------------- table files


def _judge_table_files(operands: Sequence[Operand], args: Namespace, *, has_lost_half: bool) -> Verdicts:
    """Judge table files: two of one table are OLD and NEW, all others are compared with the store.

    A file whose other half cannot be read is not judged: what it was to be compared with is missing.
    """
    if has_lost_half and not (open_store.is_named(args) or args.alone or base.all_are_new(args)):
        return Verdicts()
    return collect(args.progress.each("judging table files", _table_calls(operands, args), len(operands)))


def _table_calls(operands: Sequence[Operand], args: Namespace) -> Iterator[Call]:
    for table in dict.fromkeys(operand.name for operand in operands):
        yield from _calls_about(table, operands, args)


def _calls_about(table: str, operands: Sequence[Operand], args: Namespace) -> Iterator[Call]:
    """Yield the judgements of the files about one table."""
    files = [operand for operand in operands if operand.name == table]
    if len(files) == 2 and _names_a_pair(files, args):
        yield files[1].label, partial(_judge_pair, files[0], files[1], args)
        if _is_stored(table, args):  # the old file on the line may not be the table of the store
            yield files[1].label, partial(_judge_file, files[1], operands, args)
    elif len(files) > 1 and not args.alone:
        yield table, partial(_refuse_several, files)
    else:
        for file in files:
            yield file.label, partial(_judge_file, file, operands, args)


def _names_a_pair(files: Sequence[Operand], args: Namespace) -> bool:
    """Return whether the line names OLD and NEW and nothing else, as files or as folders: two files in one folder have no order."""
    if args.alone or len(args.objects) != 2:
        return False
    old, new = (_folder_on_line(file.label, args.objects) for file in files)
    return old is None or old != new


def _folder_on_line(label: str, names: Sequence[str]) -> str | None:
    """Return the folder by which the line names a file; None for a file that it names itself."""
    return next((name for name in names if Path(name).is_dir() and Path(label).is_relative_to(name)), None)


def _is_stored(table: str, args: Namespace) -> bool:
    """Return whether the store has the table. An error of the store is reported where a file alone is compared with it."""
    if not open_store.is_named(args):
        return False
    try:
        return open_store.store(args).table(table, branch=args.branch).exists()
    except SchemaError:
        return False


def _judge_pair(old: Operand, new: Operand, args: Namespace) -> ComparedReport:
    if new.file is not None and base.is_new(new.file, new.label, args):
        fix = "Name one file of a new table."
        raise SchemaError(f"{old.label} and {new.label} are both about {old.name}.", code="cli.objects", path=new.label, fix=fix)
    if _is_same_file(old.label, new.label):
        message = "the file is named twice, and would be compared with itself."
        fix = "Name it once; or the OLD file, and then the NEW one."
        raise SchemaError(message, code="cli.objects", path=new.label, fix=fix)
    return steps.step(old, new, args)


def _is_same_file(first: str, second: str) -> bool:
    try:
        return Path(first).samefile(second)
    except (OSError, ValueError):  # standard input
        return False


def _refuse_several(files: Sequence[Operand]) -> ComparedReport:
    labels = ", ".join(file.label for file in files[:5])
    fix = "Name the OLD and the NEW file, or each table once to compare it with the store."
    raise SchemaError(f"{len(files)} files are about it: {labels}.", code="cli.objects", path=files[0].name, fix=fix)


def _judge_file(operand: Operand, operands: Sequence[Operand], args: Namespace) -> ComparedReport:
    if operand.file is None:
        raise AssertionError("only table files come here")
    return steps.table_file_step(operand, operand.file, args, {other.name for other in operands})


def _unmatched_new(operands: Sequence[Operand], args: Namespace) -> Verdicts:
    """Return faults for the names behind --new that no file is about."""
    files = [(operand.file, operand.label) for operand in operands if operand.file is not None]
    return Verdicts(faults=base.unmatched_new(files, args))


# ---------------------------------------------------------------- tables without a file


def _uncovered_tables(operands: Sequence[Operand], args: Namespace) -> Verdicts:
    """Name the tables of the same databases that no file of a folder is about: the file of such a table may have been deleted."""
    folders = [name for name in args.objects if local_io.is_folder(name)]
    if not folders or args.alone or base.all_are_new(args) or not open_store.is_named(args):
        return Verdicts()
    covered = {operand.name for operand in operands}
    databases = {name.partition(".")[0] for name in covered}
    where = f"nothing in {', '.join(folders)}"
    return Verdicts(unmatched=[f"{where} with {table_version(table, None, args)}" for table in _tables_beside(covered, databases, args)])


def _tables_beside(covered: Collection[str], databases: Collection[str], args: Namespace) -> Iterator[str]:
    """Yield the other tables of the databases; folders without a schema are no tables."""
    store = open_store.store(args)
    for database in sorted(databases):
        for name in store.tables(database):
            table = f"{database}.{name}"
            if store.table(table, branch=args.branch).exists() and table not in covered:
                yield table


# ---------------------------------------------------------------- other schemas


def _judge_schemas(operands: Sequence[Operand], args: Namespace) -> Verdicts:
    if args.alone:
        return collect((operand.label, partial(_judge_by_itself, operand, args)) for operand in operands)
    if all(operand.odf is not None for operand in operands):
        from airflow_provider_schemas.cli.judging import odf_chains

        return Verdicts(odf_chains.verdicts(operands, args))
    if len(operands) == 2:
        return Verdicts([steps.step(operands[0], operands[1], args)])
    if len(operands) == 1:
        return Verdicts([steps.alone(operands[0], args)])
    raise SchemaError("these are no pair.", code="cli.objects", fix="Name OLD and NEW, or table files alone.")


def _judge_by_itself(operand: Operand, args: Namespace) -> ComparedReport:
    if operand.table is not None:
        message = "--alone judges a file, and this is a table of the store."
        fix = f"Leave --alone out: check {operand.name}."
        raise SchemaError(message, code="cli.base", path=operand.name, fix=fix)
    if operand.file is not None:
        return steps.table_file_step(operand, operand.file, args)
    if operand.odf is not None:
        from airflow_provider_schemas.cli.judging import odf_chains

        return odf_chains.verdicts([operand], args)[-1]
    return steps.alone(operand, args)
