#!/bin/sh
# The hook of pre-commit: what a commit would hold is compared with HEAD, and a range of commits with where it begins.
# The index is judged, as a commit that nothing points to: files that are not part of the commit must neither break it nor make it fit.
set -eu
run="$(dirname "$0")/run_slim.py"
base=${PRE_COMMIT_FROM_REF:-}

if [ -n "$base" ]; then
  set -- "--git=$base..${PRE_COMMIT_TO_REF:-HEAD}" "$@"
elif git rev-parse --quiet --verify 'HEAD^{commit}' >/dev/null; then
  tree=$(git write-tree)
  if [ "$tree" = "$(git rev-parse 'HEAD^{tree}')" ]; then
    set -- --git=HEAD "$@"
  else
    export GIT_AUTHOR_NAME=pre-commit GIT_AUTHOR_EMAIL=pre-commit GIT_COMMITTER_NAME=pre-commit GIT_COMMITTER_EMAIL=pre-commit
    commit=$(git -c commit.gpgSign=false commit-tree "$tree" -p HEAD -m "what the next commit would hold")
    set -- "--git=HEAD..$commit" "$@"
  fi
else
  set -- "$@" --new
fi
exec python3 -I "$run" check "$@"
