"""Whatever a storage or its library says comes out as one of our errors, with what to do; the exceptions here are real ones."""

import base64
import errno
import os
import pickle
import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind, kind_of
from airflow_provider_schemas.store.storage.errors import is_bucket_missing, is_taken, is_unclear, passing, trouble
from tests.servers import azure
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault
from tests.servers.fixtures import Flawed
from tests.servers.process import HOST, free_port


def met(call: Callable[[], Any]) -> Exception:
    """The exception that the call ends with."""
    try:
        answer = call()
    except Exception as error:  # noqa: BLE001  # whatever it is
        return error
    raise AssertionError(f"nothing went wrong: {answer!r}")


def create(bucket: Bucket, name: str, **options: Any) -> Exception:
    """What an exclusive create of the file ends with."""
    return met(lambda: bucket.filesystem(**options).pipe_file(f"{bucket.name}/{name}", b"one", mode="create"))


def read(bucket: Bucket, name: str, **options: Any) -> Exception:
    return met(lambda: bucket.filesystem(**options).cat_file(f"{bucket.name}/{name}"))


def told(error: BaseException, bucket: Bucket, doing: str = "read", path: str = "db.db/t/schema/schema-0") -> SchemaError:
    return trouble(error, url=bucket.url("warehouse"), path=path, doing=doing)


# ---------------------------------------------------------------- what is not there


def test_a_file_that_is_missing_is_not_there(bucket: Bucket) -> None:
    error = read(bucket, "nothing")
    assert isinstance(told(error, bucket), NotThereError)
    assert told(error, bucket).code == "storage.not-there"
    assert not is_bucket_missing(error)
    assert not is_unclear(error)


def test_a_bucket_that_is_missing_is_named_and_the_fix_is_to_create_it(bucket: Bucket) -> None:
    nowhere = bucket.named("nobody-made-this")
    error = told(create(nowhere, "x"), nowhere, "write")
    assert type(error) is StorageError
    assert error.code == "storage.no-bucket"
    assert "nobody-made-this" in error.message
    assert error.fix.startswith("Create the container" if bucket.storage.kind == "azure" else "Create the bucket")


def test_listing_a_bucket_that_is_missing_is_no_empty_list(bucket: Bucket) -> None:
    files = bucket.filesystem()
    error = met(lambda: files.ls("nobody-made-this/db.db"))
    assert is_bucket_missing(error)
    assert told(error, bucket, "list").code == "storage.no-bucket"


def test_a_folder_that_is_missing_is_no_missing_bucket(bucket: Bucket) -> None:
    files = bucket.filesystem()
    error = met(lambda: files.ls(f"{bucket.name}/nothing"))
    assert kind_of(error) is ErrorKind.NOT_THERE


# ---------------------------------------------------------------- the exclusive create


def test_a_name_that_is_taken_is_taken_and_nothing_else(bucket: Bucket) -> None:
    bucket.filesystem().pipe_file(f"{bucket.name}/x", b"one")
    error = create(bucket, "x")
    assert is_taken(error)
    assert not is_unclear(error)
    assert told(error, bucket, "write").code == "storage.taken"


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("fault", [Fault.ANSWER_BEFORE, Fault.ANSWER_AFTER], ids=["before", "after"])
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (408, ErrorKind.UNREACHABLE),
        (409, ErrorKind.BUSY),
        (412, ErrorKind.TAKEN),
        (429, ErrorKind.UNREACHABLE),
        (500, ErrorKind.UNREACHABLE),
        (503, ErrorKind.UNREACHABLE),
        (507, ErrorKind.FULL),
        (401, ErrorKind.CREDENTIALS),
        (403, ErrorKind.FORBIDDEN),
        (400, ErrorKind.FAILED),
    ],
)
def test_the_status_of_an_answer_says_what_went_wrong(bucket: Bucket, flawed: Flawed, status: int, kind: ErrorKind, fault: Fault) -> None:
    behind, proxy = flawed(bucket)
    proxy.always("", "", fault, status=status)
    error = create(behind, "x")
    assert kind_of(error) is kind
    assert is_taken(error) is (kind is ErrorKind.TAKEN)
    assert is_unclear(error) is (kind in {ErrorKind.UNREACHABLE, ErrorKind.BUSY})
    assert passing(error) is (kind in {ErrorKind.UNREACHABLE, ErrorKind.BUSY})


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("fault", [Fault.DROP_BEFORE, Fault.DROP_AFTER], ids=["before", "after"])
def test_whether_a_write_took_place_is_unclear_when_no_answer_came(bucket: Bucket, flawed: Flawed, fault: Fault) -> None:
    behind, proxy = flawed(bucket)
    proxy.always("", "", fault)
    error = create(behind, "x")
    assert is_unclear(error)
    assert told(error, bucket, "write").code == "storage.unreachable"
    assert bucket.filesystem().exists(f"{bucket.name}/x") is (fault is Fault.DROP_AFTER)


@pytest.mark.usefixtures("hasty")
def test_a_library_that_tries_again_is_told_that_its_own_file_is_taken(bucket: Bucket, flawed: Flawed) -> None:
    """Why a name that is taken must be read back, too: it may be ours."""
    behind, proxy = flawed(bucket)
    proxy.fail("PUT" if bucket.storage.kind != "gcs" else "POST", "", Fault.DROP_AFTER)
    assert is_taken(create(behind, "x"))
    assert bucket.filesystem().cat_file(f"{bucket.name}/x") == b"one"


# ---------------------------------------------------------------- who does not answer


@pytest.mark.usefixtures("hasty")
def test_a_storage_where_nobody_listens_is_unreachable(bucket: Bucket) -> None:
    nobody = bucket.through(free_port())
    for error in (read(nobody, "x"), create(nobody, "x"), met(lambda: nobody.filesystem().ls(nobody.name))):
        assert told(error, bucket).code == "storage.unreachable"
        assert passing(error)


@pytest.mark.usefixtures("hasty")
def test_a_storage_that_answers_too_late_is_unreachable(bucket: Bucket, flawed: Flawed) -> None:
    behind, proxy = flawed(bucket)
    proxy.always("", "", Fault.DELAY_BEFORE, seconds=1.0)
    impatient: dict[str, dict[str, Any]] = {
        "s3": {"config_kwargs": {"read_timeout": 0.05, "retries": {"total_max_attempts": 1}}},
        "gcs": {"requests_timeout": 0.05, "timeout": 0.5},
        "azure": {"read_timeout": 0.05},
    }
    error = create(behind, "x", **impatient[bucket.storage.kind])
    assert is_unclear(error)
    assert told(error, bucket, "write").code == "storage.unreachable"


# ---------------------------------------------------------------- who may not


def test_a_key_that_azure_does_not_accept_is_a_matter_of_credentials(azure_bucket: Bucket) -> None:
    import fsspec

    wrong = azure.options(azure_bucket.port, key=base64.b64encode(b"another key").decode())
    files = fsspec.filesystem("abfs", skip_instance_cache=True, **wrong)
    for call in (lambda: files.cat_file(f"{azure_bucket.name}/x"), lambda: files.ls(azure_bucket.name)):
        assert told(met(call), azure_bucket).code == "storage.credentials"


@pytest.mark.parametrize("text", ["nonsense", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=n!"])
def test_a_connection_string_that_is_none_is_a_matter_of_credentials(azure_bucket: Bucket, text: str) -> None:
    import fsspec

    error = met(lambda: fsspec.filesystem("abfs", skip_instance_cache=True, connection_string=text).ls("x"))
    assert told(error, azure_bucket).code == "storage.credentials"


def test_no_credentials_at_all_are_told_as_such(s3_bucket: Bucket, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    error = read(s3_bucket, "x", key=None, secret=None)
    assert type(error).__name__ == "NoCredentialsError"
    assert told(error, s3_bucket).code == "storage.credentials"


# ---------------------------------------------------------------- what is not installed


def test_a_library_that_is_not_installed_is_named_with_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec

    monkeypatch.setitem(sys.modules, "adlfs", None)
    # Whoever asked for it before in this process has it registered.
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "az", raising=False)
    error = trouble(met(lambda: fsspec.filesystem("az")), url="az://data/warehouse", path="", doing="open")
    assert error.code == "storage.missing-extra"
    assert error.fix == 'Run: pip install "airflow-provider-schemas[azure]"'


def test_a_library_for_which_there_is_no_extra_is_named_all_the_same() -> None:
    import fsspec

    error = trouble(met(lambda: fsspec.filesystem("sftp", host=HOST)), url="sftp://host/warehouse", path="", doing="open")
    assert error.code == "storage.missing-extra"
    assert "paramiko" in error.message


def test_a_protocol_that_nobody_knows_is_told_as_such() -> None:
    import fsspec

    error = trouble(met(lambda: fsspec.filesystem("s33")), url="s33://data/warehouse", path="", doing="open")
    assert error.code == "storage.unknown-protocol"
    assert "'s33'" in error.message


# ---------------------------------------------------------------- local disks


def test_a_file_that_is_missing_on_the_disk_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "x", tmp_path):  # a folder is no file either
        error = trouble(met(path.read_bytes), url=str(tmp_path), path="x", doing="read")
        assert isinstance(error, NotThereError)


def test_a_folder_that_may_not_be_written_to_is_forbidden() -> None:
    """Root may write to every folder of a disk, but not to those that the kernel makes."""
    readonly = Path("/sys") if os.geteuid() == 0 else Path("/")
    error = met(lambda: (readonly / "schema-1").write_bytes(b""))
    assert trouble(error, url=str(readonly), path="schema-1", doing="write").code == "storage.forbidden"


def test_a_disk_that_is_full_is_told_as_such(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
        error = met(lambda: (tmp_path / "x").write_bytes(b"x" * 10_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert trouble(error, url=str(tmp_path), path="x", doing="write").code == "storage.full"
    assert trouble(OSError(errno.ENOSPC, "No space left on device"), url=str(tmp_path), path="x", doing="write").code == "storage.full"


@pytest.mark.parametrize("name", ["x" * 300, "x\0y", "\ud800"], ids=["too long", "null", "half a pair"])
def test_a_name_that_no_disk_takes_is_refused(tmp_path: Path, name: str) -> None:
    error = met(lambda: (tmp_path / name).write_bytes(b""))
    assert trouble(error, url=str(tmp_path), path="x", doing="write").code == "storage.refused-path"


def test_a_file_where_a_folder_should_be_is_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"")
    error = met(lambda: (tmp_path / "t" / "schema-1").write_bytes(b""))
    assert trouble(error, url=str(tmp_path), path="t/schema-1", doing="write").code == "storage.failed"


def test_too_many_open_files_pass(tmp_path: Path) -> None:
    error = OSError(errno.EMFILE, "Too many open files")
    assert passing(error)
    assert passing(trouble(error, url=str(tmp_path), path="x", doing="read"))


# ---------------------------------------------------------------- how it is told


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_every_kind_is_a_sentence_that_says_what_to_do(kind: ErrorKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airflow_provider_schemas.store.storage.errors.kind_of", lambda _: kind)
    error = trouble(OSError("?"), url="s3://data/warehouse", path="db.db/t", doing="read")
    assert error.code == kind.value
    assert error.message.endswith(".")
    assert error.fix.endswith((".", '"'))
    assert "s3://data/warehouse" in error.message
    assert str(error).count("db.db/t") == 1
    assert pickle.loads(pickle.dumps(error)).faults == error.faults


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("s3://user:hunter2@host/bucket", "the request failed"),
        ("abfs://data/x?sig=hunter2", "the request failed"),
        ("s3://bucket", "AccountName=a;AccountKey=hunter2;EndpointSuffix=x"),
        ("s3://bucket", "{'aws_secret_access_key': 'hunter2'}"),
        ("s3://bucket", "Authorization: Bearer hunter2"),
        ("s3://bucket", "cannot open https://user:hunter2@host/x?sig=hunter2"),
        ("s3://bucket", "password = hunter2, token: hunter2"),
    ],
)
def test_keys_and_tokens_are_never_shown(url: str, text: str) -> None:
    assert "hunter2" not in str(trouble(RuntimeError(text), url=url, path="x", doing="read"))


def test_what_a_library_says_is_one_short_line() -> None:
    error = trouble(RuntimeError("one\ntwo " + "x" * 10_000), url="s3://bucket", path="x", doing="read")
    assert "RuntimeError (one two xxx" in error.message
    assert len(error.message) < 500


def test_our_own_errors_pass_unchanged() -> None:
    error = NotThereError("there is no such table.")
    assert trouble(error, url="s3://bucket", path="x", doing="read") is error


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, MemoryError, GeneratorExit])
def test_what_ends_the_process_is_no_trouble_of_a_storage(kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        trouble(kind(), url="s3://bucket", path="x", doing="read")


def test_a_certificate_that_is_not_accepted_will_not_be_in_a_minute() -> None:
    import ssl

    error = ssl.SSLCertVerificationError("certificate verify failed")
    assert kind_of(error) is ErrorKind.UNREACHABLE
    assert not passing(error)
    assert passing(socket.gaierror("Temporary failure in name resolution"))


def test_an_exception_that_was_handled_before_does_not_speak_for_the_next() -> None:
    def both() -> None:
        try:
            raise ConnectionResetError
        except ConnectionResetError:
            Path("/nothing/at/all").read_bytes()

    assert kind_of(met(both)) is ErrorKind.NOT_THERE
