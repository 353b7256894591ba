"""What is printed while an environment is made: the last step, and of a failure one sentence with the file and the reason."""

import os

import pytest

from tools.environments import failures
from tools.environments.failures import ADVICE_OF_NPM, Kind
from tools.environments.progress import Progress

NO_NAMES = """Using Python 3.11.7 environment at: .venv
error: Request failed after 3 retries in 6.6s
  cause: Failed to fetch: https://ana:secret@index.example/simple/six/
  cause: client error (Connect)
  cause: dns error
  cause: failed to lookup address information: Temporary failure in name resolution
"""
PIP_NO_NAMES = """WARNING: Retrying after '<x>: Failed to establish a new connection: [Errno -3] Temporary failure')': /simple/six/
ERROR: Could not find a version that satisfies the requirement six (from versions: none)
ERROR: No matching distribution found for six
"""
NPM_TRUST = """npm error code SELF_SIGNED_CERT_IN_CHAIN
npm error request to https://registry.example/azurite failed, reason: self-signed certificate in certificate chain
npm error A complete log of this run can be found in: _logs/1.log
"""


@pytest.mark.parametrize(
    ("output", "kind", "file", "words"),
    [
        (NO_NAMES, Kind.NETWORK, "https://index.example/simple/six/", "Temporary failure in name resolution"),
        (PIP_NO_NAMES, Kind.NETWORK, "six from the package index", "Failed to establish a new connection: [Errno -3] Temporary failure"),
        (NPM_TRUST, Kind.TRUST, "https://registry.example/azurite", "self-signed certificate in certificate chain"),
        ("error: x\n  cause: invalid peer certificate: UnknownIssuer\n", Kind.TRUST, "the list", "UnknownIssuer"),
        ("ERROR: Could not install: [Errno 28] No space left on device\n", Kind.DISK, "the list", "No space left on device"),
        (
            "error: HTTP status client error (401 Unauthorized) for url (https://index.example/a/)",
            Kind.ACCESS,
            "https://index.example/a/",
            "401",
        ),
        ("ERROR: No matching distribution found for uv<1,>=0.8\n", Kind.PINS, "uv<1,>=0.8", "No matching distribution"),
        ("  x No solution found when resolving dependencies:\n", Kind.PINS, "the list", "No solution found"),
        ("npm error code ETARGET\nnpm error notarget No matching version found for azurite@9.9.9.\n", Kind.PINS, "the list", "ETARGET"),
        ("Traceback\nValueError: broken\n", Kind.OTHER, "the list", "ValueError: broken"),
        ("", Kind.OTHER, "the list", "it printed nothing"),
    ],
)
def test_a_failure_names_the_file_and_the_reason(output: str, kind: Kind, file: str, words: str) -> None:
    failure = failures.failure("tool", output, "the list")
    assert failure.kind is kind
    assert file in failure.file
    assert words in failure.words
    assert "secret" not in failure.sentence("the.log")
    assert "the.log" in failure.sentence("the.log")


def test_npm_is_mended_with_settings_of_npm() -> None:
    failure = failures.failure("npm", NPM_TRUST, "azurite", ADVICE_OF_NPM)
    assert "NODE_EXTRA_CA_CERTS" in failure.sentence("the.log")


def test_a_line_of_progress_says_the_seconds_and_the_last_step() -> None:
    progress = Progress("uv installs demo.txt")
    progress.hear("Downloading pyspark (433.1MiB)\n")
    progress.hear("something else\n")
    line = progress.line(42.4, os.getpid())
    assert line.startswith("  uv installs demo.txt: 42 s")
    assert line.endswith("Downloading pyspark (433.1MiB)")
