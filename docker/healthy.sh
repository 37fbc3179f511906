#!/bin/sh
# healthy.sh COMMAND...: a health condition that does not disturb measurements. It succeeds when COMMAND does; from then on it
# sleeps an hour before it asks again, so that no query of its own runs beside the load.
marker=/dev/shm/healthy # gone when the container is started again
[ ! -e "$marker" ] || sleep 3600
"$@" && touch "$marker"
