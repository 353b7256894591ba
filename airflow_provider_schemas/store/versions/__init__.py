"""The versions of a table: the log, its files, its history, and facts about the past.

In the order in which they are best read:

    version_log.py             the versions of a branch: listed, read, and the next one created
    codec.py                   schemas as the bytes that a layout keeps
    lost_parent.py             a table that goes away while its next version is written
    past.py                    questions about the versions before the head
    facts.py                   the facts that answer them
    checkpoints.py             facts in the registry, so that a commit need not read all versions
    checkpoint_file.py         a checkpoint as bytes
    heads.py                   the order in which the schemas of a mounted table were current
    changes_since.py           what came after a version that somebody saw
    inspect_history.py         whether a history fits together
    history.py                 a history in words
    mounted_versions.py        the schemas of a table that others keep, as its versions
    mounted_history.py         its history: when each schema was current
    mounted_findings.py        what is wrong with its metadata, as it counts for a job
    foreign_writers.py         what others wrote
    mini_paimon_metadata.py    Mini Paimon's file about a table
"""
