"""The exception tree: everything that bad input can raise.

    SchemaError
    ├── TypeTextError (ValueError)          a data type that cannot be read
    ├── SchemaFileError (ValueError)        a schema file or document that cannot be read
    ├── InvalidSchemaError (ValueError)     a schema that must not be created
    ├── ChangeError (ValueError)            a change that is refused
    │   └── ColumnNotFoundError (LookupError)
    ├── CastError (ValueError)              a value or type that has no counterpart
    ├── MergeError (ValueError)             an incoming schema that does not fit
    ├── ProjectionError (ValueError)        old data that cannot be read as the wanted schema
    ├── FormatError (ValueError)            a text of another schema language
    ├── PolicyError (ValueError)            a policy that cannot be read
    ├── ContractError (ValueError)          a contract that cannot be read
    ├── PlanError (ValueError)              a plan that cannot be made, read or applied
    ├── TableFileError (ValueError)         a table file that cannot be read or planned from
    ├── IncompatibleSchemaError (ValueError)   what would break data, jobs or writers, with the report about it
    ├── RefusedNameError (ValueError)       a name that must not become part of a path
    ├── NotThereError (LookupError)         a table, version, branch, contract or file that is not there
    ├── AlreadyThereError (ValueError)      a table, branch or name that is taken
    ├── ConflictError (RuntimeError)        somebody else was first, or the table is not what the caller expects
    ├── ReadOnlyError (PermissionError)     a store that must not be written to
    ├── StorageError (OSError)              a storage that cannot be reached, read or written
    │   ├── UnsafeStorageError (PermissionError)   a storage that cannot promise that nothing is lost
    │   └── OutcomeUnknownError (TimeoutError)   a change of which nobody can tell whether it was made
    └── SparkError (RuntimeError)           what Spark, a session or this machine cannot do, or data that it could not read

Every error carries the faults it was raised for, all of them, each with a stable code, the path it
concerns, a sentence, and what to do next. The first fault speaks for the error.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Self

_SHOWN = 20
# More than anyone reads: hostile input must not fill the memory with what is wrong with it.
MAX_FAULTS = 1_000
# Input may hold a key of megabytes, and an error stands in a log, in XCom and on a page.
MAX_PATH = 500
MAX_TEXT = 4_000
MAX_SENTENCE = 20_000
_CUT_NOTE = 40


class Fault(NamedTuple):
    """One thing that is wrong with an input."""

    code: str
    path: str
    message: str
    fix: str = ""
    column: int = 0
    """The column of the line with which the path begins, counted from 1; 0 where none is known."""

    def __str__(self) -> str:
        message = self.message
        if self.path and not message.startswith(f"{self.path} "):
            message = f"{self.path}: {message}"
        return " ".join(part for part in (message, self.fix) if part)

    def at(self, prefix: str) -> "Fault":
        """Return the same fault with a path that begins further out."""
        if not prefix:
            return self
        if not self.path or self.path.startswith(("[", ".")):
            return self._replace(path=f"{prefix}{self.path}")
        return self._replace(path=f"{prefix}.{self.path}")

    def limited(self) -> "Fault":
        """Return the fault with texts of at most the length that an error shows."""
        path = _limited(self.path, MAX_PATH)
        return Fault(self.code, path, _limited(self.message, MAX_TEXT), _limited(self.fix, MAX_TEXT), self.column)

    def texts(self) -> dict[str, str]:
        """Return the texts by their names, as JSON has them."""
        return {"code": self.code, "path": self.path, "message": self.message, "fix": self.fix}


def _limited(given: object, limit: int) -> str:
    """Cut a text to a limit, and note its length. A text that was cut stays as it is; any other value is shown as a text."""
    text = str(given)
    if len(text) <= limit:
        return text
    return f"{text[: limit - _CUT_NOTE]}... ({len(text):,} characters)"


class SchemaError(Exception):
    """The root of the tree. Catch this to catch everything that bad input can raise."""

    default_code = "schema.error"

    def __init__(self, message: str, *, code: str = "", path: str = "", fix: str = "", faults: Iterable[Fault] = ()) -> None:
        given = tuple(faults)
        stored = given or (Fault(code or self.default_code, path, message, fix),)
        self.faults: tuple[Fault, ...] = tuple(fault.limited() for fault in stored)
        super().__init__(_sentence(self.faults) if given else self.message)

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> Self:
        """Return an error that reports all of these faults at once."""
        return cls("", faults=tuple(faults))

    @property
    def code(self) -> str:
        return self.faults[0].code

    @property
    def path(self) -> str:
        return self.faults[0].path

    @property
    def message(self) -> str:
        return self.faults[0].message

    @property
    def fix(self) -> str:
        return self.faults[0].fix

    def __str__(self) -> str:
        return _sentence(self.faults)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _revive, (type(self), self.faults)


def _sentence(faults: tuple[Fault, ...]) -> str:
    if len(faults) == 1:
        return str(faults[0])
    lines = list(_lines(faults))
    hidden = len(faults) - len(lines)
    if hidden:
        lines.append(f"... and {hidden} more")
    return "\n".join([f"{len(faults)} faults:", *lines])


def _lines(faults: tuple[Fault, ...]) -> Iterator[str]:
    """Yield a line for each of the first faults, as many as fit into a sentence."""
    room = MAX_SENTENCE
    for fault in faults[:_SHOWN]:
        line = f"  {fault}"
        room -= len(line)
        if room < 0:
            return
        yield line


def _revive(kind: type[SchemaError], faults: tuple[Fault, ...]) -> SchemaError:
    return kind.of(faults)


def _revive_with_report(kind: "type[IncompatibleSchemaError]", faults: tuple[Fault, ...], report: Any) -> "IncompatibleSchemaError":
    error = kind.of(faults)
    error.report = report
    return error


class TypeTextError(SchemaError, ValueError):
    """A data type that cannot be read."""

    default_code = "type.syntax"


class SchemaFileError(SchemaError, ValueError):
    """A schema file or document that cannot be read."""

    default_code = "json.invalid"


class InvalidSchemaError(SchemaError, ValueError):
    """A schema that must not be created."""

    default_code = "schema.invalid"


class ChangeError(SchemaError, ValueError):
    """A schema change that is refused; nothing of its batch is applied."""

    default_code = "change.refused"


class ColumnNotFoundError(ChangeError, LookupError):
    """A change that names a column which is not there."""

    default_code = "column.not-exists"


class CastError(SchemaError, ValueError):
    """A value, or a type, that has no counterpart under the other type."""

    default_code = "cast.unsupported"


class MergeError(SchemaError, ValueError):
    """An incoming schema that cannot be merged."""

    default_code = "merge.incompatible"


class ProjectionError(SchemaError, ValueError):
    """Old data that cannot be read as the wanted schema."""

    default_code = "read.no-conversion-or-bad-value"


class FormatError(SchemaError, ValueError):
    """A text of another schema language that cannot be read or written."""

    default_code = "format.invalid"


class PolicyError(SchemaError, ValueError):
    """A policy, an exception to it, or evidence for it that cannot be read."""

    default_code = "policy.invalid"


class ContractError(SchemaError, ValueError):
    """A contract that cannot be read."""

    default_code = "contract.invalid"


class PlanError(SchemaError, ValueError):
    """A plan that cannot be made, read or applied."""

    default_code = "plan.invalid"


class TableFileError(SchemaError, ValueError):
    """A table file that cannot be read, or from which no plan can be made without a word from its author."""

    default_code = "table-file.invalid"


class IncompatibleSchemaError(SchemaError, ValueError):
    """A change, or a table, that breaks what a policy protects. Carries the report, if there is one."""

    default_code = "schema.incompatible"
    report: Any = None

    @classmethod
    def about(cls, report: Any, message: str, *, path: str = "", fix: str = "") -> Self:
        """Return an error of one sentence, with the whole report beside it."""
        error = cls(message, path=path, fix=fix)
        error.report = report
        return error

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _revive_with_report, (type(self), self.faults, self.report)


class RefusedNameError(SchemaError, ValueError):
    """A name of a database, table, branch, team or consumer that must not become part of a path."""

    default_code = "name.refused"


class NotThereError(SchemaError, LookupError):
    """A table, version, branch, contract or file that is not there."""

    default_code = "store.not-there"


class AlreadyThereError(SchemaError, ValueError):
    """A table, branch or name that is taken."""

    default_code = "store.already-there"


class ConflictError(SchemaError, RuntimeError):
    """Somebody else was first, or the table is not what the caller expects. Nothing was written."""

    default_code = "commit.conflict"


class ReadOnlyError(SchemaError, PermissionError):
    """A store, or a table, that must not be written to."""

    default_code = "store.read-only"


class StorageError(SchemaError, OSError):
    """A storage that cannot be reached, read or written."""

    default_code = "storage.failed"


class UnsafeStorageError(StorageError, PermissionError):
    """A storage that cannot promise that of two writers one loses."""

    default_code = "storage.unsafe"


class OutcomeUnknownError(StorageError, TimeoutError):
    """A change of which nobody can tell whether it was made: another try could make it twice."""

    default_code = "storage.unclear"


class SparkError(SchemaError, RuntimeError):
    """What Spark, a session or this machine cannot do, or data that it could not read."""

    default_code = "spark.failed"


def collect(faults: list[Fault], call: Callable[[], Any], prefix: str = "") -> Any:
    """Return the answer of the call; or None, with what it raised added to the faults."""
    try:
        return call()
    except SchemaError as error:
        faults.extend(fault.at(prefix) for fault in error.faults)
        return None
