"""Audits: every table, version and data file, judged as the newest schema reads it.

audit.py            the audit of a warehouse: what users call
summary.py          the findings in a few lines
frames.py           findings as a DataFrame, with the counts of what was looked at
discovery.py        which tables an audit is about
executor.py         where tables are audited: on the executors, or in threads of the driver
table.py            the audit of one table: branches, versions, policy, registered readers and writers, data
mounted.py          the audit of tables that others keep: metadata only
read_versions.py    versions read a few at a time
chain.py            the versions of a branch as a chain of links
history.py          what the versions of a table show, read from the oldest to the newest
old_files.py        what is wrong with files of an earlier version that are read as the newest
data_files.py       the audit of the data files of one table
data_access.py      how data files are found and read: through Spark, or without it
bulk_reads.py       schema files of a whole warehouse, read by Spark
registry.py         what a registry keeps about tables, listed once for all of them
facts.py            what is remembered of tables between audits
table_prints.py     by what an audit knows the files of a table again
rows.py             a finding as a row
"""
