"""What a mutant changes: for each kind of node, the texts that may stand in its place."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.mutants.source import Source

# By operator: how it is written, and what replaces it.
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
}
DROPPABLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.BitOr, ast.BitAnd)
LOOSE = (ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr)
WORD = re.compile(r"[\w.-]+")


class Edit(NamedTuple):
    """Another text in the place of a node."""

    operator: str
    node: ast.expr | ast.stmt
    text: str


def edits(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Name every edit of this node; those of the nodes below it are not among them."""
    match node:
        case ast.Compare():
            yield from _comparisons(source, node)
        case ast.BoolOp():
            yield from _and_or(source, node)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Edit("not-away", node, _alone(source, operand))
        case ast.BinOp(op=op, left=left) if isinstance(op, DROPPABLE) and not isinstance(left, ast.JoinedStr):
            yield Edit("right-operand-away", node, _alone(source, left))
        case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
            yield Edit("call-away", node, "pass")
        case ast.Constant():
            yield from _constants(node)
        case _:
            yield from _branches(node)


def _branches(node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.comprehension(ifs=filters):
            yield from (Edit("filter-away", test, "True") for test in filters)
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Constant):
            yield Edit("always", test, "True")
            yield Edit("never", test, "False")
        case ast.While(test=test):
            yield Edit("never", test, "False")
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield Edit("return-none", value, "None")


def _comparisons(source: Source, node: ast.Compare) -> Iterator[Edit]:
    operands = [node.left, *node.comparators]
    for place, (op, (left, right)) in enumerate(zip(node.ops, itertools.pairwise(operands), strict=True)):
        written, other = COMPARISONS[type(op)]
        gap = re.sub(written, other, source.between(left, right), count=1)
        before = source.text[source.start(node) : source.end(left)]
        after = source.text[source.start(right) : source.end(node)]
        yield Edit(f"comparison-{place}" if place else "comparison", node, before + gap + after)


def _and_or(source: Source, node: ast.BoolOp) -> Iterator[Edit]:
    word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    gaps = [re.sub(rf"\b{word}\b", other, source.between(*pair), count=1) for pair in itertools.pairwise(node.values)]
    texts = [source.of(value) for value in node.values]
    # Parentheses around the first and the last operand stand outside of their nodes, but inside of this one.
    opening = source.text[source.start(node) : source.start(node.values[0])]
    closing = source.text[source.end(node.values[-1]) : source.end(node)]
    joined = "".join(text + gap for text, gap in itertools.zip_longest(texts, gaps, fillvalue=""))
    yield Edit(f"{word}-to-{other}", node, opening + joined + closing)
    for dropped in range(len(node.values)):
        kept = [_alone(source, value) for place, value in enumerate(node.values) if place != dropped]
        yield Edit(f"operand-{dropped + 1}-away", node, f" {word} ".join(kept))


def _constants(node: ast.Constant) -> Iterator[Edit]:
    match node.value:
        case bool():
            yield Edit("flipped", node, str(not node.value))
        case int():
            yield Edit("plus-one", node, str(node.value + 1))
        case str() if WORD.fullmatch(node.value):
            yield Edit("other-word", node, f'"{node.value}_"')


def _alone(source: Source, node: ast.expr) -> str:
    """Return the text of an operand that loses its neighbour; its parentheses are no part of it."""
    return f"({source.of(node)})" if isinstance(node, LOOSE) else source.of(node)
