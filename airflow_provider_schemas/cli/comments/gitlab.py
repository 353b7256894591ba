"""Comment on a merge request of GitLab. The token of a job may not, so that a token of the project is needed."""

from collections.abc import Mapping
from typing import Any, Self

from msgspec import Struct

from airflow_provider_schemas.cli.comments.host import MAX_PAGES, Earlier
from airflow_provider_schemas.cli.comments.request import forbidden, send

TOKEN = "AIRFLOW_SCHEMAS_GITLAB_TOKEN"  # noqa: S105  # the name of a variable
_PAGE = 100


class GitLab(Struct, frozen=True):
    """The merge request of a pipeline of GitLab."""

    api: str
    project: str
    number: str
    token: str
    name: str = "GitLab"

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self | None:
        """Return the merge request of this pipeline, if it is about one."""
        number = variables.get("CI_MERGE_REQUEST_IID", "")
        if not number.isdigit():
            return None
        token = variables.get(TOKEN, "")
        if not token:
            raise forbidden(f"there is none in {TOKEN}")
        project = variables.get("CI_MERGE_REQUEST_PROJECT_ID") or variables.get("CI_PROJECT_ID", "")
        return cls(variables.get("CI_API_V4_URL", ""), project, number, token)

    def find(self, marker: str) -> Earlier | None:
        """Return the newest comment that this token has written and that begins with the marker."""
        me = self._ask("GET", "/user")["id"]
        for page in range(1, MAX_PAGES + 1):
            notes = self._ask("GET", f"{self._notes}?sort=desc&order_by=created_at&per_page={_PAGE}&page={page}")
            for note in notes:
                if note["author"]["id"] == me and note["body"].partition("\n")[0].strip() == marker:
                    return Earlier(str(note["id"]), note["body"])
            if len(notes) < _PAGE:
                return None
        return None

    def create(self, body: str) -> None:
        """Write a comment."""
        self._ask("POST", self._notes, {"body": body})

    def replace(self, earlier: Earlier, body: str) -> None:
        """Write a comment in place of an earlier one."""
        self._ask("PUT", f"{self._notes}/{earlier.id}", {"body": body})

    @property
    def _notes(self) -> str:
        return f"/projects/{self.project}/merge_requests/{self.number}/notes"

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        return send(method, f"{self.api}{path}", {"PRIVATE-TOKEN": self.token}, body)
