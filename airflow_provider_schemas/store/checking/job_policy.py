"""The policy by which a table is judged for one job: the table's own, the caller's, and the waivers that count for the job."""

from airflow_provider_schemas.core.policies.policy import Policy, Waiver
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.checking.judgement import PolicyOrigin
from airflow_provider_schemas.store.checking.questions import JobTerms, Question, read_contract
from airflow_provider_schemas.store.registry import policies, waived_jobs, waivers


def find_policy(question: Question, head: Version, terms: JobTerms) -> tuple[Policy, PolicyOrigin, tuple[str, ...]]:
    """Return the policy for the job that asks, where it was found, and notes about waivers."""
    table = question.table
    active = waivers.active(table.registry, table.id, may_write=False, now=terms.now)
    known = policies.Policies(table.registry, table.id)
    of_table = known.of(head.schema, table.place.layout)
    own = of_table.for_caller(terms.policy)
    job = _name_of_job(question, terms.consumer)
    policy = waived_jobs.for_job(own.excused(active.waivers), table.registry, table.id, job, question.home)
    if question.need is None and terms.consumer:
        policy = _widen_waivers(policy, terms.consumer)
    found = known.found_at if own is of_table else f"{known.found_at}, and the policy of the caller"
    return policy, PolicyOrigin(of_table.name, found), active.said


def _name_of_job(question: Question, consumer: str) -> str:
    """Return the name under which the job that asks is judged."""
    if question.need is None or question.asks_for_registered:
        return consumer
    return read_contract(question, consumer).name


def _widen_waivers(policy: Policy, consumer: str) -> Policy:
    """Return the policy for one job whose contract is not known: all findings concern it, so what is waived for it is waived for all."""

    def widen(waiver: Waiver) -> Waiver:
        return waiver.model_copy(update={"consumer": ""}) if waiver.consumer == consumer else waiver

    return policy.with_exceptions(widen)
