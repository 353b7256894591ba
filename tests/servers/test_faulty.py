"""The proxy loses, delays and forges answers as it is told to, before or after the server has done its work, and else changes nothing."""

import http.client
import time

import pytest

from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault, Proxy
from tests.servers.fixtures import Flawed
from tests.servers.process import HOST


def put(proxy: Proxy, path: str) -> int:
    """The status of a plain PUT; 0 if there was no answer."""
    connection = http.client.HTTPConnection(HOST, proxy.port, timeout=10)
    try:
        connection.request("PUT", path, b"one")
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


@pytest.fixture
def s3_behind(s3_bucket: Bucket, flawed: Flawed) -> tuple[Bucket, Proxy]:
    return flawed(s3_bucket)


def written(bucket: Bucket, name: str) -> bool:
    return bool(bucket.through(bucket.storage.port).filesystem().exists(f"{bucket.name}/{name}"))


def test_what_no_rule_concerns_passes_unchanged(bucket: Bucket, flawed: Flawed) -> None:
    behind, proxy = flawed(bucket)
    files = behind.filesystem()
    files.pipe_file(f"{behind.name}/a/x", b"\x00one\r\n", mode="create")
    assert files.cat_file(f"{behind.name}/a/x") == b"\x00one\r\n"
    assert files.info(f"{behind.name}/a/x")["size"] == 6
    assert files.find(behind.name) == [f"{behind.name}/a/x"]
    with pytest.raises(FileExistsError):
        files.pipe_file(f"{behind.name}/a/x", b"two", mode="create")
    assert proxy.seen


@pytest.mark.parametrize(
    ("fault", "status", "done"),
    [
        (Fault.DROP_BEFORE, 0, False),
        (Fault.DROP_AFTER, 0, True),
        (Fault.ANSWER_BEFORE, 503, False),
        (Fault.ANSWER_AFTER, 503, True),
        (Fault.DELAY_BEFORE, 200, True),
        (Fault.DELAY_AFTER, 200, True),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else None,
)
def test_a_fault_happens_before_or_after_the_write(s3_behind: tuple[Bucket, Proxy], fault: Fault, status: int, done: bool) -> None:
    behind, proxy = s3_behind
    proxy.fail("PUT", "/x$", fault, status=503, seconds=0.01)
    assert put(proxy, f"/{behind.name}/x") == status
    assert written(behind, "x") is done


def test_a_rule_concerns_the_requests_it_names_and_no_others(s3_behind: tuple[Bucket, Proxy]) -> None:
    behind, proxy = s3_behind
    proxy.fail("PUT", "/x", Fault.ANSWER_BEFORE, skip=1, times=2, status=409)
    assert [put(proxy, f"/{behind.name}/{name}") for name in ("x0", "y", "x1", "x2", "x3")] == [200, 200, 409, 409, 200]


def test_once_mended_everything_passes(s3_behind: tuple[Bucket, Proxy]) -> None:
    behind, proxy = s3_behind
    proxy.always("", "", Fault.DROP_BEFORE)
    assert [put(proxy, f"/{behind.name}/x") for _ in range(3)] == [0, 0, 0]
    proxy.mend()
    assert put(proxy, f"/{behind.name}/x") == 200


def test_a_delayed_answer_comes_late(s3_behind: tuple[Bucket, Proxy]) -> None:
    behind, proxy = s3_behind
    proxy.fail("PUT", "/x$", Fault.DELAY_AFTER, seconds=0.2)
    before = time.monotonic()
    put(proxy, f"/{behind.name}/x")
    assert time.monotonic() - before >= 0.2
