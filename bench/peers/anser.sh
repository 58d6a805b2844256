#!/bin/sh
# anser.sh start|stop - one Anser server (name server and broker on one port) for a benchmark, on loopback.
#
# Environment: WORK (default /tmp/anser-bench), NS_PORT (20876), BROKER_PORT (ignored: there is one port),
# FLUSH (ASYNC_FLUSH: acknowledged from memory; SYNC_FLUSH: flushed first), HEAP (2g), JOPTS (further JVM options),
# CONF (further settings, one key=value a line).
# start prints: NAMESRV=host:port PID=serverPid NSPID=serverPid. "stop keep" leaves the store.
set -eu
WORK=${WORK:-/tmp/anser-bench}
NS_PORT=${NS_PORT:-20876}
FLUSH=${FLUSH:-ASYNC_FLUSH}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
mkdir -p "$WORK"

start() {
    "$root/anser" version >/dev/null
    rm -f "$WORK/ready"
    set -- server --data "$WORK/store" --listen "127.0.0.1:$NS_PORT" --ready-file "$WORK/ready" \
        --set "flushDiskType=$FLUSH"
    for line in ${CONF:-}; do
        set -- "$@" --set "$line"
    done
    ANSER_HEAP=${HEAP:-2g} ANSER_JAVA_OPTS="-Xms${HEAP:-2g} ${JOPTS:-}" nohup "$root/anser" "$@" \
        >"$WORK/anser.out" 2>&1 </dev/null &
    pid=$!
    tries=0
    until [ -s "$WORK/ready" ]; do
        tries=$((tries + 1))
        if ! kill -0 "$pid" 2>/dev/null || [ "$tries" -gt 600 ]; then
            cat "$WORK/anser.out" >&2
            exit 1
        fi
        sleep 0.1
    done
    echo "$pid" >"$WORK/anser.pid"
    echo "NAMESRV=127.0.0.1:$NS_PORT PID=$pid NSPID=$pid"
}

stop() {
    if [ -f "$WORK/anser.pid" ]; then
        pid=$(cat "$WORK/anser.pid")
        kill "$pid" 2>/dev/null || true
        tries=0
        while [ -d "/proc/$pid" ] && [ "$tries" -lt 100 ]; do
            tries=$((tries + 1))
            sleep 0.1
        done
        [ ! -d "/proc/$pid" ] || kill -9 "$pid"
        rm -f "$WORK/anser.pid"
    fi
    [ "${1:-}" = keep ] || rm -rf "$WORK/store"
}

case ${1:-} in
    start) start ;;
    stop) stop "${2:-}" ;;
    *)
        echo "usage: anser.sh start|stop [keep]" >&2
        exit 2
        ;;
esac
