"""The settings of pip hold for uv and npm as well: index, links, certificates, proxy."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tools.support.environments import executable
from tools.environments import certificates, npm_package, pip_settings, uv_settings
from tools.environments.pip_settings import PipSettings


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
    assert npm_package.variables(settings, {})["NODE_EXTRA_CA_CERTS"] == str(file)
    assert npm_package.variables(settings, {})["HTTPS_PROXY"] == "http://proxy.example:3128"
    own = {"NODE_EXTRA_CA_CERTS": "/own.pem", "HTTPS_PROXY": "http://own.example"}
    assert npm_package.variables(settings, own).items() >= own.items()
