"""What a command returns, and how it is written for people and for machines.

What is here, in reading order:

    result           the answer of a command
    pager            a text that is longer than the screen
    progress         how far a command is
    writer           the parts of an answer as text or as Markdown
    html_writer      the parts of an answer as HTML
    schema_text      a schema as people read it
    commit_result    the answer about a commit
    odf_result       the answers about ODF
"""
