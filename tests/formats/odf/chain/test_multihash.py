"""Hashes are written as `f1620...`, and read in every base in which the specification lets people write them."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.chain.multihash import SHA3_256, Multihash, block_hash, multihash_of, parse_multihash

TEXT = "f16209eb949bd8ff0bb1d827f11809aebc6bd0d5955c7f368469a913c70d196620272"
PREVIOUS = Multihash(SHA3_256, hashlib.sha3_256(b"prev").digest())
B32 = base64.b32encode(PREVIOUS.binary).decode()
B64 = base64.b64encode(PREVIOUS.binary).decode()
digests = st.binary(min_size=32, max_size=32)
foreign = st.builds(Multihash, st.integers(0, 2**40).filter(lambda one: one != SHA3_256), st.binary(min_size=1, max_size=64))


def in_base58(binary: bytes) -> str:
    letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    value, text = int.from_bytes(binary, "big"), ""
    while value:
        value, digit = divmod(value, 58)
        text = letters[digit] + text
    return "1" * (len(binary) - len(binary.lstrip(b"\0"))) + text


def test_a_hash_is_written_in_the_form_of_the_reference() -> None:
    assert str(block_hash(b"prev")) == TEXT
    assert PREVIOUS.binary == bytes.fromhex(TEXT[1:])


@pytest.mark.parametrize(
    "text",
    [
        *(TEXT, "F" + TEXT[1:].upper(), "z" + in_base58(PREVIOUS.binary)),
        *("b" + B32.lower().rstrip("="), "B" + B32.rstrip("="), "c" + B32.lower(), "C" + B32),
        *("m" + B64.rstrip("="), "M" + B64),
        *("u" + B64.translate(str.maketrans("+/", "-_")).rstrip("="), "U" + B64.translate(str.maketrans("+/", "-_"))),
    ],
)
def test_every_base_gives_the_same_hash(text: str) -> None:
    assert parse_multihash(text) == PREVIOUS


@given(digests.map(lambda one: Multihash(SHA3_256, one)) | foreign)
def test_what_was_written_is_read_back(found: Multihash) -> None:
    assert parse_multihash(str(found)) == found
    assert multihash_of(found.binary) == found
    assert parse_multihash(f"z{in_base58(found.binary)}") == found


@pytest.mark.parametrize(
    "text", ["", "f", TEXT[1:], TEXT[:-2], TEXT + "00", "f16", "x" + TEXT[1:], "f" + TEXT[1:].upper(), "z0OIl", "m*", "b1", "f" * 10_000]
)
def test_what_is_no_hash_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_multihash(text)
    assert caught.value.code == "odf.hash"
    assert "f1620" in caught.value.fix


@given(st.text(max_size=100) | st.builds(lambda base, rest: base + rest, st.sampled_from("fFbBcCzmMuU"), st.text(max_size=80)))
def test_any_text_is_a_hash_or_refused(text: str) -> None:
    try:
        assert parse_multihash(text).digest
    except FormatError as error:
        assert error.code == "odf.hash"  # noqa: PT017  # both ends are right
