"""Environments are made, grow and fail as `make` promises: real scripts, real pip, wheels from a folder, and no network."""

import os
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tools.environments import azurite, certificates, disk, failures, lists, pip_settings, state, uv_settings
from tools.environments.errors import SetupError
from tools.environments.failures import ADVICE_OF_NPM, Kind
from tools.environments.pip_settings import PipSettings
from tools.environments.progress import Progress
from tools.environments.state import Change, State

TOP = Path(__file__).parents[2]
SCRIPT = TOP / "tools/environment.sh"
PINS = "alpha==1.0\nbeta==1.0\n"
# Installs with the pip of the tests, which needs no pip in the environment, and keeps what it was called with.
UV = f"""#!/bin/sh
if [ "$1" = --version ]; then echo "uv 0.9.9"; exit 0; fi
case "$*" in *--offline*) echo "error: No solution found"; exit 2 ;; esac
echo "$@" >>"$CALLS"
env >"$CALLS.env"
[ -z "${{UV_SAYS:-}}" ] || {{ echo "$UV_SAYS" >&2; exit 2; }}
shift 2
python=$2
shift 2
for word in "$@"; do
    shift
    [ "$word" = pip ] || set -- "$@" "$word"
done
exec {sys.executable} -m pip --python "$python" install "$@"
"""


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def make_wheel(folder: Path, name: str, version: str) -> None:
    folder.mkdir(exist_ok=True)
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", f"{name}.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")


class Place:
    """A folder with two lists, their pins, wheels, a uv, and a home that is empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.venv = folder / "env"
        self.calls = folder / "calls"
        self.pins = folder / "pins.txt"
        self.pins.write_text(PINS)
        (folder / "small.txt").write_text("alpha\n")
        (folder / "big.txt").write_text("-r small.txt\nbeta\n")
        (folder / "home").mkdir()
        for name, version in (("alpha", "1.0"), ("alpha", "2.0"), ("beta", "1.0")):
            make_wheel(folder / "wheels", name, version)
        self.uv = executable(folder / "bin/uv", UV)
        self.variables = {
            "HOME": str(folder / "home"),
            "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
            "PYTHON": sys.executable,
            "CALLS": str(self.calls),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(folder / "wheels"),
        }

    def start(self, name: str, **more: str) -> subprocess.Popen[str]:
        command: list[str | Path] = [SCRIPT, self.venv, self.folder / f"{name}.txt", self.pins, "bare"]
        return subprocess.Popen(
            command, env=self.variables | more, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
        )

    def make(self, name: str, *, ends: int = 0, **more: str) -> str:
        process = self.start(name, **more)
        out, error = process.communicate()
        assert process.returncode == ends, out + error
        assert "Traceback" not in error
        return out + error

    def installed(self) -> set[str]:
        return {path.name.removesuffix(".dist-info") for path in self.venv.glob("lib/*/site-packages/*.dist-info")} - {"pip"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# ---------------------------------------------------------------- growing


def test_an_environment_grows_by_the_lists_that_are_asked_for(place: Place) -> None:
    assert "Making" in place.make("small")
    assert place.installed() == {"alpha-1.0"}
    assert "Adding" in place.make("big")
    assert place.installed() == {"alpha-1.0", "beta-1.0"}


def test_a_smaller_list_changes_nothing_and_the_second_call_starts_no_python(place: Place) -> None:
    place.make("big")
    assert place.make("small") == ""
    assert place.make("small", PYTHON="/nowhere/python") == ""
    assert place.make("big", PYTHON="/nowhere/python") == ""
    assert len(place.calls.read_text().splitlines()) == 1


def test_a_changed_pin_updates_all_that_the_environment_has_grown_to(place: Place) -> None:
    place.make("big")
    place.pins.write_text("alpha==2.0\nbeta==1.0\n")
    assert "changed" in place.make("small")
    assert place.installed() == {"alpha-2.0", "beta-1.0"}


def test_what_nothing_names_any_more_is_gone_afterwards(place: Place) -> None:
    place.make("big")
    (place.folder / "big.txt").write_text("-r small.txt\n")
    place.pins.write_text("alpha==1.0\n")
    assert "Making" in place.make("big")
    assert place.installed() == {"alpha-1.0"}


def test_an_environment_that_was_interrupted_is_made_anew(place: Place) -> None:
    place.make("big", ends=1, UV_SAYS="error: dns error: no name\nos error 28")
    place.make("big")
    (place.venv / "made-from").unlink()
    (place.venv / "half-of-something").touch()
    assert "Making" in place.make("big")
    assert not (place.venv / "half-of-something").exists()


def test_growth_that_fails_before_it_changes_anything_leaves_what_was_there(place: Place) -> None:
    place.make("small")
    (place.folder / "big.txt").write_text("-r small.txt\nbeta\nmissing\n")
    assert "missing" in place.make("big", ends=1)
    assert place.make("small", PYTHON="/nowhere/python") == ""
    assert place.installed() == {"alpha-1.0"}


def test_an_environment_that_was_moved_or_lost_its_python_is_made_anew(place: Place) -> None:
    place.make("small")
    (place.venv / "bin/python").unlink()
    assert "Making" in place.make("small")
    place.venv.rename(place.folder / "elsewhere")
    place.venv = place.folder / "elsewhere"
    assert "Making" in place.make("small")


def test_two_calls_at_once_make_it_once(place: Place) -> None:
    processes = [place.start("big"), place.start("big")]
    texts = ["".join(process.communicate()) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], texts
    assert sum("Making" in text for text in texts) == 1
    assert place.installed() == {"alpha-1.0", "beta-1.0"}


def test_a_folder_that_is_no_environment_is_left_alone(place: Place) -> None:
    (place.venv / "bin").mkdir(parents=True)
    (place.venv / "thesis.txt").write_text("years of work")
    assert "not a virtual environment" in place.make("small", ends=1)
    assert (place.venv / "thesis.txt").read_text() == "years of work"


def test_a_call_that_is_ended_ends_its_tool(place: Place) -> None:
    executable(place.uv, '#!/bin/sh\n[ "$1" != --version ] || { echo "uv 0.9.9"; exit 0; }\necho $$ >"$CALLS.pid"\nexec sleep 1000\n')
    process = place.start("small")
    pid = place.folder / "calls.pid"
    while not (pid.is_file() and pid.read_text().strip()):
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert not (place.venv / "made-from").exists()


# ---------------------------------------------------------------- which tool


def test_uv_gets_what_pip_is_set_to_as_variables_that_nobody_else_sees(place: Place) -> None:
    config = place.folder / "pip.conf"
    config.write_text("[global]\nextra-index-url =\n    https://ana:secret@index.example/simple\n    https://other.example/simple\n")
    place.make("small", PIP_CONFIG_FILE=str(config))
    assert "secret" not in place.calls.read_text() + (place.folder / "env.log").read_text()
    assert "UV_INDEX=https://ana:secret@index.example/simple https://other.example/simple" in (place.folder / "calls.env").read_text()


def test_where_uv_fails_pip_installs_the_same_pins_and_says_why(place: Place) -> None:
    text = place.make("big", UV_SAYS="error: unexpected argument '--python'")
    assert "uv 0.9.9 failed at" in text
    assert "unexpected argument '--python'): pip is tried" in text
    assert "distributions by pip" in text
    assert {"alpha-1.0", "beta-1.0"} <= place.installed()


def test_where_uv_cannot_be_had_pip_installs_and_says_why(place: Place) -> None:
    place.uv.unlink()
    text = place.make("small")
    assert "uv is not on the PATH" in text
    assert "found no version that fits the pins of uv" in text
    assert "alpha-1.0" in place.installed()


def test_pins_that_no_index_has_end_it_without_another_try(place: Place) -> None:
    place.pins.write_text("alpha==7.0\nbeta==1.0\n")
    text = place.make("small", ends=1)
    assert "found no version that fits the pins" in text
    assert str(place.folder / "env.log") in text
    assert "pip is tried" not in text


def test_an_index_that_cannot_be_reached_is_one_sentence_without_its_password(place: Place) -> None:
    place.uv.unlink()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        index = f"http://ana:secret@127.0.0.1:{closed.getsockname()[1]}/simple"
        text = place.make("small", ends=1, PIP_NO_INDEX="0", PIP_FIND_LINKS="", PIP_INDEX_URL=index, PIP_RETRIES="1")
    assert "could not download uv from http://127.0.0.1:" in text
    assert "PIP_INDEX_URL" in text
    assert "HTTPS_PROXY" in text
    assert "secret" not in text + (place.folder / "env.log").read_text()


# ---------------------------------------------------------------- what a machine must have


@pytest.mark.parametrize("name", ["python3", "python3.10"])
def test_an_old_python_is_named_at_once(place: Place, name: str) -> None:
    tools = place.folder / "tools"
    executable(tools / name, '#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.10.13"\n')
    for tool in ("sh", "cat", "cksum", "tr", "dirname", "grep"):
        (tools / tool).symlink_to(next(path for path in (Path("/bin") / tool, Path("/usr/bin") / tool) if path.exists()))
    text = place.make("small", ends=1, PATH=str(tools), PYTHON="" if name == "python3" else name)
    assert text.startswith("Python 3.11 or newer is needed, and ")
    assert f"Python 3.10.13 ({name})" in text
    assert not place.venv.exists()


def java(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "bin").mkdir(exist_ok=True)
    for tool in ("sh", "sed", "head", "cat"):
        (folder / "bin" / tool).symlink_to(next(path for path in (Path("/bin") / tool, Path("/usr/bin") / tool) if path.exists()))
    environment = {"PATH": str(folder / "bin"), **variables}
    return subprocess.run([TOP / "tools/java.sh"], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("version", "ends"), [("17.0.9", 0), ("21", 0), ("25-ea", 0), ("11.0.20", 1), ("1.8.0_392", 1)])
def test_java_must_be_seventeen_or_newer(tmp_path: Path, version: str, ends: int) -> None:
    executable(tmp_path / "bin/java", f"#!/bin/sh\necho 'openjdk version \"{version}\" 2024' >&2\n")
    done = java(tmp_path)
    assert done.returncode == ends
    assert done.stderr.startswith("" if ends == 0 else f"Java 17 or newer was not found: java is {version.partition('_')[0]}")


def test_a_machine_without_java_says_what_to_install_and_who_named_it(tmp_path: Path) -> None:
    done = java(tmp_path, JAVA_HOME="/nowhere")
    assert done.returncode == 1
    assert "/nowhere/bin/java (by JAVA_HOME) is missing" in done.stderr
    assert "apt install openjdk-17-jre-headless" in done.stderr


def test_a_disk_that_is_too_full_is_one_sentence(tmp_path: Path) -> None:
    disk.check(tmp_path / "env", (1, 1), {})
    with pytest.raises(SetupError, match=r"GB free, and .*env with its downloads needs 1000000\.0 GB there"):
        disk.check(tmp_path / "env", (1, 1_000_000_000), {"UV_CACHE_DIR": str(tmp_path)})


def test_every_list_has_its_need_of_disk() -> None:
    names = {path.name for path in (TOP / "tests/environments").glob("*.txt")}
    assert {name for name in names if not name.endswith("constraints.txt")} == set(disk.NEEDS)


def test_what_is_there_already_needs_no_room() -> None:
    size, working = disk.need(["all.txt"], ["tests/environments/demo.txt"])
    size_of_all, working_of_all = disk.need(["all.txt"])
    assert 0 < size < size_of_all
    assert 0 < working < working_of_all


def test_files_with_two_names_count_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(3_000_000))
    os.link(tmp_path / "file", tmp_path / "other-name")
    assert disk.megabytes(tmp_path) == 3


# ---------------------------------------------------------------- the settings of pip


def test_settings_are_read_from_a_real_pip_and_variables_beat_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "pip.conf"
    config.write_text(
        "[global]\nindex-url = https://a.example/simple\ntimeout = 7\nretries = 1\n[install]\nretries = 2\nno-index = false\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "9")
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path} https://b.example/files")
    settings = pip_settings.read(sys.executable)
    assert settings is not None
    assert settings.text("index-url") == "https://a.example/simple"
    assert (settings.text("timeout"), settings.text("retries")) == ("9", "2")
    assert settings.words("find-links") == [str(tmp_path), "https://b.example/files"]
    assert not settings.flag("no-index")


def test_a_python_without_pip_has_no_settings(tmp_path: Path) -> None:
    assert pip_settings.read(executable(tmp_path / "python", "#!/bin/sh\nexit 1\n")) is None


def given(values: Mapping[str, str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    return uv_settings.variables(PipSettings(values), own or {})


@pytest.mark.parametrize(
    ("name", "value", "variable", "becomes"),
    [
        ("index-url", "https://a.example/simple", "UV_DEFAULT_INDEX", "https://a.example/simple"),
        ("extra-index-url", "\nhttps://b.example/1\nhttps://b.example/2", "UV_INDEX", "https://b.example/1 https://b.example/2"),
        ("find-links", "https://c.example/1 https://c.example/2", "UV_FIND_LINKS", "https://c.example/1,https://c.example/2"),
        ("trusted-host", "a.example b.example", "UV_INSECURE_HOST", "a.example b.example"),
        ("timeout", "60", "UV_HTTP_TIMEOUT", "60"),
        ("retries", "9", "UV_HTTP_RETRIES", "9"),
        ("client-cert", "/c.pem", "SSL_CLIENT_CERT", "/c.pem"),
        ("cert", "/ca.pem", "SSL_CERT_FILE", "/ca.pem"),
        ("proxy", "proxy.example:3128", "HTTPS_PROXY", "http://proxy.example:3128"),
        ("no-cache-dir", "true", "UV_NO_CACHE", "1"),
    ],
)
def test_each_setting_of_pip_has_its_variable_of_uv(name: str, value: str, variable: str, becomes: str) -> None:
    assert given({name: value})[variable] == becomes
    assert given({}).get(variable) != becomes


def test_all_indexes_are_equal_as_for_pip() -> None:
    assert given({})["UV_INDEX_STRATEGY"] == "unsafe-best-match"


def test_a_folder_of_links_that_is_missing_is_left_out_as_pip_does(tmp_path: Path) -> None:
    assert given({"find-links": f"{tmp_path} {tmp_path / 'missing'}"})["UV_FIND_LINKS"] == str(tmp_path)


def test_what_is_set_for_uv_itself_stays() -> None:
    own = {"UV_DEFAULT_INDEX": "https://own.example/simple", "UV_HTTP_TIMEOUT": "5", "PYTHONPATH": "/somewhere"}
    merged = given({"index-url": "https://a.example/simple", "timeout": "60"}, own)
    assert (merged["UV_DEFAULT_INDEX"], merged["UV_HTTP_TIMEOUT"]) == ("https://own.example/simple", "5")
    assert "PYTHONPATH" not in merged


def test_what_uv_has_no_variable_for_is_an_argument() -> None:
    settings = PipSettings({"no-index": "true", "only-binary": ":all:", "no-binary": "alpha,beta"})
    assert uv_settings.arguments(settings) == ["--no-index", "--no-binary", "alpha", "--no-binary", "beta", "--only-binary", ":all:"]


@pytest.mark.parametrize(
    ("cert", "own", "file"),
    [
        ("/pip.pem", {"SSL_CERT_FILE": "/ssl.pem"}, "/pip.pem"),
        ("", {"SSL_CERT_FILE": "/ssl.pem", "REQUESTS_CA_BUNDLE": "/requests.pem"}, "/ssl.pem"),
        ("", {"REQUESTS_CA_BUNDLE": "/requests.pem"}, "/requests.pem"),
        ("", {}, None),
    ],
)
def test_uv_and_npm_trust_the_certificates_of_pip(cert: str, own: dict[str, str], file: str | None) -> None:
    settings = PipSettings({"cert": cert})
    assert certificates.chosen(settings, own) == file
    assert uv_settings.variables(settings, own).get("SSL_CERT_FILE") == file
    assert ("UV_SYSTEM_CERTS" in uv_settings.variables(settings, own)) == (file is None)


def test_npm_trusts_what_pip_trusts_unless_node_is_set_itself(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.touch()
    settings = PipSettings({"cert": str(file), "proxy": "proxy.example:3128"})
    assert azurite.variables(settings, {})["NODE_EXTRA_CA_CERTS"] == str(file)
    assert azurite.variables(settings, {})["HTTPS_PROXY"] == "http://proxy.example:3128"
    own = {"NODE_EXTRA_CA_CERTS": "/own.pem", "HTTPS_PROXY": "http://own.example"}
    assert azurite.variables(settings, own).items() >= own.items()


# ---------------------------------------------------------------- what is said

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


# ---------------------------------------------------------------- what a call changes

BEFORE = State("/env", "bare", ("small.txt",), ("alpha", "beta"), "1", "1")


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (BEFORE, BEFORE, Change.NOTHING),
        (None, BEFORE, Change.MAKE),
        (BEFORE, replace(BEFORE, folder="/other"), Change.MAKE),
        (BEFORE, replace(BEFORE, mode="editable"), Change.MAKE),
        (BEFORE, replace(BEFORE, names=("alpha",)), Change.MAKE),
        (BEFORE, replace(BEFORE, lists=("big.txt",), contents="2"), Change.GROW),
        (BEFORE, replace(BEFORE, names=("alpha", "beta", "gamma"), contents="2"), Change.UPDATE),
        (BEFORE, replace(BEFORE, project="2"), Change.PROJECT),
    ],
)
def test_a_call_changes_no_more_than_it_must(before: State | None, after: State, change: Change) -> None:
    assert state.change(before, after, works=True) is change
    assert state.change(before, after, works=False) is Change.MAKE


def test_of_lists_that_include_each_other_the_widest_stays(tmp_path: Path) -> None:
    for name, text in (("a.txt", "x\n"), ("b.txt", "-r a.txt\ny\n"), ("c.txt", "z\n")):
        (tmp_path / name).write_text(text)
    assert [path.name for path in lists.widest([tmp_path / name for name in ("a.txt", "b.txt", "c.txt", "b.txt")])] == ["b.txt", "c.txt"]
