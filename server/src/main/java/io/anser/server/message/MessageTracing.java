package io.anser.server.message;

import io.anser.protocol.body.ClientReport;
import io.anser.protocol.body.MessageCopy;
import io.anser.protocol.body.MessageTrail;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.GetAllTopicList;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.TraceMessage;
import io.anser.system.Clock;
import io.anser.system.NearName;
import io.anser.system.TimerThread;
import io.anser.transport.RemotingClient;
import io.anser.transport.Reply;
import io.anser.transport.TransportException;
import io.anser.transport.TransportSettings;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Asks every broker that has a topic what became of a message, and puts the answers together. For one thread; waits for the
 * network.
 */
final class MessageTracing implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 10_000;

    private final String nameServer;
    private final TimerThread timer;
    private final RemotingClient client;

    /**
     * Connects when it is asked.
     *
     * @param nameServer {@code host:port}
     */
    MessageTracing(String nameServer) {
        this.nameServer = nameServer;
        Clock clock = Clock.system();
        this.timer = TimerThread.start("timer", clock, (where, cause) -> System.err.println("anser: " + cause));
        this.client = new RemotingClient(
                TransportSettings.defaults(),
                clock,
                timer,
                (call, header, body) ->
                        call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "a command answers no requests"));
    }

    /**
     * Asks.
     *
     * @param topic empty if the id is one by place
     * @return everything that the brokers know, in the order of time; empty if none knows the message
     * @throws UnknownTopicException if the name server knows no such topic
     * @throws RefusedTraceException if a server refuses
     * @throws TransportException if one does not answer
     */
    Optional<MessageTrail> trace(String topic, String id) {
        List<MessageCopy> copies = new ArrayList<>();
        List<ClientReport> reports = new ArrayList<>();
        boolean complete = true;
        for (String broker : topic.isEmpty() ? placeOf(id) : brokersOf(topic)) {
            Reply reply = ask(broker, TraceMessage.CODE, new TraceMessage.Request(topic, id));
            if (reply.code() != ResponseCode.QUERY_NOT_FOUND) {
                MessageTrail trail = MessageTrail.read(body(broker, reply));
                copies.addAll(trail.copies());
                reports.addAll(trail.reports());
                complete &= trail.complete();
            }
        }
        copies.sort(Comparator.comparingLong(MessageCopy::storeTimestamp));
        reports.sort(Comparator.comparingLong(ClientReport::timestamp));
        return copies.isEmpty() ? Optional.empty() : Optional.of(new MessageTrail(copies, reports, complete));
    }

    private static List<String> placeOf(String id) {
        try {
            InetSocketAddress host = OffsetMessageId.decode(id).storeHost().toSocketAddress();
            String address = host.getAddress().getHostAddress();
            return List.of((address.contains(":") ? "[" + address + "]" : address) + ":" + host.getPort());
        } catch (MalformedMessageException otherId) {
            return List.of();
        }
    }

    private List<String> brokersOf(String topic) {
        Reply reply = ask(nameServer, GetTopicRoute.CODE, new GetTopicRoute.Request(topic, true));
        if (reply.code() == ResponseCode.TOPIC_NOT_EXIST) {
            Set<String> known = topics();
            throw new UnknownTopicException(
                    "topic " + topic + " is unknown to " + nameServer + NearName.advice(topic, known));
        }
        return TopicRoute.read(body(nameServer, reply)).brokerDatas().stream()
                .flatMap(broker -> broker.master().stream())
                .toList();
    }

    private Set<String> topics() {
        return TopicList.read(body(nameServer, ask(nameServer, GetAllTopicList.CODE, FieldSource.NONE)))
                .topicList();
    }

    private static byte[] body(String server, Reply reply) {
        if (reply.code() != ResponseCode.SUCCESS) {
            throw new RefusedTraceException(server + " refused with code " + reply.code() + ": "
                    + reply.remark().orElse(""));
        }
        return reply.body();
    }

    private Reply ask(String server, int code, FieldSource fields) {
        try {
            return client.call(server, code, fields, Unpooled.EMPTY_BUFFER, TIMEOUT_MILLIS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TransportException unanswered) {
                throw unanswered;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        client.close();
        timer.close();
    }
}
