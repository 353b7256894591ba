"""What is protected, how strictly, against which versions, for which engines.

A check answers three questions about every change, and a policy says for each whether a bad answer blocks. Rules can
be overridden one by one, findings excepted until a date, and a policy can begin to block on a date. Two
policies are joined by judging under both: the stricter verdict counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, field_serializer, field_validator, model_validator
from pydantic import Field as PydanticField

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.deadlines import begins, ended
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, named
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.common.user_document import Moment, Part, UserDocument
from airflow_provider_schemas.core.engines.readers import Reader, parse_reader
from airflow_provider_schemas.core.policies.levels import Against, Level
from airflow_provider_schemas.core.policies.rule_names import checked_rule
from airflow_provider_schemas.core.rules import CATALOGUE, Judges
from airflow_provider_schemas.errors import Fault, PolicyError, collect

__all__ = [
    "MODES",
    "PRESETS",
    "WORDS",
    "Against",
    "Level",
    "Policy",
    "Protect",
    "Waiver",
    "checked_rule",
    "policy_of",
    "preset",
]


class Protect(Part):
    """The three questions: is old data readable, do old readers keep working, can old writers write?"""

    data: Level = Level.BLOCK
    jobs: Level = Level.CONTRACTS
    writers: Level = Level.WARN

    @property
    def word(self) -> str:
        """Return the word that other registries have for it, where there is one."""
        return next((word for word, levels in MODES.items() if levels == (self.data, self.jobs)), "")


# What the words of other registries say of data and of jobs.
MODES: dict[str, tuple[Level, Level]] = {
    "BACKWARD": (Level.BLOCK, Level.WARN),
    "FORWARD": (Level.WARN, Level.BLOCK),
    "FULL": (Level.BLOCK, Level.BLOCK),
    "NONE": (Level.OFF, Level.OFF),
}
_TRANSITIVE = "_TRANSITIVE"

# What Open Data Fabric lets a dataset do to its schema: optional fields and words for people. Options about speed and
# size are not its business, and NO_CHANGE changes nothing.
_ADDITIVE = frozenset({"FIELD_ADDED_NULLABLE", "FIELD_DOC_CHANGED", "TYPE_SPELLING_CHANGED", "OPTION_TUNING", "NO_CHANGE"})
_JUDGES_OF_STEPS = (Judges.TWO, Judges.HISTORY)
_NOT_ADDITIVE = [rule.id for rule in CATALOGUE if rule.judges in _JUDGES_OF_STEPS and rule.id not in _ADDITIVE]

# Policies that have a name of their own everywhere, as what they say of single rules.
PRESETS: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "odf-additive": MappingProxyType(dict.fromkeys(_NOT_ADDITIVE, "block")),
})  # fmt: skip


RuleId = Annotated[str, AfterValidator(checked_rule)]


class Waiver(Part):
    """A finding that is accepted on purpose, for a reason and until a day."""

    rule: RuleId
    path: str = "*"
    until: Moment
    reason: str = PydanticField(min_length=1)
    by: str = ""
    consumer: str = ""
    """The one job that it is accepted for; for everybody if empty."""

    def ended(self, now: datetime) -> bool:
        """Return whether the exception no longer counts."""
        return ended(self.until, now)

    def __str__(self) -> str:
        job = self.consumer and f" for {self.consumer}"
        by = self.by and f", {self.by}"
        return f"until {self.until}{job}: {self.reason}{by}"


def _around(path: str) -> Iterator[str]:
    """Yield the path, and those of everything that it is inside."""
    yield path
    yield from (path[:place] for place, mark in enumerate(path) if mark in ".[{")


def _refuse_mode(word: object) -> None:
    """Raise what is wrong with a mode that could not be turned into protect and against."""
    if word is not None:
        _meaning_of(word)
        raise PolicyError("mode and protect say the same.", code="policy.twice", fix="Keep one of them.")


class Policy(ShortRepr, UserDocument):
    """How strictly a table is protected."""

    refusal: ClassVar = PolicyError
    noun: ClassVar = "policy"

    name: str = ""
    protect: Protect = Protect()
    against: Against = Against.LIVE
    readers: tuple[str, ...] = ("paimon",)
    rules: Mapping[RuleId, Literal["ok", "warn", "block"]] = {}
    exceptions: tuple[Waiver, ...] = ()
    enforce_from: Moment | None = None
    registry_complete: bool = False
    """Whether every job that reads the table has registered a contract."""
    descriptions: Literal["warn", "block"] = "warn"
    """What it means that a table was judged by its description alone, though its data keeps a schema of its own."""
    override: str = ""
    """Why this policy is weaker than the table's own; kept with everything that was judged under it."""
    also: tuple["Policy", ...] = ()
    """Policies that are judged by as well; the stricter verdict counts."""
    mode: Annotated[None, BeforeValidator(_refuse_mode)] = PydanticField(default=None, exclude=True, repr=False)
    """One word for protect and against, which it turns into: BACKWARD, FORWARD, FULL, each also with _TRANSITIVE, or NONE.

    Or the name of a preset, which turns into rules; the policy's own rules are added to these.
    """

    def _short_text(self) -> str:
        protect = self.protect
        levels = f"data {protect.data.value}, jobs {protect.jobs.value}, writers {protect.writers.value}"
        exceptions = self.exceptions and counted(len(self.exceptions), "exception")
        rules = self.rules and counted(len(self.rules), "rule")
        also = self.also and f"and {counted(len(self.also), 'other')}"
        since = self.enforce_from and f"from {self.enforce_from}"
        override = self.override and f"overrides for {named(self.override)}"
        parts = (levels, f"against {self.against.value}", rules or "", exceptions or "", also or "", since or "", override)
        return f"{named(self.name)}: {joined(*parts)}".removeprefix(": ")

    @model_validator(mode="before")
    @classmethod
    def _with_mode(cls, values: object) -> object:
        """Replace a mode by the protect and against that it means; an unknown word stays, and is refused later."""
        if not isinstance(values, Mapping):
            return values
        words = [key for key in ("mode", "protect") if isinstance(values.get(key), str)]
        if not words or {"mode", "protect"} <= values.keys():
            return values
        key = words[0]
        meant = collect([], lambda: _meaning_of(values[key]))
        if not meant:
            return values
        if "against" in values and str(values[key]).upper().endswith(_TRANSITIVE):
            raise PolicyError(
                f"{shown(values[key])} says which versions count.", code="policy.twice", path="against", fix="Keep one of them."
            )
        given = {name: value for name, value in values.items() if name != key}
        if "rules" in meant and isinstance(given.get("rules"), Mapping):
            given["rules"] = {**meant["rules"], **given["rules"]}
        return {**meant, **given}

    @field_validator("protect", mode="before")
    @classmethod
    def _listed_questions(cls, value: object) -> object:
        """Read `[data, jobs]` as a policy that blocks on these and warns about the rest; refuse a word that is no mode."""
        if isinstance(value, str):
            _refuse_mode(value)
        if not isinstance(value, list | tuple):
            return value
        wrong = [place for place, question in enumerate(value) if not isinstance(question, str)]
        if wrong:
            raise PolicyError.of(
                [Fault("policy.bad-value", f"[{place}]", "this is no question.", "Write data, jobs or writers.") for place in wrong]
            )
        return dict.fromkeys(Protect.model_fields, "warn") | dict.fromkeys(value, "block")

    @field_validator("readers", mode="before")
    @classmethod
    def _listed_readers(cls, value: object) -> object:
        if isinstance(value, str):
            return [value]
        if not isinstance(value, Iterable):
            return value
        return [str(reader) if isinstance(reader, Reader) else reader for reader in value]

    @field_validator("readers")
    @classmethod
    def _known_readers(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        faults: list[Fault] = []
        readers = [collect(faults, partial(parse_reader, name), f"[{place}]") for place, name in enumerate(names)]
        if faults:
            raise PolicyError.of(faults)
        return tuple(dict.fromkeys(map(str, readers))) or ("paimon",)

    @field_serializer("rules")
    def _plain(self, rules: Mapping[str, str]) -> dict[str, str]:
        return dict(rules)

    # ------------------------------------------------------------ asking

    @property
    def profiles(self) -> tuple[Reader, ...]:
        """Return the engines, as values."""
        return tuple(map(parse_reader, self.readers))

    def enforced(self, now: datetime) -> bool:
        """Return whether it blocks already."""
        return self.enforce_from is None or begins(self.enforce_from) <= now

    @cached_property
    def _accepted(self) -> dict[tuple[str, str], list[Waiver]]:
        accepted: dict[tuple[str, str], list[Waiver]] = {}
        for waiver in self.exceptions:
            accepted.setdefault((waiver.rule, waiver.path), []).append(waiver)
        return accepted

    def waivers(self, rule: str, paths: Iterable[str]) -> list[Waiver]:
        """Return the exceptions for a finding of this rule at these paths, or around them; those that have ended among them."""
        if not self.exceptions:
            return []
        around = dict.fromkeys(["*", *chain.from_iterable(map(_around, paths))])
        return list(chain.from_iterable(self._accepted.get((rule, path), ()) for path in around))

    # ------------------------------------------------------------ joining

    def joined(self) -> Iterator["Policy"]:
        """Yield this policy, and all that it is joined with, however deep."""
        yield self
        for other in self.also:
            yield from other.joined()

    def stricter(self, other: "Policy") -> Self:
        """Return both, joined: a finding gets the stricter verdict of the two."""
        if other == self:
            return self
        return self.model_copy(update={"also": (*self.also, other)})

    def excused(self, waivers: Iterable[Waiver]) -> Self:
        """Return this policy, and every one joined with it, with these exceptions besides its own."""
        added = tuple(waivers)
        if not added:
            return self
        also = tuple(other.excused(added) for other in self.also)
        return self.model_copy(update={"exceptions": (*self.exceptions, *added), "also": also})

    def with_exceptions(self, known: Callable[[Waiver], Waiver | None]) -> Self:
        """Return this policy, and every one joined with it, with each exception as it is known; None takes it away."""
        exceptions = tuple(waiver for waiver in map(known, self.exceptions) if waiver is not None)
        also = tuple(other.with_exceptions(known) for other in self.also)
        return self.model_copy(update={"exceptions": exceptions, "also": also})

    def for_caller(self, wanted: "Policy | Mapping[str, Any] | None", *, override: str = "") -> "Policy":
        """Return the policy for a caller that wants another one than this, the table's own.

        None is the table's. A caller can only be stricter, unless it says why it has to be weaker.
        """
        if wanted is None or wanted == self:
            return self
        other = Policy.read(wanted)
        if override.strip():
            return other.model_copy(update={"override": override})
        return self.stricter(other)


def policy_of(value: Policy | Mapping[str, Any] | None) -> Policy:
    """Return the policy, or that of a mapping; None is the default policy, and never no policy."""
    if value is None:
        return Policy()
    return Policy.read(value)


def preset(name: str) -> Policy | None:
    """Return the policy that has this name everywhere, if there is one."""
    if name not in PRESETS:
        return None
    return Policy.read({"mode": name, "name": name})


# Every word that a mode may be.
WORDS = (*MODES, *(f"{mode}{_TRANSITIVE}" for mode in MODES if mode != "NONE"), *PRESETS)


def _meaning_of(word: object) -> dict[str, Any]:
    """Return what a mode or the name of a preset says, as members of a policy."""
    if str(word).lower() in PRESETS:
        return {"rules": dict(PRESETS[str(word).lower()])}
    base, transitive, rest = str(word).upper().partition(_TRANSITIVE)
    if base not in MODES or rest:
        raise PolicyError(f"{shown(word)} is no mode.", code="policy.unknown-mode", fix=did_you_mean(str(word).upper(), WORDS))
    data, jobs = MODES[base]
    against = Against.ALL if transitive else Against.PREVIOUS
    return {"protect": {"data": data, "jobs": jobs, "writers": Level.OFF if base == "NONE" else Level.WARN}, "against": against}
