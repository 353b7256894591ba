#!/usr/bin/env bash
# Install zsh and fish, in which completion is tried: by apt, where this is root. Elsewhere they are named as left out.
set -eu
missing=""
for shell in zsh fish; do
  command -v "$shell" >/dev/null || missing="$missing $shell"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  mkdir -p build/logs
  if { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >build/logs/shells.log 2>&1; then
    echo "Installed$missing, in which completion is tried (output: build/logs/shells.log)"
    exit 0
  fi
fi
echo "Left out: completion in$missing, which cannot be installed here"
