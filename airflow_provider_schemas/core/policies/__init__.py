"""Policies: how strictly each rule counts, for whom, and since when.

In reading order:

    levels.py         what a bad answer to a question does, and which versions count
    plain_policy.py   a policy as a verdict needs it, and the default one; loads nothing that reads what people write
    policy.py         a policy as people write it: modes, presets, exceptions, several joined
    given_policy.py   the policy that a caller hands in, in whatever form
    rule_names.py     names of rules that people write
    evidence.py       what somebody found out about live files
    severity.py       the verdict of a policy on a finding: start here for a verdict that surprises
"""
