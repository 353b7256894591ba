"""Which policy a table has: its own, else that of its database, else that of the registry, else the default.

    option schemas.policy of the table       a block of JSON, or the name of a policy
    policies/{name}.yaml                     the policy of a name; where there is none, a preset of this name
    policies/databases/{db}.yaml             for the tables of a database
    policies/default.yaml                    for all others

A policy that is there and cannot be read is an error. The default takes no one's place.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Policy, preset
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError, PolicyError, SchemaError
from airflow_provider_schemas.formats import policy_file
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.store.layout.identifiers import TableName, checked
from airflow_provider_schemas.store.layout.paths import KEPT_ELSEWHERE, POLICIES, Layout, joined
from airflow_provider_schemas.store.registry.json_records import LIMIT, at, first
from airflow_provider_schemas.store.registry.policy_strictness import weakened
from airflow_provider_schemas.store.storage.files import Files

DEFAULT = "default"
_END = ".yaml"
# Ends under which people put a policy, and from which it is not read.
_OTHER_ENDS = (".yml", ".json", ".YAML", ".YML")

# The readers of the files of a table that is not Paimon's, where its policy names none.
READERS_OF: Mapping[str, tuple[str, ...]] = {
    "parquet": ("spark-4-parquet",),
    "orc": ("spark-4-orc",),
    "iceberg": ("spark-iceberg",),
    "delta": ("delta",),
    "paimon": ("paimon",),
}
# The readers of tables that others keep, where these tell the fields apart and a description cannot.
_READERS_OF_MOUNTED: Mapping[str, tuple[str, ...]] = {"delta": ("spark-delta",)}
_OF_FILES = READERS_OF["parquet"]
FORMATS = (*READERS_OF, "avro", "csv", "json", "text")


# ---------------------------------------------------------------- finding


def found(files: Files, name: TableName, schema: TableSchema, *, layout: Layout | None = None) -> Policy:
    """Return the policy of a table that has this schema."""
    return Policies(files, name).of(schema, layout)


def for_step(known: "Policies", old: TableSchema, new: TableSchema, *, layout: Layout | None = None, override: str = "") -> Policy:
    """Return the policy by which a step is judged: where it changes the policy itself, the stricter of both.

    An old policy that cannot be read stops every step, unless an override says why it is to be put right.
    """
    after = known.of(new, layout)
    if old.options.get(POLICY_OPTION) == new.options.get(POLICY_OPTION) and readers_of(old, layout) == readers_of(new, layout):
        return after
    try:
        before = known.of(old, layout)
    except SchemaError as error:
        if not override.strip():
            fix = f"{error.fix} To put it right by this very change, pass override with the reason."
            raise PolicyError.of([fault._replace(fix=fix) for fault in error.faults]) from None
        before = with_readers(known.of_database(), readers_of(old, layout)).model_copy(update={"override": override.strip()})
    return before.stricter(after)


def weaker_by(known: "Policies", old: TableSchema, new: TableSchema, layout: Layout | None, now: datetime | None) -> tuple[str, ...]:
    """Return in what a step that changes the table's own policy makes it weaker; empty where the old one cannot be read."""
    if old.options.get(POLICY_OPTION) == new.options.get(POLICY_OPTION):
        return ()
    try:
        return weakened(known.of(old, layout), known.of(new, layout), at(now))
    except SchemaError:
        return ()


def listed(files: Files) -> tuple[str, ...]:
    """Return the paths of all policies in the registry."""
    return tuple(sorted(_paths(files)))


def policy_path(name: str = "", database: str = "") -> str:
    """Return where a policy lies: that of a database, one with a name, or that of all other tables."""
    if name and database:
        raise PolicyError("a policy has a name or is that of a database.", code="policy.twice", fix="Pass one of them.")
    if database:
        return joined(POLICIES, "databases", f"{checked(database, 'database')}{_END}")
    return joined(POLICIES, f"{checked(name or DEFAULT, 'policy')}{_END}")


def _paths(files: Files) -> frozenset[str]:
    return frozenset(path for path, entry in files.walk(POLICIES) if not entry.name.startswith("."))


class Policies:
    """The policies of a registry for one table: listed once, read when asked for."""

    def __init__(self, files: Files, name: TableName) -> None:
        self.files = files
        self.name = name
        self.found_at = ""
        """Where the last policy that was asked for was found."""

    def of(self, schema: TableSchema, layout: Layout | None) -> Policy:
        """Return the policy of the table with this schema, and the readers of its files."""
        text = (schema.options.get(POLICY_OPTION) or "").strip()
        if text.startswith("{"):
            self.found_at = f"option {POLICY_OPTION} of the table"
            policy = _read_option(text, str(self.name))
        elif text in ("", DEFAULT):
            policy = self.of_database()
        else:
            policy = self.called(text)
        return with_readers(policy, readers_of(schema, layout))

    def called(self, name: str) -> Policy:
        """Return the policy of a name."""
        self.found_at = "a preset"
        policy = self._read(policy_path(name), name) or preset(name)
        if policy is None:
            names = first(sorted(path.removeprefix(f"{POLICIES}/").removesuffix(_END) for path in self.there if path.endswith(_END)))
            others = "there is none"
            if names:
                others = f"there are {names}"
            message = f"{self.name} wants the policy {shown(name)}, which is not there; {others}."
            fix = f"Write it to {policy_path(name)} in {self.files.url}, or name another in the option {POLICY_OPTION}."
            raise PolicyError(message, code="policy.not-there", path=str(self.name), fix=fix)
        return policy

    def of_database(self) -> Policy:
        """Return the policy for a table that names none: that of its database, or of the registry, or the default."""
        self.found_at = "the default, as no policy is written"
        of_database = self._read(policy_path(database=self.name.database), f"database {self.name.database}")
        return of_database or self._read(policy_path(), DEFAULT) or Policy(name=DEFAULT)

    @cached_property
    def there(self) -> frozenset[str]:
        """The paths of all policies."""
        return _paths(self.files)

    def _read(self, path: str, name: str) -> Policy | None:
        """Return the policy at a path, if there is one; PolicyError if one lies there under another end, from which it is not read."""
        if path in self.there:
            policy = policy_file.read(self.files.read(path, LIMIT), path)
            self.found_at = path
            return _named(policy, name)
        for end in _OTHER_ENDS:
            other = path.removesuffix(_END) + end
            if other in self.there:
                message = f"nobody reads {other}, and somebody meant it to be read."
                raise PolicyError(message, code="policy.misplaced", path=other, fix=f"Call it {path}, or take it away.")
        return None


def _read_option(text: str, table: str) -> Policy:
    """Return the policy in the option of a table."""
    value = read_json(text)
    try:
        if value.faults:
            raise PolicyError.of(value.faults)
        policy = Policy.read(value.value)
    except SchemaError as error:
        fix = f"Mend the option {POLICY_OPTION}."
        where = f"{table} {POLICY_OPTION}"
        faults = [fault._replace(path=f"{where} {fault.path}".rstrip(), fix=f"{fault.fix} {fix}".strip()) for fault in error.faults]
        raise PolicyError.of(faults) from None
    return _named(policy, f"table {table}")


def _named(policy: Policy, name: str) -> Policy:
    """Return the policy with a name; its own, if it has one."""
    return policy if policy.name else policy.model_copy(update={"name": name})


# ---------------------------------------------------------------- readers


def readers_of(schema: TableSchema, layout: Layout | None) -> tuple[str, ...]:
    """Return who reads the files of a table, as far as its format shows it."""
    if layout not in KEPT_ELSEWHERE:
        return READERS_OF["paimon"]
    kept_as = str(_attributes(schema).get("format", "")).strip().lower()
    if layout is Layout.MOUNTED and kept_as in _READERS_OF_MOUNTED:
        return _READERS_OF_MOUNTED[kept_as]
    return READERS_OF.get(kept_as, _OF_FILES)


def _attributes(schema: TableSchema) -> Mapping[str, Any]:
    try:
        return schema.table_attributes
    except SchemaError:  # which validity tells
        return {}


def known_format(kind: object) -> str:
    """Return the name of a format of data; FormatError if it is not known."""
    name = kind.strip().lower() if isinstance(kind, str) else ""
    if name not in FORMATS:
        message = f"{shown(str(kind))} is no format of data."
        raise FormatError(message, code="table.format", path="format", fix=did_you_mean(str(kind), FORMATS))
    return name


def with_readers(policy: Policy, readers: tuple[str, ...]) -> Policy:
    """Return the policy with these readers wherever it names none."""
    also = tuple(with_readers(joined, readers) for joined in policy.also)
    update: dict[str, Any] = {}
    if also != policy.also:
        update["also"] = also
    if "readers" not in policy.model_fields_set and policy.readers != readers:
        update["readers"] = readers
    return policy.model_copy(update=update) if update else policy


# ---------------------------------------------------------------- saving


def save(
    files: Files, policy: Policy | Mapping[str, Any], *, name: str = "", database: str = "", override: str = "", now: datetime | None = None
) -> Policy:
    """Put a policy into the registry; one that is weaker than what counts today needs a reason, which stays in it."""
    path = policy_path(name, database)
    wanted = Policy.read(policy)
    moment = at(now)
    reason = override.strip()
    old: Policy | None = None
    weaker: tuple[str, ...] = ()
    try:
        old = _policy_to_replace(files, path)
        if old is not None:
            weaker = weakened(old, wanted, moment)
    except PolicyError as error:
        if not reason:
            more = "To write over it, pass override with the reason."
            raise PolicyError.of(fault._replace(fix=f"{fault.fix} {more}") for fault in error.faults) from None
        weaker = ("nobody can read the old one",)
    if weaker and not reason:
        message = f"the policy is weaker than the one that counts today: {first(weaker)}."
        raise PolicyError(message, code="policy.weaker", path=path, fix="Make it as strict, or pass override with the reason.")
    kept_reason = wanted.override
    if old is not None and not kept_reason and not weakened(wanted, old, moment):
        kept_reason = old.override
    saved = wanted.model_copy(update={"override": reason if weaker else kept_reason})
    files.put(path, policy_file.write(saved).encode())
    return saved


def _policy_to_replace(files: Files, path: str) -> Policy | None:
    """Return the policy that counts today where the one at this path will; None for a new one with a name, which no table uses yet."""
    paths = _paths(files)
    root = policy_path()
    if path not in paths:
        if path != root and not path.startswith(f"{POLICIES}/databases/"):
            return None
        path = root
    if path not in paths:
        return Policy()
    return policy_file.read(files.read(path, LIMIT), path)
