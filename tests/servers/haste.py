"""Libraries that try again as often as ever, and do not wait in between: half a minute of sleep proves nothing."""

import asyncio
from importlib.util import find_spec
from typing import Any

import pytest


class _WithoutWaiting:
    """The module asyncio, whose sleep ends at once."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, delay: float, *_: object) -> None:
        await asyncio.sleep(min(delay, 0.001))


# Where the libraries look up `asyncio` when they wait before the next attempt.
_MODULES = ("s3fs.core", "aiobotocore.endpoint", "gcsfs.retry")
_AZURE = "azure.storage.blob._shared.policies_async.AsyncStorageRetryPolicy.sleep"


async def _not_at_all(*_: object) -> None:
    """Instead of a sleep."""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library waits before it tries again."""
    for module in _MODULES:
        if _installed(module):
            monkeypatch.setattr(f"{module}.asyncio", _WithoutWaiting())
    if _installed("azure.storage.blob"):
        monkeypatch.setattr(_AZURE, _not_at_all)


def _installed(module: str) -> bool:
    """Tell whether a library is there: the quick suite has those of S3 alone."""
    return find_spec(module.partition(".")[0]) is not None
