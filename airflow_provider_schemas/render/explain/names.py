"""What a typed name means: a rule by its id or code in any case, a way to apply rules, the code of an error, a family of codes."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.rules import CATALOGUE, RULE_OF_FAULT, RULES, WAYS, Rule
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.render.explain import facts

_RULE_CODE = "rule."
_MAX_NEAR = 3


class ErrorCode(Struct, frozen=True):
    """The code of an error."""

    code: str


class CodeFamily(Struct, frozen=True):
    """All codes of errors that begin alike."""

    prefix: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the family, sorted."""
        return tuple(sorted(code for code in facts.codes() if code.startswith(self.prefix)))


class Way(Struct, frozen=True):
    """A code that no finding has: a way of applying other rules."""

    code: str
    name: str
    comes_out_as: str


Named = Rule | ErrorCode | CodeFamily | Way


def meanings(name: str) -> tuple[Named, ...]:
    """Return what a name means, or raise a NotThereError with the names that are near; two rules may share a code."""
    word = name.strip().rpartition("/")[2].removesuffix(".md")
    found = _rules(word) or _way(word) or _error(word)
    if not found:
        message = f"{shown(name)} is no rule, no code of a rule and no code of an error."
        raise NotThereError(message, code="explain.unknown", fix=_advice(word))
    return found


def _rules(word: str) -> tuple[Rule, ...]:
    name = word.upper().replace("-", "_")
    if word.lower().startswith(_RULE_CODE):
        name = name[len(_RULE_CODE) :]
    return tuple(rule for rule in CATALOGUE if name in (rule.id, rule.code))


def _way(word: str) -> tuple[Way, ...]:
    return tuple(Way(code, name, comes_out_as) for code, (name, comes_out_as) in WAYS.items() if word.upper() in (code, name))


def _error(word: str) -> tuple[ErrorCode | CodeFamily, ...]:
    code = word.lower()
    if code in facts.codes() or code in RULE_OF_FAULT:
        return (ErrorCode(code),)
    family = CodeFamily(f"{code.removesuffix('.')}.")
    return (family,) if code and family.codes else ()


def _advice(word: str) -> str:
    """Return the names that may have been meant; else how all are listed."""
    near = list(_near(word))
    if not near:
        return "All rules: `airflow-schemas explain`."
    return f"Did you mean {' or '.join(near)}? All rules: `airflow-schemas explain`."


def _near(word: str) -> Iterator[str]:
    from difflib import get_close_matches

    known: Iterable[str] = facts.codes() if "." in word else RULES
    same_case = word.lower() if "." in word else word.upper().replace("-", "_")
    # A long text is near to nothing, and comparing it with all names takes long.
    yield from get_close_matches(same_case[:100], known, _MAX_NEAR, 0.6)
