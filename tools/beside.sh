#!/bin/sh
# Run one command into a log, and beside it another one that is seen: tools/beside.sh LOG "COMMAND" COMMAND...
# Fails if either does. The last line of the log is told at the end, and all of it if its command failed.
log=$1 hidden=$2
shift 2

mkdir -p "$(dirname "$log")"
$hidden >"$log" 2>&1 </dev/null &
beside=$!
# A shell hides the keyboard's interrupt from what runs behind it.
trap 'kill "$beside" 2>/dev/null' EXIT INT TERM

"$@"
ended=$?
wait "$beside" || { ended=1; cat "$log"; }
echo "beside it, $hidden:"
tail -n 1 "$log"
exit "$ended"
