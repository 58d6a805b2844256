package io.anser.client;

import io.anser.protocol.message.Names;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says how a client is to behave; each method returns this builder. Not thread-safe. */
public final class ClientBuilder {
    private List<String> nameServers = List.of("127.0.0.1:9876");
    private Optional<String> clientId = Optional.empty();
    private String producerGroup = "anser-client";
    private Duration sendTimeout = Duration.ofSeconds(10);
    private Duration attemptTimeout = Duration.ofSeconds(3);
    private int maxSendAttempts = 16;
    private int maxInFlightMessages = 4096;
    private long maxInFlightBytes = 64L << 20;
    private int compressAboveBytes = Integer.MAX_VALUE;
    private int queuesOfNewTopics = 4;
    private Clock clock = Clock.system();
    private Optional<Scheduler> scheduler = Optional.empty();

    ClientBuilder() {}

    /**
     * Where the name servers are: {@code host:port;host:port}. Any one of them suffices.
     *
     * @throws IllegalArgumentException if the list is empty or a part is not host:port
     */
    public ClientBuilder nameServers(String addresses) {
        this.nameServers = NameServers.parse(addresses);
        return this;
    }

    /** The name by which brokers know this client; must differ between clients. Made of address, process and time if not set. */
    public ClientBuilder clientId(String id) {
        this.clientId = Optional.of(id);
        return this;
    }

    /** The group under which brokers list this client's sending side. */
    public ClientBuilder producerGroup(String group) {
        Names.checkGroup(group).ifPresent(problem -> {
            throw new IllegalArgumentException(problem.text());
        });
        this.producerGroup = group;
        return this;
    }

    /** How long one send may take over all its attempts: 10 seconds if not set. */
    public ClientBuilder sendTimeout(Duration timeout) {
        this.sendTimeout = timeout;
        return this;
    }

    /** How long one attempt waits for the broker's answer: 3 seconds if not set. */
    public ClientBuilder attemptTimeout(Duration timeout) {
        this.attemptTimeout = timeout;
        return this;
    }

    /** Most attempts of one send: 16 if not set, so that mostly the time-out decides. 1 switches repeating off. */
    public ClientBuilder maxSendAttempts(int attempts) {
        this.maxSendAttempts = attempts;
        return this;
    }

    /** Most sends that wait for an answer at once, in number (4096) and bytes (64 MiB): beyond it senders wait. */
    public ClientBuilder maxInFlight(int messages, long bytes) {
        this.maxInFlightMessages = messages;
        this.maxInFlightBytes = bytes;
        return this;
    }

    /** Compresses bodies longer than this with zlib. Off if not set; 4096 is a fair value for slow networks. */
    public ClientBuilder compressAbove(int bytes) {
        this.compressAboveBytes = bytes;
        return this;
    }

    /** How many queues a topic gets at each broker when the first send makes it: 4 if not set. */
    public ClientBuilder queuesOfNewTopics(int queues) {
        this.queuesOfNewTopics = queues;
        return this;
    }

    /** The clock and the scheduler to use instead of the machine's, for tests. The client does not close them. */
    public ClientBuilder time(Clock clock, Scheduler scheduler) {
        this.clock = clock;
        this.scheduler = Optional.of(scheduler);
        return this;
    }

    /** Makes the client. Nothing is sent yet: servers that are down show at the first call. */
    public AnserClient connect() {
        ClientSettings settings = new ClientSettings(
                producerGroup,
                sendTimeout,
                attemptTimeout,
                maxSendAttempts,
                maxInFlightMessages,
                maxInFlightBytes,
                compressAboveBytes,
                queuesOfNewTopics);
        return new AnserClient(nameServers, clientId, settings, clock, scheduler);
    }
}
