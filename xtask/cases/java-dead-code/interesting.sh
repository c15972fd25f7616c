#!/bin/sh
# ecj accepts the file and warns of dead code, such as a null check whose outcome is known.
# A JVM that lives for half a second is twice as fast with its simplest compiler and collector.
JAVA_TOOL_OPTIONS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
export JAVA_TOOL_OPTIONS
out=$(ecj -8 -proc:none -d none "$1" 2>&1) || exit 1
case $out in *"Dead code"*) exit 0 ;; esac
exit 1
