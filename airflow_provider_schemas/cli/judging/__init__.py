"""Verdicts on the command line: what is compared with what, the reports about it, and what could not be judged."""
