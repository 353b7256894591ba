"""What is protected, how strictly, against which versions, for which engines.

Three questions are asked of every change, and a policy says of each whether a bad answer blocks. Rules can
be overridden one by one, findings excepted until a date, and a policy can begin to block on a date. Two
policies are joined by judging under both: the stricter verdict counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, field_serializer, field_validator, model_validator
from pydantic import Field as PydanticField

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.deadlines import begins, ended
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.common.user_document import Moment, Part, UserDocument
from airflow_provider_schemas.core.engines.readers import Reader, parse_reader
from airflow_provider_schemas.core.policies.levels import Against, Level
from airflow_provider_schemas.core.policies.presets import PRESETS
from airflow_provider_schemas.core.policies.rule_names import checked_rule
from airflow_provider_schemas.errors import Fault, PolicyError, collect

__all__ = ["MODES", "WORDS", "Against", "Level", "Policy", "Protect", "Waiver", "checked_rule", "policy_of", "preset"]


class Protect(Part):
    """The three questions: is old data readable, do old readers keep working, can old writers write?"""

    data: Level = Level.BLOCK
    jobs: Level = Level.CONTRACTS
    writers: Level = Level.WARN

    @property
    def word(self) -> str:
        """The word that other registries have for it, where there is one."""
        return next((word for word, levels in MODES.items() if levels == (self.data, self.jobs)), "")


# What the words of other registries say of data and of jobs.
MODES: dict[str, tuple[Level, Level]] = {
    "BACKWARD": (Level.BLOCK, Level.WARN),
    "FORWARD": (Level.WARN, Level.BLOCK),
    "FULL": (Level.BLOCK, Level.BLOCK),
    "NONE": (Level.OFF, Level.OFF),
}
_TRANSITIVE = "_TRANSITIVE"


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
        return ended(self.until, now)

    def __str__(self) -> str:
        by = f", {self.by}" if self.by else ""
        job = f" for {self.consumer}" if self.consumer else ""
        return f"until {self.until}{job}: {self.reason}{by}"


def _around(path: str) -> Iterator[str]:
    """The path, and those of everything that it is inside."""
    yield path
    yield from (path[:place] for place, mark in enumerate(path) if mark in ".[{")


def _left_over(word: object) -> None:
    """What is wrong with a mode that could not be turned into protect and against."""
    if word is not None:
        _of_mode(word)
        raise PolicyError("mode and protect say the same.", code="policy.twice", fix="Keep one of them.")


class Policy(UserDocument):
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
    mode: Annotated[None, BeforeValidator(_left_over)] = PydanticField(default=None, exclude=True, repr=False)
    """One word for protect and against, which it turns into: BACKWARD, FORWARD, FULL, each also with _TRANSITIVE, or NONE.

    Or the name of a preset, which turns into rules; the policy's own rules are added to these.
    """

    @model_validator(mode="before")
    @classmethod
    def _with_mode(cls, values: Any) -> Any:
        """What a word of other registries says, in protect and against; a word that nobody knows stays, and is told of."""
        if not isinstance(values, Mapping):
            return values
        words = [key for key in ("mode", "protect") if isinstance(values.get(key), str)]
        key = words[0] if words and not {"mode", "protect"} <= values.keys() else None
        meant = collect([], lambda: _of_mode(values[key])) if key else None
        if not meant:
            return values
        if "against" in values and str(values[key]).upper().endswith(_TRANSITIVE):
            raise PolicyError(
                f"{shown(values[key])} says which versions count.", code="policy.twice", path="against", fix="Keep one of them."
            )
        given = {name: value for name, value in values.items() if name != key}
        if "rules" in meant and isinstance(given.get("rules"), Mapping):
            given["rules"] = {**meant["rules"], **given["rules"]}
        return meant | given

    @field_validator("protect", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        """`[data, jobs]` blocks on these and warns about the rest; a word that is left here is one that nobody knows."""
        if isinstance(value, str):
            _left_over(value)
        if not isinstance(value, list | tuple):
            return value
        wrong = [place for place, one in enumerate(value) if not isinstance(one, str)]
        if wrong:
            raise PolicyError.of(
                [Fault("policy.bad-value", f"[{place}]", "this is no question.", "Write data, jobs or writers.") for place in wrong]
            )
        return dict.fromkeys(Protect.model_fields, "warn") | dict.fromkeys(value, "block")

    @field_validator("readers", mode="before")
    @classmethod
    def _of_readers(cls, value: Any) -> Any:
        found = [value] if isinstance(value, str) else value
        return [str(one) if isinstance(one, Reader) else one for one in found] if isinstance(found, Iterable) else found

    @field_validator("readers")
    @classmethod
    def _known_readers(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        faults: list[Fault] = []
        found = [collect(faults, partial(parse_reader, one), f"[{place}]") for place, one in enumerate(names)]
        if faults:
            raise PolicyError.of(faults)
        return tuple(dict.fromkeys(map(str, found))) or ("paimon",)

    @field_serializer("rules")
    def _plain(self, rules: Mapping[str, str]) -> dict[str, str]:
        return dict(rules)

    # ------------------------------------------------------------ asking

    @property
    def profiles(self) -> tuple[Reader, ...]:
        """The engines, as values."""
        return tuple(map(parse_reader, self.readers))

    def enforced(self, now: datetime) -> bool:
        """Whether it blocks already."""
        return self.enforce_from is None or begins(self.enforce_from) <= now

    @cached_property
    def _accepted(self) -> dict[tuple[str, str], list[Waiver]]:
        found: dict[tuple[str, str], list[Waiver]] = {}
        for one in self.exceptions:
            found.setdefault((one.rule, one.path), []).append(one)
        return found

    def waivers(self, rule: str, paths: Iterable[str]) -> list[Waiver]:
        """The exceptions that speak of a finding of this rule at these paths, or around them; those that have ended among them."""
        if not self.exceptions:
            return []
        around = dict.fromkeys(["*", *(outer for path in paths for outer in _around(path))])
        return [one for path in around for one in self._accepted.get((rule, path), ())]

    # ------------------------------------------------------------ joining

    def joined(self) -> Iterator["Policy"]:
        """This policy, and all that it is joined with, however it came to be."""
        yield self
        for one in self.also:
            yield from one.joined()

    def stricter(self, other: "Policy") -> Self:
        """Both: whatever is judged gets the stricter verdict of the two."""
        return self if other == self else self.model_copy(update={"also": (*self.also, other)})

    def excused(self, waivers: Iterable[Waiver]) -> Self:
        """This policy, and every one that is judged by as well, with these exceptions besides its own."""
        some = tuple(waivers)
        if not some:
            return self
        also = tuple(one.excused(some) for one in self.also)
        return self.model_copy(update={"exceptions": (*self.exceptions, *some), "also": also})

    def with_exceptions(self, known: Callable[[Waiver], Waiver | None]) -> Self:
        """This policy, and every one that is judged by as well, with each exception as it is known; None takes it away."""
        exceptions = tuple(found for one in self.exceptions if (found := known(one)) is not None)
        return self.model_copy(update={"exceptions": exceptions, "also": tuple(one.with_exceptions(known) for one in self.also)})

    def for_caller(self, wanted: "Policy | Mapping[str, Any] | None", *, override: str = "") -> "Policy":
        """The policy for a caller that wants another one than this, the table's own.

        None is the table's. A caller can only be stricter, unless it says why it has to be weaker.
        """
        if wanted is None or wanted == self:
            return self
        other = Policy.read(wanted)
        return other.model_copy(update={"override": override}) if override.strip() else self.stricter(other)


def policy_of(value: Policy | Mapping[str, Any] | None) -> Policy:
    """The policy, or that of a mapping; None is the default policy, and never no policy."""
    return Policy() if value is None else Policy.read(value)


def preset(name: str) -> Policy | None:
    """The policy that has this name everywhere, if there is one."""
    return Policy.read({"mode": name, "name": name}) if name in PRESETS else None


# Every word that a mode may be.
WORDS = (*MODES, *(f"{one}{_TRANSITIVE}" for one in MODES if one != "NONE"), *PRESETS)


def _of_mode(word: object) -> dict[str, Any]:
    if str(word).lower() in PRESETS:
        return {"rules": dict(PRESETS[str(word).lower()])}
    base, transitive, rest = str(word).upper().partition(_TRANSITIVE)
    if base not in MODES or rest:
        raise PolicyError(f"{shown(word)} is no mode.", code="policy.unknown-mode", fix=did_you_mean(str(word).upper(), WORDS))
    data, jobs = MODES[base]
    against = Against.ALL if transitive else Against.PREVIOUS
    return {"protect": {"data": data, "jobs": jobs, "writers": Level.OFF if base == "NONE" else Level.WARN}, "against": against}
