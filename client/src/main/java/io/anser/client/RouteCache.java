package io.anser.client;

import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.transport.Reply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes of the topics in use. Asked of a name server at the first use, then every 30 seconds and whenever a route
 * proved wrong; the last known one stays in use while no name server answers. A topic that nobody has used for ten minutes
 * is forgotten. Thread-safe; nothing here blocks.
 */
final class RouteCache {
    static final long REFRESH_MILLIS = 30_000;
    private static final int REFRESHES_UNTIL_FORGOTTEN = 20;

    private static final Logger log = LoggerFactory.getLogger(RouteCache.class);

    private final NameServers nameServers;
    private final int queuesOfNewTopics;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    /** Questions under way, so that many users of a topic ask once. */
    private final Map<String, CompletableFuture<Route>> asking = new ConcurrentHashMap<>();

    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    /** A route and how many refreshes ago it was last used. */
    private static final class Entry {
        final Route route;
        volatile int unused;

        Entry(Route route) {
            this.route = route;
        }

        Route use() {
            if (unused != 0) {
                unused = 0;
            }
            return route;
        }
    }

    RouteCache(NameServers nameServers, int queuesOfNewTopics) {
        this.nameServers = nameServers;
        this.queuesOfNewTopics = queuesOfNewTopics;
    }

    /** Called with the topic's name, on a network thread, whenever a route has changed. */
    void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** The last known route of an existing topic, without asking. */
    Optional<Route> cached(String topic) {
        Entry entry = entries.get(topic);
        return entry == null || entry.route.guessed() ? Optional.empty() : Optional.of(entry.use());
    }

    /** The route of an existing topic. Fails with code 17 if it does not exist. */
    CompletableFuture<Route> find(String topic) {
        return cached(topic).map(CompletableFuture::completedFuture).orElseGet(() -> refresh(topic));
    }

    /** The route to send by: of a topic that does not exist the one it will have once a broker makes it. */
    CompletableFuture<Route> findForSending(String topic) {
        Entry entry = entries.get(topic);
        if (entry != null) {
            return CompletableFuture.completedFuture(entry.use());
        }
        return refreshForSending(topic);
    }

    /** Asks anew for the route to send by. */
    CompletableFuture<Route> refreshForSending(String topic) {
        return refresh(topic).exceptionallyCompose(cause -> {
            AnserException failure = Remoting.failure(cause);
            return failure.code() == ResponseCode.TOPIC_NOT_EXIST
                    ? guess(topic, failure)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** Asks a name server for a topic's route now. */
    CompletableFuture<Route> refresh(String topic) {
        CompletableFuture<Route> mine = new CompletableFuture<>();
        CompletableFuture<Route> underWay = asking.putIfAbsent(topic, mine);
        if (underWay != null) {
            return underWay;
        }
        ask(topic).thenApply(answer -> Route.of(topic, answer)).whenComplete((route, failure) -> {
            asking.remove(topic, mine);
            if (failure == null) {
                keep(route);
                mine.complete(route);
            } else {
                mine.completeExceptionally(Remoting.failure(failure));
            }
        });
        return mine;
    }

    /** Asks anew for every route in use and forgets the others. Called by the timer. */
    void refreshAll() {
        entries.forEach((topic, entry) -> {
            int unused = entry.unused + 1;
            entry.unused = unused;
            if (unused > REFRESHES_UNTIL_FORGOTTEN) {
                entries.remove(topic, entry);
            } else {
                refresh(topic).whenComplete((route, failure) -> {
                    if (failure != null && !entry.route.guessed()) {
                        log.warn(
                                "route not refreshed topic={} reason={}",
                                topic,
                                Remoting.failure(failure).getMessage());
                    }
                });
            }
        });
    }

    /** Addresses of all brokers in the known routes: the masters, or their replicas as well. */
    Set<String> brokerAddresses(boolean withReplicas) {
        Set<String> addresses = new TreeSet<>();
        for (Entry entry : entries.values()) {
            entry.route
                    .brokers()
                    .values()
                    .forEach(ids -> ids.forEach((id, address) -> {
                        if (withReplicas || id == Route.MASTER) {
                            addresses.add(address);
                        }
                    }));
        }
        return addresses;
    }

    /** A topic that is known stays known: a name server that has just started may have forgotten it for a moment. */
    private CompletableFuture<Route> guess(String topic, AnserException topicMissing) {
        Optional<Route> known = cached(topic);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        return ask(Names.AUTO_CREATE_TOPIC)
                .thenApply(template -> {
                    Route route = Route.guess(topic, template, queuesOfNewTopics);
                    keep(route);
                    return route;
                })
                .exceptionallyCompose(cause -> CompletableFuture.failedFuture(topicMissing));
    }

    private CompletableFuture<TopicRoute> ask(String topic) {
        return nameServers
                .call(GetTopicRoute.CODE, new GetTopicRoute.Request(topic, true))
                .thenApply(reply -> read(topic, reply));
    }

    private TopicRoute read(String topic, Reply reply) {
        if (reply.code() != ResponseCode.SUCCESS) {
            throw new AnserException(
                    reply.code(),
                    true,
                    "topic=" + topic + " name servers=" + nameServers + " answered code=" + reply.code() + ": "
                            + reply.remark().orElse(""));
        }
        return TopicRoute.read(reply.body());
    }

    private void keep(Route route) {
        Entry fresh = new Entry(route);
        Entry before = entries.put(route.topic(), fresh);
        if (before != null) {
            fresh.unused = before.unused;
        }
        if (before == null || !before.route.equals(route)) {
            log.debug("route changed topic={} route={}", route.topic(), route);
            listeners.forEach(listener -> listener.accept(route.topic()));
        }
    }
}
