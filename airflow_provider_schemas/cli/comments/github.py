"""Comment on a pull request of GitHub.

GraphQL alone says whether a comment was written by this token; the marker alone may stand in anybody's comment, which must not become ours.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

from airflow_provider_schemas.cli.comments.host import MAX_PAGES, Earlier
from airflow_provider_schemas.cli.comments.request import forbidden, send
from airflow_provider_schemas.errors import SchemaError

_COMMENTS = """query($id: ID!, $before: String) { node(id: $id) { ... on PullRequest {
  comments(last: 100, before: $before) { nodes { id body viewerDidAuthor } pageInfo { hasPreviousPage startCursor } } } } }"""
_CREATE = "mutation($id: ID!, $body: String!) { addComment(input: {subjectId: $id, body: $body}) { clientMutationId } }"
_REPLACE = "mutation($id: ID!, $body: String!) { updateIssueComment(input: {id: $id, body: $body}) { clientMutationId } }"
_FORBIDDEN = ("FORBIDDEN", "INSUFFICIENT_SCOPES", "NOT_FOUND")


class GitHub(Struct, frozen=True):
    """The pull request of a run of GitHub Actions."""

    api: str
    pull_request: str
    token: str
    name: str = "GitHub"

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self | None:
        """Return the pull request of this run, if it is about one."""
        node = _node(variables.get("GITHUB_EVENT_PATH", ""))
        if node is None:
            return None
        token = variables.get("GITHUB_TOKEN", "")
        if not token:
            raise forbidden("there is none in GITHUB_TOKEN")
        return cls(variables.get("GITHUB_GRAPHQL_URL", ""), node, token)

    def find(self, marker: str) -> Earlier | None:
        """Return the newest comment that this token has written and that begins with the marker."""
        before = None
        for _ in range(MAX_PAGES):
            page = self._ask(_COMMENTS, id=self.pull_request, before=before)["node"]["comments"]
            for comment in reversed(page["nodes"]):
                if comment["viewerDidAuthor"] and comment["body"].partition("\n")[0].strip() == marker:
                    return Earlier(comment["id"], comment["body"])
            if not page["pageInfo"]["hasPreviousPage"]:
                return None
            before = page["pageInfo"]["startCursor"]
        return None

    def create(self, body: str) -> None:
        """Write a comment."""
        self._ask(_CREATE, id=self.pull_request, body=body)

    def replace(self, earlier: Earlier, body: str) -> None:
        """Write a comment in place of an earlier one."""
        self._ask(_REPLACE, id=earlier.id, body=body)

    def _ask(self, query: str, **variables: str | None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = send("POST", self.api, headers, {"query": query, "variables": variables})
        errors = answer.get("errors")
        if not errors:
            return answer["data"]
        message = str(errors[0].get("message", "an error"))[:200].rstrip(".")
        if errors[0].get("type") in _FORBIDDEN:
            raise forbidden(message)
        raise SchemaError(f"GitHub answered: {message}.", code="cli.comment", fix="Run the job again.")


def _node(event: str) -> str | None:
    """Return the id of the pull request that an event is about."""
    try:
        return str(json.loads(Path(event).read_bytes())["pull_request"]["node_id"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
