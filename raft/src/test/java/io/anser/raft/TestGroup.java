package io.anser.raft;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Members of one group in one process, over real sockets and real files. */
final class TestGroup implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private final Map<Integer, TestMember> members = new TreeMap<>();
    private final Map<Integer, String> addresses = new TreeMap<>();
    private final Set<Integer> learners;

    /** Starts members that know one another, numbered from 0. */
    TestGroup(Path directory, int size, Set<Integer> learners) {
        this.directory = directory;
        this.learners = Set.copyOf(learners);
        for (int number = 0; number < size; number++) {
            listen(number, 0);
        }
        List.copyOf(members.keySet()).forEach(this::join);
    }

    private void listen(int number, int port) {
        TestMember member = new TestMember(directory.resolve("member" + number), port);
        members.put(number, member);
        addresses.put(number, member.address());
    }

    private void join(int number) {
        members.get(number).join(new GroupMembers("broker-a", addresses, number, learners));
    }

    /** Starts one more, which the others do not know. */
    TestMember startOneMore() {
        int number = addresses.size();
        listen(number, 0);
        join(number);
        return members.get(number);
    }

    TestMember member(int number) {
        return members.get(number);
    }

    List<TestMember> all() {
        return List.copyOf(members.values());
    }

    /** A member beside those that are named. */
    TestMember other(TestMember... not) {
        return members.values().stream()
                .filter(member -> !List.of(not).contains(member))
                .findFirst()
                .orElseThrow();
    }

    TestMember leader() {
        await().atMost(PATIENCE)
                .until(() -> members.values().stream()
                        .anyMatch(member -> member.engine().leads()));
        return members.values().stream()
                .filter(member -> member.engine().leads())
                .findFirst()
                .orElseThrow();
    }

    void kill(TestMember member) {
        members.values().remove(member);
        member.kill();
    }

    /** Kills all and starts them again in the folders that they had, after something was done to those. */
    void restartAll(FolderChange change) throws Exception {
        List<Integer> numbers = List.copyOf(members.keySet());
        members.values().forEach(TestMember::kill);
        for (int number : numbers) {
            change.to(directory.resolve("member" + number));
            String address = addresses.get(number);
            listen(number, Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        }
        numbers.forEach(this::join);
    }

    /** What is done to a member's folder. */
    interface FolderChange {
        void to(Path folder) throws Exception;
    }

    /** Sends to a member that leads, and waits until all is acknowledged. */
    static List<SentMessage.Stored> send(TestMember leader, String text, int count) throws Exception {
        List<SentMessage> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(leader.send(0, text + " " + i));
        }
        List<SentMessage.Stored> stored = new ArrayList<>();
        for (SentMessage message : sent) {
            stored.add(message.outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        return stored;
    }

    @Override
    public void close() {
        members.values().forEach(TestMember::close);
    }
}
