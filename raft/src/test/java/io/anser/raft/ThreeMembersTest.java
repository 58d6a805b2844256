package io.anser.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.ResponseCode;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogEntry;
import io.anser.store.retention.RetentionPolicy;
import io.anser.transport.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three members in one process, over real sockets and real files. */
class ThreeMembersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final Map<Integer, TestMember> members = new TreeMap<>();
    private final Map<Integer, String> addresses = new TreeMap<>();

    @AfterEach
    void end() {
        members.values().forEach(TestMember::close);
    }

    @Test
    void theOneThatLeadsStoresAndTheOthersFollow() throws Exception {
        start();
        TestMember leader = leader();

        List<SentMessage.Stored> acknowledged = send(leader, 0, 500);

        assertThat(leader.messages(0)).isEqualTo(acknowledged);
        for (TestMember member : members.values()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(member.messages(0)).isEqualTo(acknowledged));
            assertThat(member.faults).isEmpty();
        }
    }

    @Test
    void whoDoesNotLeadSaysSo() throws Exception {
        start();
        TestMember leader = leader();
        TestMember follower = members.values().stream()
                .filter(member -> member != leader)
                .findFirst()
                .orElseThrow();
        await().atMost(PATIENCE).until(() -> follower.engine().leader().equals(Optional.of(leader.address())));

        SentMessage refused = follower.send(0, "not here");

        assertThat(refused.outcome)
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreException.class)
                .withMessageContaining("does not lead the group=broker-a, " + leader.address() + " does");
    }

    @Test
    void whatOnlyALeaderCanDoIsTakenThere() throws Exception {
        start();
        TestMember leader = leader();
        for (TestMember asked : members.values()) {
            await().atMost(PATIENCE).until(() -> asked.engine().leader().equals(Optional.of(leader.address())));

            Reply reply = leader.whoHandles(asked.address());

            assertThat(reply.header().string(TestMember.SAYS)).isEqualTo(leader.address());
            // The address is that of the client that asked, whoever it asked.
            assertThat(reply.remark()).contains("heard a b of " + asked.lastClientPort);
            assertThat(new String(reply.body(), StandardCharsets.UTF_8)).isEqualTo("body of 7");
        }
        TestMember follower = members.get(other(number(leader), number(leader)));
        leader.believes = false;
        assertThat(leader.whoHandles(follower.address()).remark())
                .isNotEqualTo(Optional.of("heard a b of " + follower.lastClientPort));
        members.remove(number(leader)).kill();
        members.remove(other(number(follower), number(follower))).kill();
        await().atMost(PATIENCE).until(() -> follower.engine().leader().isEmpty());

        assertThat(follower.whoHandles(follower.address()).code()).isEqualTo(ResponseCode.SERVICE_NOT_AVAILABLE);
    }

    @Test
    void nothingAcknowledgedIsLostWhenTheLeaderGoesAndItComesBackAsAFollower() throws Exception {
        start();
        TestMember first = leader();
        List<SentMessage.Stored> acknowledged = send(first, 0, 200);
        List<SentMessage> inFlight = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            inFlight.add(first.send(0, "in flight " + i));
        }
        int gone = number(first);
        members.remove(gone).kill();
        List<SentMessage.Stored> decided = new ArrayList<>();
        for (SentMessage message : inFlight) {
            SentMessage.Stored stored = outcome(message);
            if (stored != null) {
                decided.add(stored);
            }
        }

        TestMember second = leader();
        List<SentMessage.Stored> later = send(second, 0, 200);

        List<SentMessage.Stored> all = second.messages(0);
        assertThat(all).startsWith(acknowledged.toArray(SentMessage.Stored[]::new));
        assertThat(all).containsAll(decided).containsAll(later).doesNotHaveDuplicates();
        assertThat(all).extracting(SentMessage.Stored::queueOffset).isEqualTo(counted(all.size()));

        joinAgain(gone);
        for (TestMember member : members.values()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(member.messages(0)).isEqualTo(all));
            assertThat(member.faults).isEmpty();
        }
        for (long index = 1; index <= second.engine().appliedIndex(); index++) {
            LogEntry entry = second.replica().log().read(index).orElseThrow();
            for (TestMember member : members.values()) {
                assertThat(member.replica().log().read(index)).contains(entry); // to the last byte
            }
        }
    }

    @Test
    void aLeaderWithoutAMajorityAcknowledgesNothingAndStopsLeading() throws Exception {
        start();
        TestMember leader = leader();
        send(leader, 0, 10);
        for (Integer number : List.copyOf(members.keySet())) {
            if (members.get(number) != leader) {
                members.remove(number).kill();
            }
        }

        SentMessage unconfirmed = leader.send(0, "nobody else has this");

        await().atMost(PATIENCE).until(() -> !leader.engine().leads());
        assertThat(outcome(unconfirmed)).isNull();
        assertThat(leader.messages(0)).hasSize(10);
    }

    /** With its vote, the one that was away would come to lead without what was confirmed meanwhile. */
    @Test
    void aWipedMemberDoesNotVoteForOneThatLacksWhatItConfirmedItself() throws Exception {
        start();
        TestMember leader = leader();
        int away = other(number(leader), number(leader));
        int wiped = other(number(leader), away);
        int lead = number(leader);
        send(leader, 0, 20);
        members.remove(away).kill();
        List<SentMessage.Stored> acknowledged = send(leader, 0, 200);
        members.remove(lead).kill();
        members.remove(wiped).kill();
        wipe(wiped);

        joinAgain(away);
        joinAgain(wiped);
        await().atMost(PATIENCE).until(() -> members.get(wiped).engine().joins());
        await().during(Duration.ofSeconds(4))
                .atMost(PATIENCE)
                .until(() -> members.values().stream()
                        .noneMatch(member -> member.engine().leads()));

        joinAgain(lead);
        List<SentMessage.Stored> all = leader().messages(0);
        assertThat(all).containsAll(acknowledged);
        for (TestMember member : members.values()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(member.messages(0)).isEqualTo(all));
        }
        await().atMost(PATIENCE).until(() -> !members.get(wiped).engine().joins());
    }

    @Test
    void aWipedMemberIsBroughtUpToDateAndVotesAgain() throws Exception {
        start();
        TestMember leader = leader();
        int wiped = other(number(leader), number(leader));
        List<SentMessage.Stored> acknowledged = new ArrayList<>(send(leader, 0, 300));
        members.remove(wiped).kill();
        wipe(wiped);
        acknowledged.addAll(send(leader, 0, 100));

        joinAgain(wiped);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(members.get(wiped).messages(0)).isEqualTo(acknowledged));
        await().atMost(PATIENCE).until(() -> !members.get(wiped).engine().joins());

        // Of the two that are left one leads, with the vote of the other.
        members.remove(number(leader)).kill();
        acknowledged.addAll(send(leader(), 0, 50));
        assertThat(leader().messages(0)).isEqualTo(acknowledged);
    }

    /** It comes back when the segments that it needs are gone everywhere. */
    @Test
    void aMemberBehindTheDeletedPrefixIsGivenItByTheOthers() throws Exception {
        int away = awayWhileTheBeginningGoes();
        joinAgain(away);

        await().atMost(PATIENCE).until(() -> members.get(away).installed);
        members.remove(away).kill();
        joinAgain(away);

        assertSameEverywhere();
        send(leader(), 0, 50);
        assertSameEverywhere();
        members.remove(number(leader())).kill();
        send(leader(), 0, 10); // with what it was given, it is one of a majority
    }

    @Test
    void aMemberIsGivenTheBeginningHoweverOftenItEndsMeanwhile() throws Exception {
        int away = awayWhileTheBeginningGoes();
        for (int round = 0; round < 4; round++) {
            joinAgain(away);
            int files = round;
            await().atMost(PATIENCE).until(() -> received(away) >= files || isUpToDate(away));
            members.remove(away).kill();
        }
        joinAgain(away);
        await().atMost(PATIENCE).until(() -> members.get(away).installed || isUpToDate(away));
        members.remove(away).kill();
        joinAgain(away);

        assertSameEverywhere();
    }

    /** How many files it was given so far. */
    private int received(int number) {
        String[] files = directory
                .resolve("member" + number + "/data/log.install")
                .toFile()
                .list();
        return files == null ? 0 : files.length;
    }

    private boolean isUpToDate(int number) {
        return members.get(number).messages(0).equals(leader().messages(0));
    }

    /** Kills a follower, and has the others remove the segments that it had. */
    private int awayWhileTheBeginningGoes() throws Exception {
        start();
        TestMember leader = leader();
        int away = other(number(leader), number(leader));
        send(leader, 0, 10);
        members.remove(away).kill();
        sendAround(40, 40_000);
        RetentionPolicy policy = new RetentionPolicy(3_600_000, 600 << 10, Map.of());
        await().atMost(PATIENCE).until(() -> {
            sendAround(1, 40_000);
            leader().store().retain(0, policy);
            return members.values().stream().allMatch(member -> member.store().minPosition() >= 512 << 10);
        });
        return away;
    }

    /** Not all need be stored: on a busy machine the lead may change. */
    private void sendAround(int count, int bytes) throws Exception {
        List<SentMessage> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(leader().send(0, "x".repeat(bytes)));
        }
        for (SentMessage message : sent) {
            outcome(message);
        }
    }

    private void assertSameEverywhere() {
        TestMember leader = leader();
        List<SentMessage.Stored> all = leader.messages(0);
        for (TestMember member : members.values()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(member.messages(0)).isEqualTo(all));
            assertThat(member.store().minPosition()).isEqualTo(leader.store().minPosition());
            assertThat(member.faults).isEmpty();
        }
        for (long index = leader.replica().log().firstIndex();
                index <= leader.engine().appliedIndex();
                index++) {
            LogEntry entry = leader.replica().log().read(index).orElseThrow();
            for (TestMember member : members.values()) {
                assertThat(member.replica().log().read(index)).contains(entry); // to the last byte
            }
        }
    }

    private int other(int one, int two) {
        return members.keySet().stream()
                .filter(number -> number != one && number != two)
                .findFirst()
                .orElseThrow();
    }

    private void joinAgain(int number) {
        TestMember member = new TestMember(directory.resolve("member" + number), port(number));
        members.put(number, member);
        member.join(new GroupMembers("broker-a", addresses, number));
    }

    private void wipe(int number) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("member" + number))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void start() {
        for (int number = 0; number < 3; number++) {
            TestMember member = new TestMember(directory.resolve("member" + number), 0);
            members.put(number, member);
            addresses.put(number, member.address());
        }
        members.forEach((number, member) -> member.join(new GroupMembers("broker-a", addresses, number)));
    }

    private TestMember leader() {
        await().atMost(PATIENCE)
                .until(() -> members.values().stream()
                        .anyMatch(member -> member.engine().leads()));
        return members.values().stream()
                .filter(member -> member.engine().leads())
                .findFirst()
                .orElseThrow();
    }

    private int number(TestMember wanted) {
        return members.entrySet().stream()
                .filter(entry -> entry.getValue() == wanted)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private int port(int number) {
        String address = addresses.get(number);
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    private static List<SentMessage.Stored> send(TestMember leader, int queueId, int count) throws Exception {
        List<SentMessage> sent = new ArrayList<>();
        String lead = leader.address();
        for (int i = 0; i < count; i++) {
            sent.add(leader.send(queueId, "message " + i + " by " + lead + " " + "x".repeat(i * 13 % 1500)));
        }
        List<SentMessage.Stored> stored = new ArrayList<>();
        for (SentMessage message : sent) {
            stored.add(message.outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        return stored;
    }

    /** Where a message was stored; null when its sender was told that it failed. */
    private static SentMessage.Stored outcome(SentMessage message) throws InterruptedException, TimeoutException {
        try {
            return message.outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            return null;
        }
    }

    private static List<Long> counted(int size) {
        List<Long> counted = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            counted.add(i);
        }
        return counted;
    }
}
