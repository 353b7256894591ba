"""What the templates of tables call, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from airflow_provider_schemas.render.html.pictures import (
    blame_rows,
    diff_lines,
    lifeline_rows,
    origins,
    plain_text,
    reader_rows,
    schema_rows,
    timeline_rows,
)
from airflow_provider_schemas.render.version_entries import entries

PICTURE_FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType({
    "blame_origins": blame_rows.blame_origins,
    "blame_rows": blame_rows.blame_rows,
    "current_state": reader_rows.current_state,
    "diff_basis": diff_lines.basis,
    "diff_counts": diff_lines.diff_counts,
    "diff_lines": diff_lines.diff_lines,
    "fit_rows": reader_rows.fit_rows,
    "job_rows": reader_rows.job_rows,
    "lifeline_rows": lifeline_rows.lifeline_rows,
    "origin_commit": origins.origin_commit,
    "origin_reasons": origins.origin_reasons,
    "origin_when": origins.origin_when,
    "origin_who": origins.origin_who,
    "origin_words": origins.origin_words,
    "other_verdicts": diff_lines.other_verdicts,
    "plain": plain_text.plain,
    "readers_sentence": reader_rows.readers_sentence,
    "schema_facts": schema_rows.schema_facts,
    "schema_headline": schema_rows.schema_headline,
    "schema_options": schema_rows.schema_options,
    "schema_rows": schema_rows.schema_rows,
    "table_lines": diff_lines.table_lines,
    "timeline_rows": timeline_rows.timeline_rows,
    "unchanged_lines": lifeline_rows.unchanged_lines,
    "used_fits": reader_rows.used_fits,
    "used_states": lifeline_rows.used_states,
    "version_entries": entries,
    "way_back": reader_rows.way_back,
})  # fmt: skip
