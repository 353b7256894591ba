"""The message about a verdict or a change, made of what the task has put into XCom."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from airflow_provider_schemas.render.escaping import code, prose
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.tasks.task_run import Run

Message = dict[str, Any]

KINDS = ("breaks", "warns", "fits", "changes")
_VERDICTS = {"break": "breaks", "invalid": "breaks", "warn": "warns", "ok": "fits"}
_MARKS = {"breaks": "✖", "warns": "!", "fits": "✔"}
_COPIED = ("tables", "table", "version", "previous", "changes", "approval")
_CHANGE_WORDS = {"at": "at", "by": "by", "run": "in", "approval": "approved by"}
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
    run = _run(context)
    consumer = run.consumer if run else ""
    lines += _task_lines(context)
    text = "\n".join(map(_plain_line, lines))
    return {
        "kind": kind,
        "title": clean(lines[0].words),
        "text": text,
        "markdown": _markdown(lines),
        "html": f"<pre>{html.escape(text)}</pre>",
        **{key: entry[key] for key in _COPIED if key in entry},
        "job": entry.get("consumer") or consumer,
        "run": run.text if run else "",
        "owners": _owners(entry),
        "log_url": getattr(context.get("ti"), "log_url", ""),
    }


def _plain_line(line: MessageLine) -> str:
    return "  " * line.indent + " ".join(filter(None, [clean(line.words), clean(line.exact)]))


def _markdown(lines: Sequence[MessageLine]) -> str:
    title, *rest = lines
    return "\n".join([f"**{prose(title.words)}**", "", *map(_markdown_line, rest)])


def _markdown_line(line: MessageLine) -> str:
    exact = f" {code(line.exact)}" if line.exact else ""
    return f"{'  ' * (line.indent - 1)}- {prose(line.words)}{exact}"


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
    findings = [finding for finding in _findings(table) if not breaking or finding.get("verdict") in _BAD]
    message = f": {findings[0].get('message', '')}".removesuffix(".") if findings else ""
    count = sum(len(_findings(entry)) + entry.get("more", 0) for entry in worst.values())
    more = f" (+{count - 1} more)" if count > 1 else ""
    return f"{_versioned(name, table)} {'breaks' if breaking else 'warns'} {job}{message}{more}"


def _table_lines(name: str, table: Mapping[str, Any]) -> Iterator[MessageLine]:
    owner = ", ".join(filter(None, [table.get("owner"), table.get("contact")]))
    owned = f"; owner {owner}" if owner else ""
    yield MessageLine(1, f"{_versioned(name, table)} {_kind(table)}{_last_change(table.get('changed'))}{owned}")
    for finding in _findings(table):
        yield MessageLine(2, f"{_MARKS[_kind(finding)]} {finding.get('message', '')}", finding.get("rule", ""))
        if finding.get("fix"):
            yield MessageLine(3, finding["fix"])
    if table.get("more"):
        yield MessageLine(2, f"and {table['more']} more")


def _findings(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [finding for finding in table.get("findings") or () if isinstance(finding, Mapping)]


def _versioned(name: str, table: Mapping[str, Any]) -> str:
    return name if table.get("version") is None else f"{name} v{table['version']}"


def _last_change(change: Any) -> str:
    """Write who changed the table last, and when."""
    if not isinstance(change, Mapping):
        return ""
    words = [f"{word} {change[key]}" for key, word in _CHANGE_WORDS.items() if change.get(key)]
    return f", changed {' '.join(words)}" if words else ""


def _owners(entry: Mapping[str, Any]) -> list[str]:
    """Return who owns the tables, and where they are reached, each once."""
    tables = entry["tables"].values() if isinstance(entry.get("tables"), Mapping) else [entry]
    owners: list[str] = []
    for table in tables:
        owners += [table[key] for key in ("owner", "contact") if table.get(key)]
    return list(dict.fromkeys(owners))


# ---------------------------------------------------------------- changes


def _change_lines(entry: Mapping[str, Any]) -> Iterator[MessageLine]:
    changes = list(entry.get("changes") or ())
    more = entry.get("more_changes") or 0
    before = "" if entry.get("previous") is None else f"v{entry['previous']} -> "
    count = counted(len(changes) + more, "change") if changes else "created"
    yield MessageLine(0, f"{entry['table']} {before}v{entry.get('version')}, {count}")
    for change in changes:
        yield MessageLine(1, "", str(change))
    if more:
        yield MessageLine(1, f"and {more} more")
    if entry.get("approval"):
        yield MessageLine(1, f"approved by {entry['approval']}")
    for note in entry.get("notes") or ():
        yield MessageLine(1, str(note))


# ---------------------------------------------------------------- the task


def _run(context: Mapping[str, Any]) -> Run | None:
    has_task = context.get("ti") is not None and context.get("task") is not None
    return Run.of(context) if has_task else None


def _task_lines(context: Mapping[str, Any]) -> Iterator[MessageLine]:
    """Name the task, its owner and its log."""
    run = _run(context)
    if run is not None:
        owner = f" of {run.owner}" if run.owner else ""
        yield MessageLine(1, f"task {run.consumer}{owner}, run {run.run_id}")
    url = getattr(context.get("ti"), "log_url", "")
    if url:
        yield MessageLine(1, "log:", url)
