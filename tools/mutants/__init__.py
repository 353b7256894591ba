"""Change the code a little and see whether a test notices: `python -m tools.mutants`.

A sample of small changes (mutants) is planted into the touched modules while they are imported, each behind a switch that is off.
The tests are collected once. A first run learns which tests reach which mutant. Then each mutant gets a process of its own, a fork,
which turns the switch on and runs only the tests that reach it, until the first of them fails. No file is ever written.

No library does this: mutmut copies the project and tries every mutant of it, without a sample; cosmic-ray changes
the file itself and starts the tests anew for each mutant, which here takes more than ten seconds before the first of them runs; and
mutatest, which has a seeded sample, changes __pycache__ and starts the tests anew as well.
"""
