"""A check against git: the files that a line means, as they are and as they were at a base."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial

from airflow_provider_schemas.cli import git_option
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.file_kinds import FileKind
from airflow_provider_schemas.cli.git import comparison, selection
from airflow_provider_schemas.cli.git.comparison import GitComparison
from airflow_provider_schemas.cli.git.selection import GitSelection
from airflow_provider_schemas.cli.judging import pull_request_files, steps
from airflow_provider_schemas.cli.judging.pull_request_files import Changes, StateFile
from airflow_provider_schemas.cli.judging.pull_request_readers import TreeContracts
from airflow_provider_schemas.cli.judging.pull_request_tables import PairedTableFiles
from airflow_provider_schemas.cli.judging.verdicts import Call, ComparedReport, Verdicts, collect
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.render.wording import listed

_MAX_NAMES = 5


def verdicts(args: Namespace) -> Verdicts:
    """Judge what changed since the base, and note what did not."""
    _check_base(args)
    if not args.objects:
        raise SchemaError("there is nothing to check.", code="cli.objects", fix="Name the folder of table files: check FOLDER --git.")
    meant = selection.select(args.objects, args.left_out)
    wanted = args.git if isinstance(args.git, str) else ""
    compared = comparison.find(meant.repository, wanted, exact=args.git_exact, default=getattr(args, "base", "") or "")
    changes = _changes(compared, meant)
    objects = args.objects
    held = args.hold_base(args, changes.comparison.base)
    if args.objects != objects:
        changes = _changes(compared, selection.select(args.objects, args.left_out))
    if held:
        git_option.check_store(args)
    tree = TreeContracts.of(changes)
    tables = PairedTableFiles(changes, tree, args)
    judged = collect([*tables.calls(), *_other_calls(changes, args)])
    if changes.has_contracts:
        judged = judged.joined(_about_contracts(changes, tables, args))
    faults = [
        *changes.faults,
        *pull_request_files.lost_files(changes),
        *pull_request_files.unparsed_files(changes),
        *tree.faults,
        *tables.unread,
        *judged.faults,
    ]
    notes = [*changes.comparison.notes, *held, *changes.notes, *tables.notes(), *judged.notes, *_notes_about_others(changes)]
    opening = _opening(changes, judged._replace(faults=faults), notes)
    return judged._replace(faults=_each_once(faults), notes=opening, git=changes.comparison.to_json())


def _about_contracts(changes: Changes, tables: PairedTableFiles, args: Namespace) -> Verdicts:
    # What reads contracts takes longer to load than a hundred table files to compare.
    from airflow_provider_schemas.cli.judging.pull_request_contracts import ContractFiles

    contracts = ContractFiles(changes, tables, args)
    noted = Verdicts(faults=contracts.unread, notes=list(contracts.notes()))
    return noted.joined(collect(contracts.calls()))


def _changes(compared: GitComparison, meant: GitSelection) -> Changes:
    """Return the changes since the base; where the base is HEAD itself and nothing differs, those of the last commit."""
    changes = pull_request_files.read(compared, meant)
    if changes.differs or not (compared.fallback or compared.refusal):
        return changes
    return pull_request_files.read(compared.before(), meant)


def _opening(changes: Changes, judged: Verdicts, notes: Sequence[str]) -> list[str]:
    """Return the notes, with a first one where nothing was judged: such a run must not read as a success."""
    if judged.judged or judged.faults:
        return list(notes)
    return [f"no table file and no contract differs from {changes.comparison.base_words}: nothing was judged", *notes]


def _each_once(faults: Sequence[Fault]) -> list[Fault]:
    return list(dict.fromkeys(faults))


# ---------------------------------------------------------------- a base that is none


def _check_base(args: Namespace) -> None:
    """Refuse a base that is a folder or a file of the line: an option with a value that may be left out has taken it."""
    wanted = args.git
    if not isinstance(wanted, str) or not (local_io.exists(wanted) or selection.is_pattern(wanted)):
        return
    repository = selection.repository_of(wanted)
    if repository is not None and repository.commit(wanted) is not None:
        return
    words = " ".join([*args.objects, wanted])
    message = f"{wanted} is a path, and not a commit."
    raise SchemaError(message, code="cli.git-no-base", path="--git", fix=f"Write: check {words} --git. Or name the base: --git=BASE.")


# ---------------------------------------------------------------- files of other kinds


def _other_calls(changes: Changes, args: Namespace) -> Iterator[Call]:
    """Yield the steps of changed files that the line names itself and that hold a schema in another language."""
    named = set(changes.selection.named_files)
    for path in sorted(named - changes.unchanged):
        old = changes.old.files.get(path)
        new = changes.new.files.get(path)
        kinds = {file.kind for file in (old, new) if file is not None}
        if kinds and kinds <= {FileKind.OTHER, FileKind.STAND_IN}:
            yield (new or old or _nobody()).label, partial(_judge_other, changes, old, new, args)


def _nobody() -> StateFile:
    raise AssertionError("one of the states has the file")


def _judge_other(changes: Changes, old: StateFile | None, new: StateFile | None, args: Namespace) -> ComparedReport:
    """Judge the step of a schema file from the base; one that is new or gone has nothing to be compared with."""
    base = changes.comparison.base_words
    if old is None or new is None:
        file = new or old or _nobody()
        when = "now" if new is None else f"at {base}"
        message = f"there is no such file {when}, and only the name of a table says what a schema file of another kind is about."
        raise SchemaError(message, code="cli.no-base", path=file.label, fix="Name OLD and NEW, or describe the table in a table file.")
    report = steps.step(old.operand, new.operand, args).report
    return ComparedReport(f"{new.label} with its text at {base}", steps.with_file(report, new.label))


def _notes_about_others(changes: Changes) -> Iterator[str]:
    """Yield which policies changed, and which files were left out."""
    paths = sorted({*changes.old.files, *changes.new.files} - changes.unchanged)
    changed = [file for path in paths for file in _states_of(changes, path) if changes.selection.takes(path)]
    policies = dict.fromkeys(file.label for file in changed if file.kind is FileKind.POLICY)
    if policies:
        yield f"policies changed: {listed(policies, _MAX_NAMES)}. Files of policies are judged by only where --policy names them"
    named = set(changes.selection.named_files)
    others = [file for file in changes.new.files.values() if _is_left_out(file) and changes.selection.takes(file.path)]
    left_out = [file.label for file in others if file.path not in named]
    if left_out:
        yield f"left out, as neither table files nor files of jobs: {listed(left_out, _MAX_NAMES)}"


def _states_of(changes: Changes, path: str) -> Iterator[StateFile]:
    yield from (state.files[path] for state in (changes.old, changes.new) if path in state.files)


def _is_left_out(file: StateFile) -> bool:
    return file.kind in (FileKind.OTHER, FileKind.STAND_IN)
