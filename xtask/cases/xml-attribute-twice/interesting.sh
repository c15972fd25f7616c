#!/bin/sh
# xmllint finds an attribute that stands twice in one tag, and nothing else that is wrong.
out=$(xmllint --noout "$1" 2>&1)
case $out in *redefined*) ;; *) exit 1 ;; esac
[ "$(printf '%s\n' "$out" | grep -c ' error : ')" -eq 1 ]
