#!/bin/sh
# A PostgreSQL of one's own for tests: begun with "postgres.sh PORT", it says "ready FOLDER" when it answers, on
# 127.0.0.1:PORT and in a socket in FOLDER, to anybody. It hears lines: "stop" and "start" are what they say, and answered
# with "done". When nobody listens any more (end of input), it ends, and its folder goes.
set -eu
port=$1
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
if [ -z "$bin" ]; then
    command -v initdb >/dev/null || { echo "missing: on Debian, apt-get install postgresql"; exit 1; }
    bin=$(dirname "$(command -v initdb)")
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/tabiya-postgres-XXXXXX")
cd "$folder"
# It refuses to be started by root.
as=
if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder"
    as="setpriv --reuid=postgres --regid=postgres --clear-groups --"
fi
server=
end() {
    trap - EXIT INT TERM HUP
    if [ -n "$server" ]; then kill -QUIT "$server" 2>/dev/null; wait "$server" 2>/dev/null; fi
    cd /
    rm -rf "$folder"
    exit
}
trap end EXIT INT TERM HUP
start() {
    # What a test needs to be kept survives the end of a process; a power cut would be too slow to be tested here.
    $as "$bin/postgres" -D "$folder/data" -p "$port" -k "$folder" -c listen_addresses=127.0.0.1 -c fsync=off \
        -c max_connections=200 -c log_min_messages=fatal </dev/null >>"$folder/log" 2>&1 &
    server=$!
    tries=0
    until $as "$bin/pg_isready" -q -h "$folder" -p "$port"; do
        tries=$((tries + 1))
        if [ $tries -gt 600 ] || ! kill -0 "$server" 2>/dev/null; then
            echo "does not start: $(tail -1 "$folder/log")"
            exit 1
        fi
        sleep 0.05
    done
}
$as "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 ||
    { echo "cannot be set up: $(tail -1 "$folder/log")"; exit 1; }
start
echo "ready $folder"
while read -r line; do
    case $line in
    stop) kill -QUIT "$server"; wait "$server" 2>/dev/null || true; server= ;;
    start) start ;;
    esac
    echo "done"
done
