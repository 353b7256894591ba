"""Strategies for what is nearly sound: texts, bytes and JSON values of which some are sound, and most have a few damages.

A law about any input claims nothing of what is read unless much of it can be read, and random input never can.
"""

from typing import Any, TypeVar

from hypothesis import strategies as st

Value = TypeVar("Value")

DAMAGES = st.sampled_from([0, 0, 1, 2])


@st.composite
def mostly(draw: st.DrawFn, likely: st.SearchStrategy[Value], others: st.SearchStrategy[Value], times: int = 9) -> Value:
    """A likely input that many times for once another."""
    return draw(draw(st.sampled_from([*[likely] * times, others])))


@st.composite
def texts(draw: st.DrawFn, sound: st.SearchStrategy[str], pieces: st.SearchStrategy[str]) -> str:
    """A sound text, in which up to two places have given way to other pieces."""
    text = draw(sound)
    for _ in range(draw(DAMAGES)):
        first = draw(st.integers(0, len(text)))
        text = text[:first] + draw(pieces) + text[first + draw(st.integers(0, 2)) :]
    return text


@st.composite
def values(draw: st.DrawFn, sound: st.SearchStrategy[Any], others: st.SearchStrategy[Any]) -> Any:
    """A sound value of JSON, in which up to two parts at any depth are gone or have given way to others."""
    value = draw(sound)
    for _ in range(draw(DAMAGES)):
        value = _damaged(draw, value, others)
    return value


def _damaged(draw: st.DrawFn, value: Any, others: st.SearchStrategy[Any]) -> Any:
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 4)) == 0:
        return draw(others)
    places = list(value) if isinstance(value, dict) else range(len(value))
    place = draw(st.sampled_from(places))
    damaged = value.copy()
    if draw(st.integers(0, 4)) == 0:
        del damaged[place]
    else:
        damaged[place] = _damaged(draw, value[place], others)
    return damaged
