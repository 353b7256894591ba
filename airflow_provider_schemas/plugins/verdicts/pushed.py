"""What a task has pushed: one value of XCom, with the task and the moment."""

from datetime import datetime
from typing import Any

from msgspec import Struct

CHANGE_KEY = "schema_change"
"""The key of XCom under which a task that changes a table says what it did."""
Gate = tuple[str, str, int]
"""DAG, task and map index: the same in each run."""


class Pushed(Struct, frozen=True):
    """A value, who pushed it, and when."""

    dag_id: str
    run_id: str
    task_id: str
    map_index: int
    at: datetime
    value: Any

    @property
    def gate(self) -> Gate:
        """Return the gate that it is of, in whatever run."""
        return (self.dag_id, self.task_id, self.map_index)

    @property
    def lies_elsewhere(self) -> bool:
        """Return whether another backend of XCom has put the value somewhere: then only a reference to it is here."""
        return isinstance(self.value, str)
