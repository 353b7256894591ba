"""What a command line tells about itself: help, did-you-mean, the options of all commands, completion.

What is here, in reading order:

    parsers       the parser of a whole line, and that of a command
    overview      the commands by what people want
    examples      lines that run, for the help of each command
    verbs         `help`, `options`, `completion`: the commands about the command line
    candidates    what may stand next on a line, from the same parsers
    scripts       the scripts for bash, zsh and fish
"""
