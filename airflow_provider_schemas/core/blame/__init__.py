"""Since when each column is as it is, by whom, and who reads it: pure values and functions over versions and contracts.

What is here, in reading order:

    origin               the version in which something came about, and who wrote it
    version_steps        the versions in their order, with those of which nothing is known
    path_fields          all fields of a schema, at all depths, with their paths
    find_field           the field that people mean by a path
    lifelines            a column through all known versions, a state for each
    column_blame         each column of a version: when it came, when it last changed, by whom
    field_changes        what a version did to a field, in states and in words
    traced_columns       every field followed through the versions
    trace                the functions `lifelines` and `blame`: start here
    registered_job       a job and what it needs
    job_verdicts         whether a job fits a version
    untouched_jobs       which jobs a step between two versions cannot touch
    column_readers       who reads and writes a table or a column: `who_reads`
    readers_by_version   which readers fit which of the last versions: to which one may a table go back?
"""
