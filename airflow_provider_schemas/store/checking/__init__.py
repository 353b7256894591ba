"""The parts of `check_tables.judge`, in reading order.

questions.py       the arguments of a judgement, as one question a table
answer_table.py    the answer about one table: its version, its policy, its report
job_policy.py      the policy by which a table is judged for one job
judgement.py       the answers, and their shape in XCom
"""
