"""Change the code a little and see whether a test notices: `python -m tools.mutants`.

A sample of small changes (mutants) is planted into the touched modules while they are imported, each behind a switch that is off.
The tests are collected once. A first run learns which tests reach which mutant. Then each mutant gets a process of its own, a fork,
which turns the switch on and runs only the tests that reach it, until the first of them fails. No file is ever written.

A library was looked for and not taken: mutmut and cosmic-ray write the mutants to disk (a copy of the project, or the file itself), and
mutatest into __pycache__; the first two have no seeded sample, and all but mutmut start the tests anew for each mutant, which takes
more than ten seconds here before the first test runs.
"""
