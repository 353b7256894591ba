"""The files of two states: what each of them is, which table it is about, and which are as they were."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from airflow_provider_schemas.cli.files.file_kinds import FileKind, kind_of_text, table_in
from airflow_provider_schemas.cli.files.schema_files import read_content
from airflow_provider_schemas.cli.files.schema_folders import SUFFIXES
from airflow_provider_schemas.cli.git import blobs, listing
from airflow_provider_schemas.cli.git.comparison import GitComparison
from airflow_provider_schemas.cli.git.listing import EntryKind, Listing, TreeEntry
from airflow_provider_schemas.cli.git.repository import Repository, plain, short
from airflow_provider_schemas.cli.git.selection import GitSelection
from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError, SchemaError
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class StateFile(Struct, frozen=True, dict=True):
    """A file of one of the two states."""

    path: str
    data: bytes
    label: str
    """The path as messages have it."""
    at: str = ""
    """The commit whose file it is, in short; empty for the new state."""

    @cached_property
    def kind(self) -> FileKind:
        """What the file is."""
        return kind_of_text(self.data, self.path)

    @cached_property
    def operand(self) -> Operand:
        """The file, parsed; a fault of an earlier state names the file, and no line of the one that is there."""
        try:
            content = read_content(self.data, self.label)
        except SchemaError as error:
            raise self.refusal(error) from None
        return Operand(self.label, content.schema, content.version, None, content.file, content.ids, content.odf)

    @cached_property
    def contracts(self) -> "tuple[Contract, ...]":
        """The contracts of the file of a job."""
        # What reads contracts takes longer to load than a hundred table files to compare.
        from airflow_provider_schemas.formats import contract_file

        try:
            return contract_file.read(self.data, self.label)
        except SchemaError as error:
            raise self.refusal(error) from None

    @cached_property
    def table(self) -> str:
        """The table that a table file is about."""
        return table_in(self.data) or self.operand.name

    def refusal(self, error: SchemaError) -> SchemaError:
        """Return the error about the file; of an earlier state with a path that is no place in the file that is there."""
        if not self.at:
            return error
        return type(error).of(
            Fault(fault.code, self.label, f"its text at {self.at} cannot be read: {fault}", "Name another base, or correct the base first.")
            for fault in error.faults
        )


class TreeState(Struct, frozen=True, dict=True):
    """The files of one state that the line means, or that lie beside them, by their paths."""

    files: Mapping[str, StateFile]
    selection: GitSelection

    def of_kind(self, kind: FileKind) -> Iterator[StateFile]:
        """Yield the files of a kind that the line means."""
        for file in self.files.values():
            if self.selection.takes(file.path) and file.kind is kind:
                yield file


class Changes(Struct, frozen=True):
    """Two states, and what is the same in both."""

    comparison: GitComparison
    selection: GitSelection
    old: TreeState
    new: TreeState
    unchanged: frozenset[str]
    """The paths of files that are as they were."""
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()

    def is_unchanged(self, old: StateFile, new: StateFile) -> bool:
        """Return whether a file of one state has the text of one of the other."""
        return old.data == new.data or (old.path == new.path and new.path in self.unchanged)

    @property
    def has_contracts(self) -> bool:
        """Return whether a file of either state is that of a job."""
        return any(file.kind is FileKind.CONTRACT for state in (self.old, self.new) for file in state.files.values())

    @property
    def differs(self) -> bool:
        """Return whether any file that the line means is not as it was."""
        paths = {path for path in (*self.old.files, *self.new.files) if self.selection.takes(path)}
        return not paths <= self.unchanged or bool(self.faults)


# ---------------------------------------------------------------- reading both states


def read(comparison: GitComparison, selection: GitSelection) -> Changes:
    """Read the files of both states, as far as they matter for the line."""
    repository = comparison.repository
    old = listing.of_commit(repository, comparison.base, selection.paths)
    if comparison.head:
        new = listing.of_commit(repository, comparison.head, selection.paths)
    else:
        new = listing.of_work_tree(repository, selection.paths, selection.named_files)
    faults = [*_unreadable_entries(old, new, selection)]
    old_files = _meant_files(old, selection)
    new_files = _meant_files(new, selection)
    on_disk, unread = _texts_on_disk(repository, new_files)
    unchanged = frozenset(path for path, entry in new_files.items() if _is_same(old_files.get(path), entry, on_disk))
    texts = blobs.read(repository, _wanted_blobs(old_files, new_files, unchanged))
    new_texts = {**on_disk, **{path: texts[entry.id] for path, entry in new_files.items() if not entry.on_disk}}
    old_texts = {path: new_texts[path] if path in unchanged else texts[entry.id] for path, entry in old_files.items()}
    return Changes(
        comparison,
        selection,
        _state(repository, old_texts, selection, short(comparison.base)),
        _state(repository, new_texts, selection, ""),
        unchanged,
        (*faults, *unread, *_nothing_there(selection, old, new)),
        tuple(_notes_about_entries(old, new, selection)),
    )


def moved_away(changes: Changes) -> list[StateFile]:
    """Return the table files of the base that are gone and that the line does not mean: what is new on it may come from there."""
    comparison = changes.comparison
    repository = comparison.repository
    entries = listing.gone(repository, comparison.base, comparison.head, lambda path: _is_elsewhere(path, changes.selection))
    texts = blobs.read(repository, (entry.id for entry in entries.values()))
    at = short(comparison.base)
    files = [StateFile(path, texts[entry.id], repository.label(path), at) for path, entry in entries.items()]
    return readable((file for file in files if file.kind is FileKind.TABLE), lambda file: file.table)[0]


def _is_elsewhere(path: str, selection: GitSelection) -> bool:
    return path.lower().endswith(SUFFIXES) and not selection.takes(path)


def _meant_files(entries: Listing, selection: GitSelection) -> Mapping[str, TreeEntry]:
    """Return the regular files that the line means, and those beside single files, which may be of jobs."""
    meant = (entry for entry in entries.values() if entry.kind is EntryKind.FILE)
    return {entry.path: entry for entry in meant if selection.takes(entry.path) or selection.is_beside(entry.path)}


def _texts_on_disk(repository: Repository, files: Mapping[str, TreeEntry]) -> tuple[dict[str, bytes], list[Fault]]:
    """Return the texts of the files that are there, and faults of those that cannot be read."""
    texts: dict[str, bytes] = {}
    faults: list[Fault] = []
    for path, entry in files.items():
        if not entry.on_disk:
            continue
        try:
            texts[path] = listing.read_on_disk(repository, path)
        except SchemaError as error:
            faults += [fault._replace(path=repository.label(path)) for fault in error.faults]
            texts[path] = b""
    return texts, faults


def _is_same(old: TreeEntry | None, new: TreeEntry, on_disk: Mapping[str, bytes]) -> bool:
    if old is None:
        return False
    if new.on_disk:
        return listing.is_text_of(on_disk[new.path], old.id)
    return old.id == new.id


def _wanted_blobs(old: Mapping[str, TreeEntry], new: Mapping[str, TreeEntry], unchanged: frozenset[str]) -> Iterator[str]:
    yield from (entry.id for path, entry in old.items() if path not in unchanged)
    yield from (entry.id for entry in new.values() if not entry.on_disk)


def _state(repository: Repository, texts: Mapping[str, bytes], selection: GitSelection, at: str) -> TreeState:
    return TreeState({path: StateFile(path, texts[path], repository.label(path), at) for path in sorted(texts)}, selection)


# ---------------------------------------------------------------- what is no file


_OF_LINK = "Name the file that it leads to instead."
_OF_SUBMODULE = "Type a line for it inside of it, and name folders without it here."


def _unreadable_entries(old: Listing, new: Listing, selection: GitSelection) -> Iterator[Fault]:
    """Yield a fault for whatever the line means and is no regular file, so that its text was not looked at."""
    for path in sorted({*old, *new}):
        entries = [listed[path] for listed in (old, new) if path in listed]
        kinds = {entry.kind for entry in entries}
        if kinds & {EntryKind.LINK, EntryKind.OTHER} and selection.takes(path):
            message = f"this is a {EntryKind.LINK}, which is not followed." if EntryKind.LINK in kinds else "this is no regular file."
            yield Fault("cli.git-link", selection.repository.label(path), message, _OF_LINK)
        elif EntryKind.SUBMODULE in kinds and selection.holds(path) and len({entry.id for entry in entries}) + (len(entries) == 1) > 1:
            yield Fault(
                "cli.git-submodule", selection.repository.label(path), "this repository in the repository has changed.", _OF_SUBMODULE
            )


def _notes_about_entries(old: Listing, new: Listing, selection: GitSelection) -> Iterator[str]:
    """Yield a note about links and repositories in the repository that are as they were, or whose names are none of YAML."""
    both = {**old, **new}
    links = [selection.repository.label(path) for path, entry in both.items() if _is_other_link(entry, selection)]
    if links:
        yield f"symbolic links are not followed: {_first(links)}"
    inner = [
        selection.repository.label(path) for path, entry in both.items() if entry.kind is EntryKind.SUBMODULE and selection.holds(path)
    ]
    if inner:
        yield f"repositories in the repository were not looked at: {_first(inner)}"


def _is_other_link(entry: TreeEntry, selection: GitSelection) -> bool:
    return entry.kind is EntryKind.LINK and selection.holds(entry.path) and not selection.takes(entry.path)


def _first(names: Iterable[str]) -> str:
    return listed(sorted(names), 5)


def _nothing_there(selection: GitSelection, old: Listing, new: Listing) -> Iterator[Fault]:
    """Yield a fault for each argument of the line that no file of either state answers to."""
    paths = {*old, *new}
    for selected in selection.selected:
        if selected.path in paths or (selected.is_wide and any(map(selected.takes, paths))):
            continue
        message = "there is no such file, neither now nor at the base."
        if selected.is_wide:
            message = "no file with the ending .yaml or .yml is meant by it, neither now nor at the base."
        yield Fault("cli.no-file", plain(selected.name), message, "Check the path.")


# ---------------------------------------------------------------- files that lost what they were

_KNOWN = (FileKind.TABLE, FileKind.CONTRACT)
_UNKNOWN = (FileKind.OTHER, FileKind.STAND_IN)


def lost_files(changes: Changes) -> Iterator[Fault]:
    """Yield a fault for each table file or file of a job that nobody knows any more: a misspelled key hides everything in it."""
    for path, old in changes.old.files.items():
        new = changes.new.files.get(path)
        if new is not None and old.kind in _KNOWN and new.kind in _UNKNOWN and changes.selection.takes(path):
            message = f"at {old.at} it was a {old.kind}, and now it is a {new.kind}."
            yield Fault("cli.git-lost", new.label, message, "Correct its first keys, such as `table:` or `job:`; or delete the file.")


# The keys by which table files and files of jobs are known, and further ones of theirs.
_ROOT_KEYS = ("table", "columns", "job", "reads", "writes")
_OTHER_KEYS = ("owner", "contact", "team", "comment", "dropped", "primary_key", "partitioned_by", "options", "location", "format", "policy")
# So alike is a key that may be one of these, misspelled.
_ALIKE = 0.8


def unparsed_files(changes: Changes) -> Iterator[Fault]:
    """Yield the faults of new and changed files that are no YAML, or that have our keys misspelled: nobody knows what they are."""
    from airflow_provider_schemas.formats import yaml  # which few lines need here

    for path, file in changes.new.files.items():
        if file.kind is not FileKind.OTHER or path in changes.unchanged or not changes.selection.takes(path):
            continue
        try:
            keys = yaml.read(file.data).value
        except FormatError as error:
            fault = error.faults[0]
            if fault.code != "yaml.syntax":  # files of other programs have tags and several documents
                continue
            reason = fault.message
        else:
            reason = _misspelled(keys)
        if reason:
            message = f"nobody knows whether it is a table file: {reason}"
            yield Fault("cli.git-unreadable", file.label, message, "Correct it; or name the folders of table files, without it.")


def _misspelled(value: object) -> str:
    """Write which key at the top may be one of ours; empty where none is near."""
    from difflib import get_close_matches  # which only a file of another kind needs

    keys = [str(key) for key in value] if isinstance(value, Mapping) else []
    ours = [key for key in keys if get_close_matches(key, (*_ROOT_KEYS, *_OTHER_KEYS), 1, _ALIKE)]
    if 2 * len(ours) < len(keys):  # a file of another program may have one such key
        return ""
    for key in ours:
        near = get_close_matches(key, _ROOT_KEYS, 1, _ALIKE)
        if near and near[0] == key:
            return f"{key!r} does not stand at the beginning of a line."
        if near:
            return f"{shown(key)} is not a key of one. Did you mean {near[0]!r}?"
    return ""


# ---------------------------------------------------------------- reading what may be faulty


def readable(files: Iterable[StateFile], read_part: Callable[[StateFile], object]) -> tuple[list[StateFile], list[Fault]]:
    """Return the files of which a part can be read, and the faults of the others."""
    good: list[StateFile] = []
    faults: list[Fault] = []
    for file in files:
        try:
            read_part(file)
        except SchemaError as error:
            faults += error.faults
        else:
            good.append(file)
    return good, faults
