"""The verdict of a gate as it lies in XCom, read and printed: from its plain values alone, without the store and without Airflow.

What is here:

    entries          the plain values as typed ones
    finding_entry    a finding as plain values, and back as all forms show it
    table_texts      what is said of tables in a few words
    verdict_log      the lines of the log
"""
