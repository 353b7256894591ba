"""The scripts that complete lines in bash, zsh and fish. Each asks `airflow-schemas __complete`, so that none of them can go stale."""

from collections.abc import Mapping
from typing import Final

HOW: Final = """Put the line of your shell into the file that it reads when it starts:
  ~/.bashrc                   source <({prog} completion bash)
  ~/.zshrc, behind compinit   source <({prog} completion zsh)
  ~/.config/fish/config.fish  {prog} completion fish | source
"""

_BASH: Final = r"""# Completes airflow-schemas in bash: source this file.
_airflow_schemas() {
    local IFS=$'\n'
    COMPREPLY=($(airflow-schemas __complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -o default -o bashdefault -F _airflow_schemas airflow-schemas airflow-provider-schemas
"""

_BASH_OF_AIRFLOW: Final = r"""
_airflow_schemas_of_airflow() {
    if [[ ${COMP_WORDS[1]} == schemas && $COMP_CWORD -ge 2 ]]; then
        _airflow_schemas
    elif declare -F _python_argcomplete >/dev/null; then
        _python_argcomplete "$@"
    fi
}
complete -o default -o bashdefault -F _airflow_schemas_of_airflow airflow
"""

_ZSH: Final = r"""#compdef airflow-schemas airflow-provider-schemas
# Completes airflow-schemas in zsh: source this file behind compinit, or put it as _airflow-schemas into a folder of $fpath.
_airflow_schemas() {
    local -a candidates
    candidates=("${(@f)$(airflow-schemas __complete zsh "${(@)words[1,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${candidates[1]}" ]]; then
        compadd -- "${candidates[@]}"
    else
        _files
    fi
}
compdef _airflow_schemas airflow-schemas airflow-provider-schemas
"""

_ZSH_OF_AIRFLOW: Final = r"""
_airflow_schemas_of_airflow() {
    if [[ ${words[2]} == schemas && $CURRENT -ge 3 ]]; then
        _airflow_schemas
    else
        _default
    fi
}
compdef _airflow_schemas_of_airflow airflow
"""

_FISH: Final = r"""# Completes airflow-schemas in fish: source this file, or put it into ~/.config/fish/completions.
function __airflow_schemas_complete
    set -l current (commandline -ct)
    test (count $current) -eq 0; and set current ""
    set -l candidates (airflow-schemas __complete fish (commandline -opc) $current 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\n' $candidates
    else
        __fish_complete_path $current
    end
end
complete -c airflow-schemas -f -a '(__airflow_schemas_complete)'
complete -c airflow-provider-schemas -f -a '(__airflow_schemas_complete)'
"""

_FISH_OF_AIRFLOW: Final = r"""
complete -c airflow -n 'string match -q schemas (commandline -opc)[2]' -f -a '(__airflow_schemas_complete)'
"""

SCRIPTS: Final[Mapping[str, tuple[str, str]]] = {
    "bash": (_BASH, _BASH_OF_AIRFLOW),
    "zsh": (_ZSH, _ZSH_OF_AIRFLOW),
    "fish": (_FISH, _FISH_OF_AIRFLOW),
}


def script(shell: str, prog: str) -> str:
    """Return the script of a shell; under `airflow schemas`, it completes that, too."""
    own, of_airflow = SCRIPTS[shell]
    return own + of_airflow if prog.startswith("airflow ") else own
