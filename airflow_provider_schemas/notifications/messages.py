"""The message about a verdict or a change, made of what the task has put into XCom."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.render.escaping import code, prose
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.tasks.task_run import Run

Message = dict[str, Any]

KINDS = ("breaks", "warns", "fits", "changes")
_VERDICTS = {"break": "breaks", "invalid": "breaks", "warn": "warns", "ok": "fits"}
_MARKS = {"breaks": "✖", "warns": "!", "fits": "✔"}
_COPIED = ("tables", "table", "version", "previous", "changes", "approval")
_CHANGE_WORDS = {"at": "at", "by": "by", "run": "in", "approval": "approved by", "commit": "commit"}
_BAD = ("break", "invalid")


class MessageLine(NamedTuple):
    """A line of a message: how far it is moved in, words, and what stands beside them as it is."""

    indent: int
    words: str
    exact: str = ""


def message_of(entry: Any, context: Mapping[str, Any]) -> Message | None:
    """Return the message about an XCom of ours; None if it holds nothing about tables."""
    if not isinstance(entry, Mapping):
        return None
    if isinstance(entry.get("tables"), Mapping) and "verdict" in entry:
        return _message(_VERDICTS.get(entry["verdict"], "breaks"), list(_verdict_lines(entry)), entry, context)
    if "table" in entry and entry.get("outcome") == "created":
        return _message("changes", list(_change_lines(entry)), entry, context)
    return None


def _message(kind: str, lines: list[MessageLine], entry: Mapping[str, Any], context: Mapping[str, Any]) -> Message:
    lines += _task_lines(context)
    text = "\n".join(map(_plain_line, lines))
    return {
        "kind": kind,
        "title": clean(lines[0].words),
        "text": text,
        "markdown": _markdown(lines),
        "html": f"<pre>{html.escape(text)}</pre>",
        **{key: entry[key] for key in _COPIED if key in entry},
        **_run_entry(entry, context),
        "owners": _owners(entry),
        "log_url": getattr(context.get("ti"), "log_url", ""),
    }


def _run_entry(entry: Mapping[str, Any], context: Mapping[str, Any]) -> Message:
    """Return the job and the run that the message is about; each empty if nothing names it."""
    job = entry.get("consumer")
    run = _run(context)
    if run is None:
        return {"job": job or "", "run": ""}
    return {"job": job or run.consumer, "run": run.text}


def _plain_line(line: MessageLine) -> str:
    return "  " * line.indent + " ".join(filter(None, [clean(line.words), clean(line.exact)]))


def _markdown(lines: Sequence[MessageLine]) -> str:
    title, *rest = lines
    return "\n".join([f"**{prose(title.words)}**", "", *map(_markdown_line, rest)])


def _markdown_line(line: MessageLine) -> str:
    text = f"{'  ' * (line.indent - 1)}- {prose(line.words)}"
    if not line.exact:
        return text
    return f"{text} {code(line.exact)}"


# ---------------------------------------------------------------- verdicts


def _verdict_lines(verdict: Mapping[str, Any]) -> Iterator[MessageLine]:
    yield MessageLine(0, _title(verdict))
    for name, table in verdict["tables"].items():
        if _kind(table) != "fits":
            yield from _table_lines(name, table)


def _kind(entry: Mapping[str, Any]) -> str:
    """Return the kind of message that the verdict on a table, or of a finding, makes."""
    return _VERDICTS.get(entry.get("verdict", ""), "breaks")


def _title(verdict: Mapping[str, Any]) -> str:
    """Write the worst finding in one line."""
    tables = verdict["tables"]
    job = verdict.get("consumer") or "this job"
    breaking = {name: table for name, table in tables.items() if not table.get("fits")}
    worst = breaking or {name: table for name, table in tables.items() if table.get("verdict") == "warn"}
    if not worst:
        return f"{', '.join(tables)} fits {job}"
    name, table = next(iter(worst.items()))
    verb = "breaks" if breaking else "warns"
    title = f"{_versioned(name, table)} {verb} {job}"
    findings = [finding for finding in _findings(table) if not breaking or finding.get("verdict") in _BAD]
    if findings:
        title += f": {findings[0].get('message', '')}".removesuffix(".")
    count = sum(len(_findings(entry)) + entry.get("more", 0) for entry in worst.values())
    if count > 1:
        title += f" (+{count - 1} more)"
    return title


def _table_lines(name: str, table: Mapping[str, Any]) -> Iterator[MessageLine]:
    line = f"{_versioned(name, table)} {_kind(table)}{_last_change(table.get('changed'))}"
    owner = ", ".join(filter(None, [table.get("owner"), table.get("contact")]))
    if owner:
        line += f"; owner {owner}"
    yield MessageLine(1, line)
    for finding in _findings(table):
        yield MessageLine(2, f"{_MARKS[_kind(finding)]} {finding.get('message', '')}", finding.get("rule", ""))
        if finding.get("fix"):
            yield MessageLine(3, finding["fix"])
    if table.get("more"):
        yield MessageLine(2, f"and {table['more']} more")


def _findings(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [finding for finding in table.get("findings") or () if isinstance(finding, Mapping)]


def _versioned(name: str, table: Mapping[str, Any]) -> str:
    if table.get("version") is None:
        return name
    return f"{name} v{table['version']}"


def _last_change(change: Any) -> str:
    """Write who changed the table last, and when."""
    if not isinstance(change, Mapping):
        return ""
    told = dict(change) | {"commit": short_revision(str(change.get("commit") or ""))}
    words = [f"{word} {told[key]}" for key, word in _CHANGE_WORDS.items() if told.get(key)]
    if not words:
        return ""
    return f", changed {' '.join(words)}"


def _owners(entry: Mapping[str, Any]) -> list[str]:
    """Return who owns the tables, and where they are reached, each once."""
    tables = [entry]
    if isinstance(entry.get("tables"), Mapping):
        tables = list(entry["tables"].values())
    owners: list[str] = []
    for table in tables:
        owners += [table[key] for key in ("owner", "contact") if table.get(key)]
    return list(dict.fromkeys(owners))


# ---------------------------------------------------------------- changes


def _change_lines(entry: Mapping[str, Any]) -> Iterator[MessageLine]:
    changes = list(entry.get("changes") or ())
    more = entry.get("more_changes") or 0
    versions = f"v{entry.get('version')}"
    if entry.get("previous") is not None:
        versions = f"v{entry['previous']} -> {versions}"
    count = counted(len(changes) + more, "change") if changes else "created"
    yield MessageLine(0, f"{entry['table']} {versions}, {count}")
    for change in changes:
        yield MessageLine(1, "", str(change))
    if more:
        yield MessageLine(1, f"and {more} more")
    if entry.get("approval"):
        yield MessageLine(1, f"approved by {entry['approval']}")
    if entry.get("commit"):
        yield MessageLine(1, f"commit {short_revision(str(entry['commit']))}")
    for note in entry.get("notes") or ():
        yield MessageLine(1, str(note))


# ---------------------------------------------------------------- the task


def _run(context: Mapping[str, Any]) -> Run | None:
    if context.get("ti") is None or context.get("task") is None:
        return None
    return Run.of(context)


def _task_lines(context: Mapping[str, Any]) -> Iterator[MessageLine]:
    """Name the task, its owner and its log."""
    run = _run(context)
    if run is not None:
        owner = f" of {run.owner}" if run.owner else ""
        yield MessageLine(1, f"task {run.consumer}{owner}, run {run.run_id}")
    url = getattr(context.get("ti"), "log_url", "")
    if url:
        yield MessageLine(1, "log:", url)
