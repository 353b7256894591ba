"""For which job an exception counts: the job of the team that it names, as `JOB (TEAM)`; without one, the only job of that name.

Jobs of two teams may have one name. What one of them accepts, the other has not accepted, wherever it is judged.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from airflow_provider_schemas.core.policies.policy import Policy, Waiver
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.registry import contracts
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.storage.files import Files

_WITH_TEAM: Final = re.compile(r".+ \(.+\)", re.DOTALL)


def for_jobs(policy: Policy, files: Files, name: TableName) -> Policy:
    """Return the policy for a judgement of all registered jobs of a table."""
    return among(policy, lambda: contracts.listed(files, name))


def among(policy: Policy, registered: Callable[[], Iterable[Registered]]) -> Policy:
    """Return the policy in which each exception names its job as the contract of the job does."""
    if not _jobs_in(policy):
        return policy
    names = {_of_team(contract.consumer, contract.team): contract.contract.name for contract in registered()}
    return policy.with_exceptions(lambda waiver: _for(waiver, names.get(waiver.consumer, waiver.consumer)))


def for_job(policy: Policy, files: Files, name: TableName, job: str, team: str) -> Policy:
    """Return the policy for a judgement of one job of a team: exceptions for jobs of other teams are none for it."""
    if not job or not _jobs_in(policy):
        return policy
    home = team or NO_TEAM
    own = _of_team(job, home)
    has_namesakes = job in _jobs_in(policy) and any(other != home for other in contracts.teams_of(files, name, job))

    def for_this_job(waiver: Waiver) -> Waiver | None:
        if waiver.consumer == job and has_namesakes:
            return None
        return _for(waiver, job) if waiver.consumer == own else waiver

    return policy.with_exceptions(for_this_job)


def meant(files: Files, name: TableName, job: str, team: str) -> str:
    """Return the job that an exception shall be for, with its team where one is known; PolicyError if it may be that of several."""
    if not job or _WITH_TEAM.fullmatch(job):
        return job
    teams = contracts.teams_of(files, name, job)
    choices = dict.fromkeys([*teams, team] if team and teams else teams)
    if len(choices) > 1 and team not in teams:
        message = f"{job} is a job of {teams[0]}, and not of {team}."
        if len(teams) > 1:
            message = f"jobs of {len(teams)} teams are called {job}."
        names = [repr(_of_team(job, choice)) for choice in [*choices][:5]]
        fix = f"Name the team as well: {' or '.join(names)}."
        raise PolicyError(f"which job is meant is not said: {message}", code="waiver.several-teams", path="consumer", fix=fix)
    own = team or next(iter(teams), NO_TEAM)
    if own == NO_TEAM and len(teams) < 2:
        return job
    return _of_team(job, own)


def _of_team(job: str, team: str) -> str:
    return f"{job} ({team})"


def _for(waiver: Waiver, job: str) -> Waiver:
    """Return the waiver for a job of this name."""
    return waiver if waiver.consumer == job else waiver.model_copy(update={"consumer": job})


def _jobs_in(policy: Policy) -> set[str]:
    """Return the jobs that exceptions of a policy name."""
    jobs: set[str] = set()
    for joined in policy.joined():
        jobs.update(waiver.consumer for waiver in joined.exceptions if waiver.consumer)
    return jobs
