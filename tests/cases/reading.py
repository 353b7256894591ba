"""The cases of the rules, read from the YAML files beside this one: one file a rule, several cases in it.

rule          the rule that judges all cases of the file; a case may name its own
name          what happens, in a few words
before        the schema that was: columns (SQL text), primary_key, partitioned_by, options, comment, and
              attributes by column name; or a list of changes that lead from the newest of `history` to it
history       the schemas before, oldest first, each as `before`
changes       short texts of changes, which lead to the judged schema
after         or the judged schema itself; what is not said is as before. Columns as SQL text have the ids that a
              new table would give them, and a list of columns names them
policy, contracts, evidence, live    what the check is asked with
seen          for a contract: the schema that its job was written for
data          for the rules about rows: the columns of the data; marks: field ids that they bring along; rows: how many there are,
              and counts: how many of them break which rule where; shared: keys that several rows have, and these rows;
              min_rows: how many rows there must be
at, reason    for what an audit finds, and for metadata of others: where, and what whoever read the table or file says of it
fault, variant    for metadata of others: the code of what is wrong, and the circumstance
source        for the rule of spelling: the columns of a table file
number, digest, branch, provenance   in `before` and `after`, for the rules about stored versions
expected      rule and path of the finding, the four verdicts, what they come to for the readers and contracts
              at hand where that is something else (`effect`), the verdict of the policy, and what else is found
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.cli.judging.repository_findings import of_file, readers_of, weighed_file
from airflow_provider_schemas.core import (
    Contract,
    Evidence,
    Policy,
    Provenance,
    Report,
    TableSchema,
    Version,
    check,
    check_contract,
    evolve,
)
from airflow_provider_schemas.core.compatibility.id_audit import metadata_finding, reused_ids
from airflow_provider_schemas.core.compatibility.version_chain import replaced, rewound, successor, unmutated
from airflow_provider_schemas.core.policies.policy import checked_rule
from airflow_provider_schemas.core.report import Answers, Finding, Verdict, worst
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.create_request import read_request
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats import table_file, yaml
from airflow_provider_schemas.spark.auditing import rows
from airflow_provider_schemas.spark.auditing.old_files import find_in_old_files
from airflow_provider_schemas.spark.validation.count_failures import FailureCounts
from airflow_provider_schemas.spark.validation.expected import expected_by_contract, expected_by_schema
from airflow_provider_schemas.spark.validation.findings import few_rows_finding, issue_finding, row_findings
from airflow_provider_schemas.spark.validation.form import Form, compare_form

FOLDER = Path(__file__).parent
QUESTIONS = ("data_by_id", "data_by_name", "jobs", "writers")
_KEYS = frozenset({"name", "rule", "history", "before", "changes", "after", "policy", "contracts", "evidence", "live", "seen", "source",
                   "at", "reason", "fault", "variant", "data", "marks", "rows", "counts", "shared", "min_rows", "expected"})  # fmt: skip
_EXPECTED = frozenset({"path", "verdicts", "effect", "verdict", "also", "proven", "versions"})


class Effect(Struct, frozen=True):
    """What a finding comes to for the readers and contracts at hand."""

    data: Verdict
    jobs: Verdict
    writers: Verdict


class Case(Struct, frozen=True, dict=True):
    """One case, as it is written."""

    file: str
    rule: str
    values: Mapping[str, Any]

    def __post_init__(self) -> None:
        strange = (self.values.keys() - _KEYS) | (self.expected.keys() - _EXPECTED)
        if strange:
            raise ValueError(f"{self}: nobody knows {', '.join(sorted(strange))}.")
        checked_rule(self.rule)

    def __str__(self) -> str:
        return f"{self.file}: {self.values['name']}"

    @property
    def expected(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.values["expected"]
        return found

    @property
    def judges(self) -> Judges:
        return RULES[self.rule].judges

    # ------------------------------------------------------------ what is judged

    @property
    def history(self) -> tuple[TableSchema, ...]:
        found: list[TableSchema] = []
        for one in self.values.get("history", ()):
            found.append(schema_of(one, found))
        return tuple(found)

    @property
    def before(self) -> TableSchema:
        return schema_of(self.values["before"], self.history)

    @property
    def after(self) -> TableSchema:
        before = self.before
        if "changes" in self.values:
            return evolve(before, self.values["changes"], history=self.history)
        return schema_of(self.values["after"], [*self.history, before])

    @property
    def policy(self) -> Policy:
        return Policy.read(self.values.get("policy", {}))

    @property
    def contracts(self) -> tuple[Contract, ...]:
        return tuple(Contract.of(one) for one in self.values.get("contracts", ()))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(Evidence.read(one) for one in self.values.get("evidence", ()))

    # ------------------------------------------------------------ what is to be said

    @property
    def answers(self) -> Answers:
        return Answers(**{one: Verdict(self.expected["verdicts"][one]) for one in QUESTIONS})

    @property
    def effect(self) -> Effect:
        """As it is written; else what the readers of the policy see, and what the rule says of jobs and writers."""
        answers, said = self.answers, self.expected.get("effect", {})
        data = worst(answers.data_by_id if one.by == "id" else answers.data_by_name for one in self.policy.profiles)
        known = {"data": data, "jobs": answers.jobs, "writers": answers.writers}
        return Effect(**{name: Verdict(said.get(name, verdict)) for name, verdict in known.items()})

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.expected["verdict"])

    # ------------------------------------------------------------ judging

    def report(self) -> Report:
        """What the judge of the rule says."""
        judge = {
            Judges.CONTRACT: lambda: self.fitting(self.before),
            Judges.SOURCE: self._spelling,
            Judges.STORE: self._succession,
            Judges.AUDIT: self._audit,
            Judges.DATA: self._data,
            Judges.METADATA: self._metadata,
            Judges.REPOSITORY: self._repository,
        }
        return judge.get(self.judges, self._compatibility)()

    def judged(self, before: TableSchema, after: TableSchema, history: Sequence[TableSchema] | None = None) -> Report:
        """What a check says of other schemas, with all else as in the case."""
        past = self.history if history is None else history
        return check(
            before, after, self.policy, history=past, contracts=self.contracts, evidence=self.evidence, live=self.values.get("live")
        )

    def _compatibility(self) -> Report:
        return self.judged(self.before, self.after)

    def fitting(self, schema: TableSchema) -> Report:
        """What the contract of the case says of a schema."""
        (contract,) = self.contracts
        seen = schema_of(self.values["seen"], ()) if "seen" in self.values else None
        return check_contract(schema, contract, seen=seen, policy=self.values.get("policy"))

    def _spelling(self) -> Report:
        text = yaml.write({"table": "shop.orders", "columns": self.values["source"]})
        return Report(table_file.spelling_findings(table_file.read(text)))

    def _succession(self) -> Report:
        before, after = version_of(self.values["before"], ()), version_of(self.values["after"], (self.before,))
        if self.rule == "SCHEMA_FILE_MUTATED":
            return unmutated(after, before.digest)
        return _SUCCESSIONS[self.rule](before, after)

    def _audit(self) -> Report:
        if "before" in self.values:
            return Report(tuple(find_in_old_files(Version(0, "", self.before), Version(1, "", self.after), self.policy)))
        return Report((rows.make_finding(self.rule, self.values["at"], reason=self.values["reason"]),))

    def _metadata(self) -> Report:
        if "history" in self.values:
            return Report(tuple(reused_ids(self.history, "COLUMN_ID_REUSED")))
        fault = Fault(self.values["fault"], self.values["at"], self.values["reason"], RULES[self.rule].fix)
        return Report((metadata_finding(fault, self.values.get("variant", "")),))

    def _repository(self) -> Report:
        finding = of_file(self.rule, self.values["reason"], readers_of(self.contracts))
        return Report(weighed_file([finding], self.policy))

    def _data(self) -> Report:
        expected = expected_by_contract(self.contracts[0]) if self.contracts else expected_by_schema(self.before)
        marks = {number: name for name, number in self.values.get("marks", {}).items()}
        form = Form(schema_of({"columns": self.values["data"]}, ()).fields, marks)
        seen, counts = compare_form(form, expected), self.values.get("counts", {})
        found = tuple(counts.get(f"{one.rule} {one.path}", 0) for one in seen.checks)
        counted = FailureCounts(self.values.get("rows", 0), found, *self.values.get("shared", (0, 0)))
        few = [few_rows_finding(counted.rows, least, expected)] if counted.rows < (least := self.values.get("min_rows", 0)) else []
        return Report((*(issue_finding(issue, expected) for issue in seen.issues), *row_findings(seen.checks, counted, {}, expected), *few))

    def finding(self, report: Report) -> Finding | None:
        """The finding that is expected, if it is there."""
        return next((one for one in report.findings if (one.rule, one.path) == (self.rule, self.expected["path"])), None)


# ---------------------------------------------------------------- schemas


def schema_of(source: Any, earlier: Sequence[TableSchema]) -> TableSchema:
    """A schema as a case writes it."""
    if isinstance(source, list):
        return evolve(earlier[-1], source, history=earlier[:-1])
    if not earlier:
        return _first(source)
    last = earlier[-1]
    fields, keys = last.fields, (last.partition_keys, last.primary_keys)
    if "columns" in source:
        request, faults = read_request(source["columns"], (), (), {}, None)
        if faults:
            raise ValueError(faults)
        fields = request.fields
    options = dict(source.get("options", last.options))
    schema = TableSchema(
        fields=fields,
        highest_field_id=source.get("highest", max([last.highest_field_id, *all_ids(fields)])),
        partition_keys=tuple(source.get("partitioned_by", keys[0])),
        primary_keys=tuple(source.get("primary_key", keys[1])),
        options=Options(options),
        comment=source.get("comment", last.comment),
        id=last.id + 1,
    )
    return _attributed(schema, source.get("attributes", {}))


def _first(source: Mapping[str, Any]) -> TableSchema:
    made = TableSchema.create(
        source["columns"], source.get("partitioned_by", ()), source.get("primary_key", ()), source.get("options"), source.get("comment")
    )
    return _attributed(made, source.get("attributes", {}))


def _attributed(schema: TableSchema, attributes: Mapping[str, Any]) -> TableSchema:
    said = {attribute_key(field.id): json.dumps(values) for name, values in attributes.items() if (field := schema.field(name))}
    return msgspec.structs.replace(schema, options=Options({**schema.options, **said}))


def version_of(source: Mapping[str, Any], earlier: Sequence[TableSchema]) -> Version:
    """A stored version as a case writes it."""
    schema = schema_of(source, earlier)
    if "provenance" in source:
        schema = Provenance(**source["provenance"]).on(schema)
    return Version(source["number"], source["digest"], schema, source.get("branch", "main"), source.get("table_id", ""))


_SUCCESSIONS = {"VERSION_NOT_SUCCESSOR": successor, "VERSION_REWOUND": rewound, "TABLE_REPLACED": replaced}


# ---------------------------------------------------------------- files


@cache
def cases() -> tuple[Case, ...]:
    """All cases of all files."""
    return tuple(case for path in sorted(FOLDER.glob("*.yaml")) for case in cases_in(path))


def cases_in(path: Path) -> Iterator[Case]:
    """The cases of one file."""
    document = yaml.read(path.read_bytes()).value
    for one in document["cases"]:
        yield Case(path.stem, one.get("rule", document.get("rule", "")), one)


def cases_of(rule: str) -> tuple[Case, ...]:
    """The cases that show one rule, those of its own file first."""
    found = [one for one in cases() if one.rule == rule]
    return tuple(sorted(found, key=lambda one: one.file != rule))
