"""Running triggers as the triggerer does: on a loop, one event after the other."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from pkgutil import resolve_name
from typing import Any

from airflow.sdk.serde import deserialize, serialize

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

POLL = 0.05
PATIENCE = 60
ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"


class Heard:
    """A log that remembers what it was told."""

    def __init__(self, about: Any) -> None:
        self.lines: list[str] = []
        self.warnings: list[str] = []
        about._log = about._cached_logger = self

    def info(self, event: str, *args: object, **_: object) -> None:
        self.lines.append(event % args if args else event)

    def warning(self, event: str, *args: object, **_: object) -> None:
        self.warnings.append(event % args if args else event)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """The answer of a coroutine."""
    return asyncio.run(work)


async def following(events: AsyncIterator[Any], count: int = 1) -> list[Any]:
    """The payloads of the next events."""
    return [(await asyncio.wait_for(anext(events), PATIENCE)).payload for _ in range(count)]


async def silent(events: AsyncIterator[Any], seconds: float = 0.3) -> bool:
    """Whether no event comes for a while; the trigger is ended."""
    waiting = asyncio.ensure_future(anext(events))
    done, _ = await asyncio.wait([waiting], timeout=seconds)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    return not done


def ends_with(trigger: Any) -> Any:
    """The payload of the one event that a trigger ends with."""

    async def all_of() -> list[Any]:
        return [event.payload async for event in trigger.run()]

    found = run(asyncio.wait_for(all_of(), PATIENCE))
    assert len(found) == 1
    return found[0]


def ends_after(trigger: Any, change: Callable[[], object], lines: int = 1) -> Any:
    """The same, for a change that is made while it waits: when it has said so many lines."""
    heard = trigger._log if isinstance(trigger._log, Heard) else Heard(trigger)

    async def waited() -> Any:
        first = asyncio.ensure_future(anext(trigger.run()))
        await until(lambda: len(heard.lines) >= lines)
        assert not first.done()
        await asyncio.to_thread(change)
        return (await asyncio.wait_for(first, PATIENCE)).payload

    return run(waited())


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def sent_and_made_again(trigger: Any) -> Any:
    """The trigger after its way through the database of Airflow."""
    path, about = trigger.serialize()
    sent: Any = serialize(about)
    kept: Any = deserialize(sent)
    return resolve_name(path)(**kept)


def made(store: SchemaStore, *changes: str) -> Table:
    """The table shop.orders with a version for each change after the first."""
    table = store.table("shop.orders")
    if not table.exists():
        store.create_table("shop.orders", ORDERS, primary_keys=["order_id"])
    for one in changes:
        table.evolve([one])
    return table
