"""Verdicts on the command line: what is compared with what, the reports about it, and what could not be judged.

What is here, in reading order:

    verdicts          the verdicts of a line, and their JSON
    git_fallback      whether files without a base are compared with git
    pull_request      files against git: which are compared, and what is noted
    pull_request_files, pull_request_tables, pull_request_contracts, pull_request_readers    its parts
    operand_groups    the objects of a line, put into pairs and groups
    steps             the step from one schema to another, and a schema by itself
    base              the table that a table file is compared with
    jobs              tables against the contracts of jobs
    data              what the data of a table adds to a verdict
    file_policy       the policy of two files
    repository_findings    files in git that were deleted, or that name another table
    odf_chains        schemas of ODF
    dry_run           what a line that writes would write
    missing_tables    tables that are not there, and names that are near
    compared          words that say what was compared with what
"""
