"""Which policy a table has: its own, else that of its database, else that of the registry, else the default.

    option schemas.policy of the table       a block of JSON, or the name of a policy
    policies/{name}.yaml                     what a name stands for; where there is none, a preset of this name
    policies/databases/{db}.yaml             for the tables of a database
    policies/default.yaml                    for all others

A policy that is there and cannot be read is an error. The default takes no one's place.
"""

from collections.abc import Mapping
from datetime import datetime
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
from airflow_provider_schemas.store.layout.paths import POLICIES, Layout, joined
from airflow_provider_schemas.store.registry.json_records import LIMIT, at, first
from airflow_provider_schemas.store.registry.policy_strictness import weakened
from airflow_provider_schemas.store.storage.files import Files

DEFAULT = "default"
_END = ".yaml"
# Ends under which people put a policy where nobody reads it.
_OTHER_ENDS = (".yml", ".json", ".YAML", ".YML")

# Who reads the files of a table that is not Paimon's, where its policy says nothing of it.
READERS_OF: Mapping[str, tuple[str, ...]] = {
    "parquet": ("spark-4-parquet",),
    "orc": ("spark-4-orc",),
    "iceberg": ("iceberg-v2",),
    "delta": ("delta",),
    "paimon": ("paimon",),
}
_OF_FILES = READERS_OF["parquet"]
FORMATS = (*READERS_OF, "avro", "csv", "json", "text")


# ---------------------------------------------------------------- finding


def found(files: Files, name: TableName, schema: TableSchema, *, layout: Layout | None = None) -> Policy:
    """The policy of a table that has this schema."""
    return Policies(files, name).of(schema, layout)


def for_step(
    files: Files,
    name: TableName,
    old: TableSchema,
    new: TableSchema,
    *,
    layout: Layout | None = None,
    override: str = "",
    there: "Policies | None" = None,
) -> Policy:
    """The policy by which a step is judged: where it changes the policy itself, the stricter of both.

    An old one that nobody can read stops every step, unless an override says why it is to be put right. There
    is what lies in the registry, if it was looked up just now.
    """
    there = there or Policies(files, name)
    after = there.of(new, layout)
    if _option(old) == _option(new) and readers_of(old, layout) == readers_of(new, layout):
        return after
    try:
        before = there.of(old, layout)
    except SchemaError as error:
        if not override.strip():
            fix = f"{error.fix} To put it right by this very change, pass override with the reason."
            raise PolicyError.of([one._replace(fix=fix) for one in error.faults]) from None
        before = with_readers(there.of_database(), readers_of(old, layout)).model_copy(update={"override": override.strip()})
    return of_change(before, after)


def weaker_by(there: "Policies", old: TableSchema, new: TableSchema, layout: Layout | None, now: datetime | None) -> tuple[str, ...]:
    """In what a step that changes the table's own policy makes it weaker; empty where the old one cannot be read."""
    if _option(old) == _option(new):
        return ()
    try:
        return weakened(there.of(old, layout), there.of(new, layout), at(now))
    except SchemaError:
        return ()


def of_change(old: Policy, new: Policy) -> Policy:
    """What a change of policy is judged by: the stricter of both."""
    return old.stricter(new)


def listed(files: Files) -> tuple[str, ...]:
    """The paths of all policies in the registry."""
    return tuple(sorted(_paths(files)))


def policy_path(name: str = "", database: str = "") -> str:
    """Where a policy lies: that of a database, one with a name, or that of all other tables."""
    if name and database:
        raise PolicyError("a policy has a name or is that of a database.", code="policy.twice", fix="Pass one of them.")
    if database:
        return joined(POLICIES, "databases", f"{checked(database, 'database')}{_END}")
    return joined(POLICIES, f"{checked(name or DEFAULT, 'policy')}{_END}")


def _paths(files: Files) -> frozenset[str]:
    return frozenset(path for path, one in files.walk(POLICIES) if not one.name.startswith("."))


def _option(schema: TableSchema) -> str | None:
    return schema.options.get(POLICY_OPTION)


class Policies:
    """The policies of a registry as one table meets them: listed once, read when asked for."""

    def __init__(self, files: Files, name: TableName) -> None:
        self.files, self.name = files, name
        self._there: frozenset[str] | None = None

    def of(self, schema: TableSchema, layout: Layout | None) -> Policy:
        """The table's own; what it leaves to others."""
        text = (_option(schema) or "").strip()
        readers = readers_of(schema, layout)
        if text.startswith("{"):
            return with_readers(_inline(text, str(self.name)), readers)
        return with_readers(self.of_database() if text in ("", DEFAULT) else self.called(text), readers)

    def called(self, name: str) -> Policy:
        """The policy that a name stands for."""
        policy = self._read(policy_path(name), name) or preset(name)
        if policy is None:
            names = first(sorted(one.removeprefix(f"{POLICIES}/").removesuffix(_END) for one in self.there if one.endswith(_END)))
            message = (
                f"{self.name} wants the policy {shown(name)}, which is not there; {f'there are {names}' if names else 'there is none'}."
            )
            fix = f"Write it to {policy_path(name)} in {self.files.url}, or name another in the option {POLICY_OPTION}."
            raise PolicyError(message, code="policy.not-there", path=str(self.name), fix=fix)
        return policy

    def of_database(self) -> Policy:
        """What counts where a table says nothing."""
        of_database = self._read(policy_path(database=self.name.database), f"database {self.name.database}")
        return of_database or self._read(policy_path(), DEFAULT) or Policy(name=DEFAULT)

    @property
    def there(self) -> frozenset[str]:
        if self._there is None:
            self._there = _paths(self.files)
        return self._there

    def _read(self, path: str, name: str) -> Policy | None:
        if path not in self.there:
            self._refuse_other_ends(path)
            return None
        return _read(self.files, path, name)

    def _refuse_other_ends(self, path: str) -> None:
        for end in _OTHER_ENDS:
            other = path.removesuffix(_END) + end
            if other in self.there:
                message = f"nobody reads {other}, and somebody meant it to be read."
                raise PolicyError(message, code="policy.misplaced", path=other, fix=f"Call it {path}, or take it away.")


def _read(files: Files, path: str, name: str) -> Policy:
    policy = policy_file.read(files.read(path, LIMIT), path)
    return policy if policy.name else policy.model_copy(update={"name": name})


def _inline(text: str, table: str) -> Policy:
    """The policy in the option of a table."""
    value = read_json(text)
    try:
        if value.faults:
            raise PolicyError.of(value.faults)
        policy = Policy.read(value.value)
    except SchemaError as error:
        fix = f"Mend the option {POLICY_OPTION}."
        where = f"{table} {POLICY_OPTION}"
        raise PolicyError.of(
            one._replace(path=f"{where} {one.path}".rstrip(), fix=f"{one.fix} {fix}".strip()) for one in error.faults
        ) from None
    return policy if policy.name else policy.model_copy(update={"name": f"table {table}"})


# ---------------------------------------------------------------- readers


def readers_of(schema: TableSchema, layout: Layout | None) -> tuple[str, ...]:
    """Who reads the files of a table, as far as its format tells."""
    if layout is not Layout.REGISTRY:
        return READERS_OF["paimon"]
    return READERS_OF.get(str(_attributes(schema).get("format", "")).strip().lower(), _OF_FILES)


def _attributes(schema: TableSchema) -> Mapping[str, Any]:
    try:
        return schema.table_attributes
    except SchemaError:  # which validity tells
        return {}


def known_format(kind: object) -> str:
    """The format of data, if it is one that we have heard of."""
    name = kind.strip().lower() if isinstance(kind, str) else ""
    if name not in FORMATS:
        raise FormatError(
            f"{shown(str(kind))} is no format of data.", code="table.format", path="format", fix=did_you_mean(str(kind), FORMATS)
        )
    return name


def with_readers(policy: Policy, readers: tuple[str, ...]) -> Policy:
    """The policy with these readers wherever it names none."""
    also = tuple(with_readers(one, readers) for one in policy.also)
    update: dict[str, Any] = {"also": also} if also != policy.also else {}
    if "readers" not in policy.model_fields_set and policy.readers != readers:
        update["readers"] = readers
    return policy.model_copy(update=update) if update else policy


# ---------------------------------------------------------------- saving


def save(
    files: Files, policy: Policy | Mapping[str, Any], *, name: str = "", database: str = "", override: str = "", now: datetime | None = None
) -> Policy:
    """Put a policy into the registry; one that is weaker than what counts today needs a reason, which stays in it."""
    path, wanted, moment, reason = policy_path(name, database), Policy.read(policy), at(now), override.strip()
    try:
        old = _counting(files, path)
        weaker = () if old is None else weakened(old, wanted, moment)
    except PolicyError as error:
        if not reason:
            raise PolicyError.of(
                one._replace(fix=f"{one.fix} To write over it, pass override with the reason.") for one in error.faults
            ) from None
        old, weaker = None, ("nobody can read the old one",)
    if weaker and not reason:
        message = f"the policy is weaker than the one that counts today: {first(weaker)}."
        raise PolicyError(message, code="policy.weaker", path=path, fix="Make it as strict, or pass override with the reason.")
    kept = "" if old is None or weakened(wanted, old, moment) else old.override
    saved = wanted.model_copy(update={"override": reason if weaker else wanted.override or kept})
    files.put(path, policy_file.write(saved).encode())
    return saved


def _counting(files: Files, path: str) -> Policy | None:
    """What the policy at this path takes the place of; None for one with a name that is new, which nobody goes by yet."""
    there = _paths(files)
    root = policy_path()
    if path in there:
        return policy_file.read(files.read(path, LIMIT), path)
    if path != root and not path.startswith(f"{POLICIES}/databases/"):
        return None
    return policy_file.read(files.read(root, LIMIT), root) if root in there else Policy()
