"""What CI systems are told of a check: one value in, and a text in the format of each system out.

What is here, in reading order:

    api          a run in a format by its name
    check_run    everything that a line judged, as one value
    locations    where a finding stands, below the root of the repository
    entries      findings and faults as all formats tell them, worst first, each with a fingerprint
    headline     a run in one line
    sarif        SARIF 2.1.0, for code scanning
    sarif_rules  the rules of a SARIF file
    junit        test cases, a table each
    github       the commands of a workflow's log
    log_text     text that no log takes for a command
    gitlab       the report of code quality
    html         one file with all of it
    comment      Markdown for a comment, below the limits of hosts
"""
