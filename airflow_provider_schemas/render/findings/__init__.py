"""Findings as people read them, the same in every form.

What is here:

    view          a finding as all forms show it
    steps         what to do about it
    text          its lines
    groups        findings of one kind as one
    group_text    their lines
"""
