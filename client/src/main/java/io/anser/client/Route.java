package io.anser.client;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.QueueData;
import io.anser.protocol.body.TopicRoute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a topic is: its queues and the addresses of their brokers, as one name server saw them. An immutable snapshot.
 *
 * @param topic the topic
 * @param guessed whether the topic does not exist yet and these queues are those it will get when a broker makes it at the
 *     first message
 * @param writable queues to send to, sorted by broker name and queue id
 * @param readable queues to read from, sorted likewise
 * @param brokers addresses ({@code host:port}) by broker name and broker id; id 0 is the master
 */
record Route(
        String topic,
        boolean guessed,
        List<MessageQueue> writable,
        List<MessageQueue> readable,
        Map<String, Map<Long, String>> brokers) {

    static final long MASTER = BrokerData.MASTER_ID;

    Route {
        writable = List.copyOf(writable);
        readable = List.copyOf(readable);
        brokers = Map.copyOf(brokers);
    }

    /** Reads a name server's answer. Brokers without a master take no messages. */
    static Route of(String topic, TopicRoute answer) {
        Map<String, Map<Long, String>> brokers = addresses(answer);
        List<MessageQueue> writable = new ArrayList<>();
        List<MessageQueue> readable = new ArrayList<>();
        for (QueueData queues : sorted(answer)) {
            Map<Long, String> addresses = brokers.getOrDefault(queues.brokerName(), Map.of());
            if (Perm.isWritable(queues.perm()) && addresses.containsKey(MASTER)) {
                addQueues(writable, topic, queues.brokerName(), queues.writeQueueNums());
            }
            if (Perm.isReadable(queues.perm()) && !addresses.isEmpty()) {
                addQueues(readable, topic, queues.brokerName(), queues.readQueueNums());
            }
        }
        return new Route(topic, false, writable, readable, brokers);
    }

    /**
     * The route a topic will have once a broker has made it from the template at its first message.
     *
     * @param template the route answer for the template topic
     * @param queues how many queues to ask for at each broker
     */
    static Route guess(String topic, TopicRoute template, int queues) {
        Map<String, Map<Long, String>> brokers = addresses(template);
        List<MessageQueue> writable = new ArrayList<>();
        for (QueueData given : sorted(template)) {
            boolean hasMaster =
                    brokers.getOrDefault(given.brokerName(), Map.of()).containsKey(MASTER);
            if (Perm.isWritable(given.perm()) && hasMaster) {
                addQueues(writable, topic, given.brokerName(), Math.min(queues, given.writeQueueNums()));
            }
        }
        return new Route(topic, true, writable, List.of(), brokers);
    }

    /** The address of a broker's master, if it has one now. */
    Optional<String> master(String brokerName) {
        return Optional.ofNullable(brokers.getOrDefault(brokerName, Map.of()).get(MASTER));
    }

    /** The address to read from: the asked member of the broker's group, else its master, else any. */
    Optional<String> reader(String brokerName, long brokerId) {
        Map<Long, String> addresses = brokers.getOrDefault(brokerName, Map.of());
        String asked = addresses.get(brokerId);
        if (asked != null) {
            return Optional.of(asked);
        }
        Optional<String> master = master(brokerName);
        return master.isPresent() ? master : addresses.values().stream().findFirst();
    }

    private static List<QueueData> sorted(TopicRoute answer) {
        List<QueueData> sorted = new ArrayList<>(answer.queueDatas());
        sorted.sort(Comparator.comparing(QueueData::brokerName));
        return sorted;
    }

    private static Map<String, Map<Long, String>> addresses(TopicRoute answer) {
        Map<String, Map<Long, String>> brokers = new TreeMap<>();
        for (BrokerData broker : answer.brokerDatas()) {
            brokers.put(broker.brokerName(), new TreeMap<>(broker.brokerAddrs()));
        }
        return brokers;
    }

    private static void addQueues(List<MessageQueue> queues, String topic, String brokerName, int count) {
        for (int id = 0; id < count; id++) {
            queues.add(new MessageQueue(topic, brokerName, id));
        }
    }
}
