package io.anser.broker.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NameServerRegistrationTest {
    private static final List<String> BOTH = List.of("a:1", "b:2");

    private final VirtualTime time = new VirtualTime();
    private final FakeNameServers nameServers = new FakeNameServers();
    private final NameServerRegistration registration = new NameServerRegistration(nameServers, time, 30_000);

    @Test
    void startRegistersEverywhereAndTellsWhenAllKnow() {
        CompletableFuture<?> started = registration.start(BOTH);
        assertThat(started).isNotDone();

        pass(0);

        assertThat(started).isCompleted();
        assertThat(nameServers.calls).containsExactly("register a:1", "register b:2");
    }

    @Test
    void registersAgainEveryPeriod() {
        registration.start(BOTH);
        pass(0);
        nameServers.calls.clear();

        pass(29_999);
        assertThat(nameServers.calls).isEmpty();
        pass(1);
        assertThat(nameServers.calls).containsExactly("register a:1", "register b:2");
    }

    @Test
    void aDeadNameServerDelaysNobodyAndIsKnownWithinASecondOfItsReturn() {
        nameServers.down.put("b:2", true);
        CompletableFuture<?> started = registration.start(BOTH);
        pass(0);
        assertThat(started).isCompleted();
        pass(10_000);
        nameServers.calls.clear();

        nameServers.down.clear();
        pass(1000);

        assertThat(nameServers.calls).containsExactly("register b:2");
    }

    @Test
    void retriesOfADeadNameServerAreAtMostOneASecond() {
        nameServers.down.put("b:2", true);
        registration.start(BOTH);
        pass(5000);
        nameServers.calls.clear();

        pass(10_000);

        assertThat(nameServers.calls).hasSize(10).containsOnly("register b:2");
    }

    @Test
    void anAnnouncementWaitsForACallThatBeganAfterIt() {
        registration.start(BOTH);
        pass(0);
        nameServers.calls.clear();
        nameServers.silent = true;
        List<String> told = new ArrayList<>();
        registration.announce(() -> told.add("first"));
        pass(0);
        registration.announce(() -> told.add("second"));
        pass(0);
        assertThat(nameServers.calls).containsExactly("register a:1", "register b:2");

        nameServers.answerAll();
        pass(0);
        assertThat(told).containsExactly("first");
        assertThat(nameServers.calls).hasSize(4);

        nameServers.answerAll();
        pass(0);
        assertThat(told).containsExactly("first", "second");
        assertThat(nameServers.calls).hasSize(4);
    }

    @Test
    void anAnnouncementWaitsOneSecondAtMost() {
        registration.start(BOTH);
        pass(0);
        nameServers.silent = true;
        List<String> told = new ArrayList<>();
        registration.announce(() -> told.add("told"));

        pass(999);
        assertThat(told).isEmpty();
        pass(1);
        assertThat(told).containsExactly("told");
    }

    @Test
    void aLostConnectionMeansRegisteringSoon() {
        registration.start(BOTH);
        pass(0);
        nameServers.calls.clear();

        registration.connectionLost();
        pass(200);

        assertThat(nameServers.calls).containsExactly("register a:1", "register b:2");
    }

    @Test
    void closingUnregistersAndEndsTheRepetition() {
        registration.start(BOTH);
        pass(0);
        nameServers.calls.clear();

        registration.close();
        registration.close();
        pass(60_000);

        assertThat(nameServers.calls).containsExactly("unregister a:1", "unregister b:2");
    }

    @Test
    void theListChangesWhileItRuns() {
        registration.start(BOTH);
        pass(0);
        nameServers.calls.clear();

        registration.nameServers(List.of("b:2", "c:3"));
        pass(0);
        assertThat(nameServers.calls).containsExactly("register c:3", "unregister a:1");
        nameServers.calls.clear();
        pass(30_000);
        assertThat(nameServers.calls).containsExactlyInAnyOrder("register b:2", "register c:3");
        nameServers.calls.clear();
        registration.close();
        assertThat(nameServers.calls).containsExactly("unregister b:2", "unregister c:3");
    }

    @Test
    void aListThatBecomesEmptyDelaysNobody() {
        registration.start(BOTH);
        pass(0);
        List<String> told = new ArrayList<>();

        registration.nameServers(List.of());
        pass(0);
        registration.announce(() -> told.add("told"));

        assertThat(told).containsExactly("told");
    }

    @Test
    void withoutNameServersAnnouncementsAreDoneAtOnce() {
        NameServerRegistration alone = new NameServerRegistration(nameServers, time, 30_000);

        assertThat(alone.start(List.of())).isCompleted();
    }

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    private static final class FakeNameServers implements NameServerCalls {
        private final List<String> calls = new ArrayList<>();
        private final Map<String, Boolean> down = new HashMap<>();
        private final List<CompletableFuture<@Nullable Void>> unanswered = new ArrayList<>();
        private boolean silent;

        @Override
        public CompletableFuture<@Nullable Void> register(String nameServer) {
            calls.add("register " + nameServer);
            if (down.containsKey(nameServer)) {
                return CompletableFuture.failedFuture(new RegistrationRefusedException("down"));
            }
            CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
            unanswered.add(answer);
            if (!silent) {
                answerAll();
            }
            return answer;
        }

        @Override
        public CompletableFuture<@Nullable Void> unregister(String nameServer) {
            calls.add("unregister " + nameServer);
            return CompletableFuture.completedFuture(null);
        }

        private void answerAll() {
            List<CompletableFuture<@Nullable Void>> all = List.copyOf(unanswered);
            unanswered.clear();
            all.forEach(answer -> answer.complete(null));
        }
    }
}
