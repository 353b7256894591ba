"""The project file: the nearest `schemas.toml` upward, or `[tool.airflow-schemas]` in pyproject.toml. Lines need not repeat what it says.

What is here, in reading order:

    settle       the settings of a line: option, then environment, then project file
    find         which project file is the nearest, and which ones lie below a folder
    split        the objects of a check, by project
    take         the settings of one project, put into a line
    document     the text of a project file, read as TOML, and the lines of its keys
    settings     the keys, their values, and what is wrong with them
    by_project   the verdicts of a check, project by project
    against_git  project files that differ between the commits of a check
    base_settings    the policies and demands that a base had, which a branch cannot take away
    changes      what differs between two texts of a project file
"""
