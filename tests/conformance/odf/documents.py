"""How the rows about documents are answered: the call that a user would make, and the schema as JSON."""

import json
from typing import Any

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.serialization import yaml_text
from airflow_provider_schemas.formats.odf.serialization.envelopes import Envelope
from airflow_provider_schemas.formats.odf.serialization.json_text import dump
from airflow_provider_schemas.formats.odf.serialization.loaded import only_schema
from tests.conformance.rows import Content


def schema(row: Content) -> Any:
    """The schema of a text that holds nothing else."""
    return _schema(row["input"], Envelope.SCHEMA)


def event_manifest(row: Content) -> Any:
    """The schema of a manifest of one event."""
    return _schema(row["input"], Envelope.METADATA_EVENT)


def _schema(text: str, envelope: Envelope) -> Any:
    found = yaml_text.documents(text)
    if [one.envelope for one in found] != [envelope]:
        raise FormatError(f"this is no {envelope}.", code="odf.envelope")
    return json.loads(dump(only_schema(found).schema).text)
