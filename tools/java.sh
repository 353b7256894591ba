#!/bin/sh
# Spark runs on Java 17 or newer: say how to get it where it is missing, before anything else takes time.
set -eu
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9][0-9._]*\).*/\1/p' | head -n 1)
major=${version%%.*}
if [ "${major:-0}" -ge 17 ]; then
    exit 0
fi
echo "Java 17 or newer was not found: $java${JAVA_HOME:+ (by JAVA_HOME)} is ${version:-missing or does not run}. Get it with one of" >&2
cat >&2 <<'TEXT'
    sudo apt install openjdk-17-jre-headless         (Debian, Ubuntu; openjdk-21-jre-headless where 17 is gone)
    sudo dnf install java-17-openjdk-headless        (Fedora, Red Hat)
    brew install openjdk@17                          (macOS)
then run this again. To use a Java that is not on the PATH, set JAVA_HOME.
TEXT
exit 1
