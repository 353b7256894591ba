"""Evidence: what somebody found out about all live files of a table, which proves that a change is safe."""

from typing import ClassVar, Self

from pydantic import Field, field_validator, model_validator

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.common.short_repr import ShortRepr, named
from airflow_provider_schemas.core.common.user_document import UserDocument
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import PolicyError


class Evidence(ShortRepr, UserDocument):
    """That no live file holds NULL at a path, or that every live value there fits a type."""

    refusal: ClassVar = PolicyError
    noun: ClassVar = "evidence"

    path: str = Field(min_length=1)
    id: int | None = None
    """The id of the field that was looked at: another field may have the name by now."""
    table: str = ""
    """The table whose files were looked at; empty for the table that is judged."""
    not_null: bool = False
    fits: str | None = None
    files: int = Field(default=0, ge=0, le=2**53)
    found: str = ""
    """When and how, in words: `2026-11-18, footers of snapshot 812`."""

    def _short_text(self) -> str:
        proofs = [proof for proof in (self.null_proof, self.type_proof) if proof]
        return f"{named(self.path)}: {'; '.join(proofs)}"

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.not_null and self.fits is None:
            fix = "Write not_null: true, or the type that all values fit."
            raise PolicyError("the evidence says nothing.", code="policy.evidence", fix=fix)
        return self

    @field_validator("fits")
    @classmethod
    def _is_a_type(cls, text: str | None) -> str | None:
        if text is not None:
            parse_any(text)
        return text

    @property
    def null_proof(self) -> str:
        """Return what it says of NULL, as a clause of a sentence."""
        if not self.not_null:
            return ""
        return self._clause("no live file holds NULL")

    @property
    def type_proof(self) -> str:
        """Return what it says of the type, as a clause of a sentence."""
        if self.fits is None:
            return ""
        return self._clause(f"every live value fits {self.fits}")

    def _clause(self, statement: str) -> str:
        if self.files:
            statement = f"{statement} ({self.files} files)"
        if self.found:
            statement = f"{statement}, found {self.found}"
        return statement

    def is_about(self, number: int | None) -> bool:
        """Return whether this field was looked at; where an id is missing, any field of the path counts."""
        return self.id is None or number is None or self.id == number

    def covers(self, kind: DataType) -> bool:
        """Return whether every live value is a value of this type."""
        return self.fits is not None and lossless(parse_any(self.fits).with_nullable(True), kind.with_nullable(True))
