"""What people write: values with unknown keys, wrong types and typing errors, told all at once and in our words.

A pydantic model whose faults come out as ours: each with the path of its entry, a sentence, and what to do.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from airflow_provider_schemas.core.common.advice import did_you_mean, path_text
from airflow_provider_schemas.core.common.deadlines import moment_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, SchemaError

Moment = Annotated[str, BeforeValidator(moment_text)]
"""A day, which lasts until its last second in UTC, or a time."""


class Part(BaseModel):
    """A part of something that people write; frozen, and without room for keys that nobody knows."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, str_max_length=100_000, hide_input_in_errors=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, without what was worked out of values that are others now."""
        copied = super().model_copy(update=update, deep=deep)
        for name in [one for one in copied.__dict__ if one not in type(self).model_fields]:
            del copied.__dict__[name]
        return copied


class Written(Part):
    """A whole thing that people write. Making one raises its own error, and never pydantic's."""

    refusal: ClassVar[type[SchemaError]] = SchemaError
    noun: ClassVar[str] = "value"

    def __init__(self, /, **values: Any) -> None:
        refused: SchemaError
        try:
            super().__init__(**values)
            return
        except ValidationError as error:
            refused = self.refusal.of(faults_of(error, type(self)))
        except RecursionError:
            refused = self.refusal(f"the {self.noun} is nested too deep.", fix="Write it flatter.")
        raise refused  # out here, it does not carry pydantic's error, whose text has no limit

    @classmethod
    def read(cls, value: object) -> Self:
        """The thing in a plain mapping, as it comes out of JSON or YAML."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            raise cls.refusal(f"a {type(value).__name__} is no {cls.noun}.", fix=f"Write a mapping with keys such as {_some(cls)}.")
        return cls(**_text_keys(cls, value))


def _some(model: type[BaseModel]) -> str:
    return ", ".join(list(model.model_fields)[:3])


def _text_keys(cls: type[Written], value: Mapping[Any, Any]) -> dict[str, Any]:
    odd = [key for key in value if not isinstance(key, str)]
    if odd:
        code = f"{cls.refusal.default_code.split('.')[0]}.key"
        raise cls.refusal.of([Fault(code, shown(key), "keys are texts.", "Quote it.") for key in odd])
    return dict(value)


# ---------------------------------------------------------------- pydantic's faults as ours


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[Fault]:
    """Every fault that pydantic found, in its order."""
    prefix = getattr(model, "refusal", SchemaError).default_code.split(".")[0]
    return list(dict.fromkeys(fault for one in error.errors()[:MAX_FAULTS] for fault in _faults(dict(one), prefix, model)))


def _faults(one: Mapping[str, Any], prefix: str, model: type[BaseModel]) -> Iterable[Fault]:
    path = path_text(one["loc"])
    inner = one.get("ctx", {}).get("error")
    if isinstance(inner, SchemaError):
        return [fault.at(path) for fault in inner.faults]
    kind = str(one["type"])
    if kind == "extra_forbidden":
        key = str(one["loc"][-1])
        return [Fault(f"{prefix}.unknown-key", path, f"nobody knows the key {shown(key)}.", did_you_mean(key, _known(model, one["loc"])))]
    if kind == "missing":
        return [Fault(f"{prefix}.missing", path, "this key is missing.", "Add it.")]
    said = str(one["msg"]).removeprefix("Value error, ").removeprefix("Input should be ").rstrip(".")
    given = one.get("input")
    # People write null, whatever Python calls it.
    what = "null" if given is None else shown(given) if isinstance(given, str | int | float) else f"a {type(given).__name__}"
    return [Fault(f"{prefix}.bad-value", path, f"{what} does not fit here.", f"Write {_wanted(kind, said)}.")]


_WANTED = {
    "string_type": "text, in quotes where it looks like a number",
    "string_too_short": "something",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "tuple_type": "a list",
    "list_type": "a list",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "date_from_datetime_parsing": "a date such as 2026-12-31",
    "date_parsing": "a date such as 2026-12-31",
    "date_type": "a date such as 2026-12-31",
    "datetime_from_date_parsing": "a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z",
    "datetime_parsing": "a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z",
    "datetime_type": "a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z",
}


def _wanted(kind: str, said: str) -> str:
    return _WANTED.get(kind, said)


def _known(model: Any, place: Iterable[Any]) -> list[str]:
    """The keys of the model in which an unknown one was found."""
    for step in list(place)[:-1]:
        field = getattr(model, "model_fields", {}).get(step)
        model = _inner(field.annotation) if field is not None else model
    return [name for name, field in getattr(model, "model_fields", {}).items() if field.alias is None]  # what has one, nobody writes


def _inner(annotation: Any) -> Any:
    """The model somewhere inside an annotation such as tuple[Model, ...] | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = [inner for part in getattr(annotation, "__args__", ()) if (inner := _inner(part)) is not None]
    return found[0] if found else None
