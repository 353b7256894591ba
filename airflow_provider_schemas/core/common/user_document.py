"""Documents that users write: unknown keys, wrong types and typing errors are reported all at once.

They are pydantic models whose faults come out as ours: each with the path of its entry, a sentence, and what to do.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from airflow_provider_schemas.core.common.advice import did_you_mean, path_text
from airflow_provider_schemas.core.common.deadlines import moment_text
from airflow_provider_schemas.core.common.short_repr import BoundedRepr
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, SchemaError

Moment = Annotated[str, BeforeValidator(moment_text)]
"""A day, which lasts until its last second in UTC, or a time."""


class Part(BoundedRepr, BaseModel):
    """A part of a document that users write; frozen, and without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, str_max_length=100_000, hide_input_in_errors=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy, without cached values that were computed from values that may have changed."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


class UserDocument(Part):
    """A whole document that users write. Making one raises its own error, and never pydantic's."""

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
        """Read the document from a plain mapping, as it comes out of JSON or YAML."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            examples = ", ".join(list(cls.model_fields)[:3])
            raise cls.refusal(f"a {type(value).__name__} is no {cls.noun}.", fix=f"Write a mapping with keys such as {examples}.")
        return cls(**_check_keys(cls, value))


def _check_keys(cls: type[UserDocument], value: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the mapping as a dict, or refuse keys that are not text."""
    odd = [key for key in value if not isinstance(key, str)]
    if odd:
        code = f"{cls.refusal.default_code.split('.')[0]}.key"
        raise cls.refusal.of([Fault(code, shown(key), "keys are texts.", "Quote it.") for key in odd])
    return dict(value)


# ---------------------------------------------------------------- pydantic's faults as ours


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[Fault]:
    """Return every fault that pydantic found, in its order, none twice."""
    prefix = getattr(model, "refusal", SchemaError).default_code.split(".")[0]
    faults: dict[Fault, None] = {}
    for details in error.errors()[:MAX_FAULTS]:
        faults.update(dict.fromkeys(_faults_of_details(details, prefix, model)))
    return list(faults)


def _faults_of_details(details: ErrorDetails, prefix: str, model: type[BaseModel]) -> list[Fault]:
    location = details["loc"]
    path = path_text(location)
    inner = details.get("ctx", {}).get("error")
    if isinstance(inner, SchemaError):
        return [fault.at(path) for fault in inner.faults]
    kind = details["type"]
    if kind == "extra_forbidden":
        key = str(location[-1])
        return [
            Fault(f"{prefix}.unknown-key", path, f"nobody knows the key {shown(key)}.", did_you_mean(key, _known_keys(model, location)))
        ]
    if kind == "missing":
        return [Fault(f"{prefix}.missing", path, "this key is missing.", "Add it.")]
    expected = details["msg"].removeprefix("Value error, ").removeprefix("Input should be ").rstrip(".")
    given = _show_given(details.get("input"))
    return [Fault(f"{prefix}.bad-value", path, f"{given} does not fit here.", f"Write {_EXPECTED.get(kind, expected)}.")]


def _show_given(value: object) -> str:
    if value is None:
        return "null"  # as users write it, whatever Python calls it
    if isinstance(value, str | int | float):
        return shown(value)
    return f"a {type(value).__name__}"


_EXPECTED = {
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


def _known_keys(model: type[BaseModel] | None, location: Sequence[str | int]) -> list[str]:
    """Return the keys that users may write where an unknown one was found."""
    for step in location[:-1]:
        field = _model_fields(model).get(str(step))
        if field is not None:
            model = _model_inside(field.annotation)
    return [name for name, field in _model_fields(model).items() if field.alias is None]  # users write no key with an alias


def _model_fields(model: type[BaseModel] | None) -> Mapping[str, FieldInfo]:
    if model is None:
        return {}
    return model.model_fields


def _model_inside(annotation: object) -> type[BaseModel] | None:
    """Return the first model inside an annotation such as tuple[Model, ...] | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = map(_model_inside, getattr(annotation, "__args__", ()))
    return next((model for model in inner if model is not None), None)
