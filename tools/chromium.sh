#!/usr/bin/env bash
# Install Chromium, in which the page in Airflow's UI is tried: by apt, where this is root. Elsewhere it is named as left out.
# Whoever has one sets CHROMIUM to its path.
set -eu
for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
  [ -n "$browser" ] && command -v "$browser" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  mkdir -p build/logs
  if { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >build/logs/chromium.log 2>&1; then
    echo "Installed chromium, in which the page in Airflow's UI is tried (output: build/logs/chromium.log)"
    exit 0
  fi
fi
echo "Left out: the page in a browser, since chromium cannot be installed here; set CHROMIUM to the path of one"
