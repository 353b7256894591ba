"""Files in git: which commit is the base, which files there are in it and now, and their text. Nothing is checked out, nothing is fetched.

What is here, in reading order:

    comparison      which two states of the files are compared, and why these
    ci_variables    the base and the commit that a CI system names
    revision_option the commit from which a change comes
    repository      a work tree: its commits, by names and by ancestry
    selection       the files that a line means
    listing         the files of a commit and of the work tree
    blobs           the text of files of a commit
    program         the program git, run so that a hostile repository runs nothing
"""
