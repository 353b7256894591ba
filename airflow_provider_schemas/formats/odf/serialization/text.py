"""A text of ODF in either of its languages: JSON where it begins with a brace or a bracket and is JSON, else YAML."""

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import text_of
from airflow_provider_schemas.formats.odf.serialization import json_text, yaml_text
from airflow_provider_schemas.formats.odf.serialization.envelopes import OdfDocument
from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf, only_schema


def load(source: str | bytes) -> LoadedOdf:
    """Read the one schema of a text, which may be a document around it."""
    return only_schema(documents(source))


def documents(source: str | bytes) -> tuple[OdfDocument, ...]:
    """Read every document of a text, each with its schemas."""
    text = text_of(source)
    if not text.lstrip().startswith(("{", "[")):
        return yaml_text.documents(text)
    try:
        return json_text.documents(text)
    except FormatError as error:
        if error.code == "json.invalid":  # YAML has braces, too
            return yaml_text.documents(text)
        raise
