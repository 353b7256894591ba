"""What `check` makes of the objects on its line: pairs, table files against their tables, or one schema by itself.

Objects that cannot be read do not keep the others from being judged, unless they are half of a pair.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.files import local_io, schema_folders
from airflow_provider_schemas.cli.judging import base, steps, uncovered_tables
from airflow_provider_schemas.cli.judging.verdicts import Judged, Verdicts, collect, placed
from airflow_provider_schemas.cli.operands import Thing, thing
from airflow_provider_schemas.errors import Fault, SchemaError

_Call = tuple[str, Callable[[], Judged]]


def verdicts(args: Namespace) -> Verdicts:
    """Judge all objects of the line."""
    args.objects = [*args.objects, *base.files_behind_new(args)]
    names, unread = schema_folders.table_files(args.objects)
    operands, faults = _read(names, args)
    whole = Verdicts(faults=[*unread, *faults])
    if operands and all(operand.file is not None for operand in operands):
        judged = whole.joined(_of_table_files(operands, args, is_pair=len(names) == 2 and bool(faults)))
        if not faults:  # of a file that is not read nobody knows the table
            judged = judged.joined(_unmatched_new(operands, args))
        return judged.joined(uncovered_tables.verdicts(operands, args))
    if args.new and not faults:
        fix = "Leave it out, or name table files alone."
        raise SchemaError("--new is about table files.", code="cli.base", path="--new", fix=fix)
    if faults or not operands:
        return whole
    return whole.joined(_of_schemas(operands, args))


def _unmatched_new(operands: Sequence[Thing], args: Namespace) -> Verdicts:
    """Name what stands behind --new, and no file is about."""
    files = [(operand.file, operand.label) for operand in operands if operand.file is not None]
    return Verdicts(faults=base.unmatched_new(files, args))


def _read(names: Sequence[str], args: Namespace) -> tuple[list[Thing], list[Fault]]:
    operands: list[Thing] = []
    faults: list[Fault] = []
    for name in names:
        try:
            operands.append(thing(name, args))
        except SchemaError as error:
            faults += placed(error, local_io.label(name))
    return operands, faults


# ---------------------------------------------------------------- table files


def _of_table_files(operands: Sequence[Thing], args: Namespace, *, is_pair: bool) -> Verdicts:
    """Judge table files: two of one table are the old and the new one, all others are compared with the store."""
    if is_pair and not (open_store.named(args) or args.alone or base.all_are_new(args)):
        return Verdicts()  # the other half of a pair cannot be read: what it was to be compared with is missing
    return collect(call for table in dict.fromkeys(operand.name for operand in operands) for call in _of_table(table, operands, args))


def _of_table(table: str, operands: Sequence[Thing], args: Namespace) -> Iterator[_Call]:
    files = [operand for operand in operands if operand.name == table]
    if len(files) == 2 and _names_a_pair(files, args):
        yield files[1].label, partial(_pair, files[0], files[1], args)
        if _is_stored(table, args):  # what is old on the line may not be what is there
            yield files[1].label, partial(_file, files[1], operands, args)
    elif len(files) > 1 and not args.alone:
        yield table, partial(_too_many, files)
    else:
        for operand in files:
            yield operand.label, partial(_file, operand, operands, args)


def _names_a_pair(files: Sequence[Thing], args: Namespace) -> bool:
    """Whether the line names OLD and NEW and nothing else, as files or as folders: of two files in one folder nobody says which is OLD."""
    if args.alone or len(args.objects) != 2:
        return False
    old, new = (_folder_on_the_line(file.label, args.objects) for file in files)
    return old is None or old != new


def _folder_on_the_line(label: str, names: Sequence[str]) -> str | None:
    """Return the folder by which the line names a file; None for a file that it names itself."""
    return next((name for name in names if Path(name).is_dir() and Path(label).is_relative_to(name)), None)


def _is_stored(table: str, args: Namespace) -> bool:
    """Whether the store that is named has the table. A store that does not answer is told where a file alone is compared with it."""
    if not open_store.named(args):
        return False
    try:
        return open_store.store(args).table(table, branch=args.branch).exists()
    except SchemaError:
        return False


def _pair(old: Thing, new: Thing, args: Namespace) -> Judged:
    if new.file is not None and base.is_new(new.file, new.label, args):
        fix = "Name one file of a new table."
        raise SchemaError(f"{old.label} and {new.label} are both about {old.name}.", code="cli.objects", path=new.label, fix=fix)
    if _is_same_file(old.label, new.label):
        message, fix = "the file is named twice, and would be compared with itself.", "Name it once; or the OLD file, and then the NEW one."
        raise SchemaError(message, code="cli.objects", path=new.label, fix=fix)
    return steps.step(old, new, args)


def _is_same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # standard input
        return False


def _too_many(files: Sequence[Thing]) -> Judged:
    labels = ", ".join(operand.label for operand in files[:5])
    fix = "Name the OLD and the NEW file, or each table once to compare it with the store."
    raise SchemaError(f"{len(files)} files are about it: {labels}.", code="cli.objects", path=files[0].name, fix=fix)


def _file(operand: Thing, operands: Sequence[Thing], args: Namespace) -> Judged:
    if operand.file is None:
        raise AssertionError("only table files come here")
    return steps.table_file_step(operand, operand.file, args, {other.name for other in operands})


# ---------------------------------------------------------------- other schemas


def _of_schemas(operands: Sequence[Thing], args: Namespace) -> Verdicts:
    if args.alone:
        return collect((operand.label, partial(_by_itself, operand, args)) for operand in operands)
    if all(operand.odf is not None for operand in operands):
        from airflow_provider_schemas.cli.judging.odf_chains import verdicts as of_chains

        return Verdicts(of_chains(operands, args))
    if len(operands) == 2:
        return Verdicts([steps.step(operands[0], operands[1], args)])
    if len(operands) == 1:
        return Verdicts([steps.alone(operands[0], args)])
    raise SchemaError("these are no pair.", code="cli.objects", fix="Name OLD and NEW, or table files alone.")


def _by_itself(operand: Thing, args: Namespace) -> Judged:
    if operand.table is not None:
        message, fix = "--alone judges a file, and this is a table of the store.", f"Leave --alone out: check {operand.name}."
        raise SchemaError(message, code="cli.base", path=operand.name, fix=fix)
    if operand.file is not None:
        return steps.table_file_step(operand, operand.file, args)
    if operand.odf is not None:
        from airflow_provider_schemas.cli.judging.odf_chains import verdicts as of_chains

        return of_chains([operand], args)[-1]
    return steps.alone(operand, args)
