"""Jobs as they are submitted: one file each, to be named to spark-submit. Airflow's operators start them, and so may anybody.

validate_data.py   do rows fit a version of a table, or a contract?
infer_schema.py    the schema of files or of a query
audit_tables.py    what is wrong with the tables of a warehouse
job_requests.py    what a job can be asked
job_arguments.py   requests as the words of a command line, and back
job_running.py     how a submitted job runs, and the number that it ends with
job_data.py        the rows that a job reads, and where it writes rows
job_answers.py     what a job answers, as plain JSON
job_samples.py     sample rows as they may be shown
"""
