#!/bin/sh
# sut.sh VERB [ARGS] - Anser under the chaos kit: one verb of the kit's contract a call.
#
# Environment: what the kit sets (CHAOS_HOME, CHAOS_NODES, CHAOS_FLUSH, ...), and of our own
#   ANSER_BIN   the launcher to test (default: server/target/anser/bin/anser of this source tree; ./anser version builds it)
#   ANSER_HEAP  largest heap of a broker (default 400m, as the kit gives to others)
#   CHAOS_SET   further settings of every broker, key=value separated by blanks
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
anser=${ANSER_BIN:-$root/server/target/anser/bin/anser}

# The value of a variable that the kit numbers: of CHAOS_DATA for node 1, CHAOS_DATA_1.
of() {
    eval "printf '%s\n' \"\${$1_$2}\""
}

# Where node 1 is reached, by clients and by other members.
address_of() {
    echo "$(of CHAOS_HOST "$1"):$(of CHAOS_BROKER_PORT "$1")"
}

# Makes the brokers that were configured members of one group, which know one another by a secret, as they can be reached
# from elsewhere: join "0=host:port, 1=host:port".
join() {
    rm -f "$CHAOS_HOME/secret"
    "$anser" cluster secret "$CHAOS_HOME/secret" >/dev/null
    node=1
    while [ "$node" -le "$CHAOS_NODES" ]; do
        cat >>"$CHAOS_HOME/broker-$node.yaml" <<YAML
replication:
  mode: raft
  members: [$1]
  member: $((node - 1))
cluster:
  secret: $CHAOS_HOME/secret
YAML
        node=$((node + 1))
    done
}

# Starts a role in the background. The launcher replaces itself by the JVM, so the PID is that of the server.
launch() {
    kind=$1
    number=$2
    shift 2
    mkdir -p "$CHAOS_HOME/log" "$CHAOS_HOME/pid"
    nohup setsid "$anser" "$@" >>"$CHAOS_HOME/log/$kind-$number.out" 2>&1 </dev/null &
    echo $! >"$CHAOS_HOME/pid/$kind-$number"
}

case ${1:-} in
    caps)
        [ -x "$anser" ] || {
            echo "sut.sh: $anser is missing; ./anser version builds it" >&2
            exit 1
        }
        echo namesrv group3 faketime
        ;;
    init)
        case $CHAOS_FLUSH in
            SYNC) durability=disk ;;
            *) durability=memory ;;
        esac
        members=
        node=1
        while [ "$node" -le "$CHAOS_NODES" ]; do
            address=$(address_of "$node")
            name=broker-$node
            [ "$CHAOS_MODE" = single ] || name=broker
            cat >"$CHAOS_HOME/broker-$node.yaml" <<YAML
broker:
  name: $name
  cluster: chaos
  advertise: $address
store:
  durability: $durability
YAML
            members="$members, $((node - 1))=$address"
            node=$((node + 1))
        done
        [ "$CHAOS_MODE" = single ] || join "${members#, }"
        ;;
    start-namesrv)
        ANSER_HEAP=128m
        export ANSER_HEAP
        launch ns "$2" nameserver --data "$CHAOS_HOME/ns-$2" \
            --listen "$(of CHAOS_NS_HOST "$2"):$(of CHAOS_NS_PORT "$2")"
        ;;
    start-broker)
        node=$2
        ANSER_HEAP=${ANSER_HEAP:-400m}
        export ANSER_HEAP
        set -- -c "$CHAOS_HOME/broker-$node.yaml" --data "$(of CHAOS_DATA "$node")" \
            --listen "$(address_of "$node")" --nameservers "$CHAOS_NS_ADDR"
        for setting in ${CHAOS_SET:-}; do
            set -- "$@" --set "$setting"
        done
        launch broker "$node" broker "$@"
        ;;
    paths)
        data=$(of CHAOS_DATA "$2")
        case $3 in
            log) echo "$data/log" ;;
            derived) echo "$data/index $data/snapshot" ;;
        esac
        ;;
    *)
        echo "usage: sut.sh caps|init|start-namesrv I|start-broker I|paths I log|derived" >&2
        exit 64
        ;;
esac
