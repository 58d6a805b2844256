package io.anser.broker.replication;

import io.anser.broker.replication.CopySettings.WithoutReplicas;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A primary in sync mode with two replicas in one thread, over a network that delays, loses and breaks, with devices that force
 * when they like, until one crashes and loses what it did not force. After every step it is checked that
 *
 * <ul>
 *   <li>each replica's log is the beginning of the primary's,
 *   <li>what is committed is on the device of the primary and of a replica, wherever that is,
 *   <li>no replica takes for committed what the primary does not.
 * </ul>
 */
final class ReplicationLife {
    private final long seed;
    private final Random random;
    private final VirtualTime time = new VirtualTime();
    private final FakeLog log = new FakeLog();
    private final List<Member> members = new ArrayList<>();
    private Replicas replicas;
    private InSync inSync;
    private long term = 1;

    ReplicationLife(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        startPrimary();
        members.add(new Member(1));
        members.add(new Member(2));
    }

    /** One replica with what it keeps over its crashes. */
    private final class Member implements PrimaryCalls {
        private final int id;
        private final FakeLog copy = new FakeLog();
        private Follower follower;
        private Optional<ReplicaSession> session = Optional.empty();
        private boolean reachable = true;

        Member(int id) {
            this.id = id;
            start();
        }

        void start() {
            follower = new Follower("broker-a", id, copy, this, time, new Follower.News() {
                @Override
                public void follows(boolean now) {}

                @Override
                public void stopped() {
                    fail("a replica stopped");
                }
            });
            follower.start();
        }

        void crash() {
            follower.close();
            copy.losePower();
            breakConnection();
            start();
        }

        void breakConnection() {
            session.ifPresent(replicas::left);
            session = Optional.empty();
        }

        @Override
        public CompletableFuture<FollowAnswer> follow(FollowRequest request) {
            Follower asking = follower;
            CompletableFuture<FollowAnswer> reply = new CompletableFuture<>();
            later(reply, () -> {
                FollowAnswer[] refusal = new FollowAnswer[1];
                Optional<ReplicaSession> joined =
                        replicas.join(request, "replica " + id, Runnable::run, answer -> refusal[0] = answer);
                if (asking == follower) {
                    session = joined;
                }
                reply.complete(joined.isPresent() ? FollowAnswer.fits() : refusal[0]);
            });
            return reply;
        }

        @Override
        public CompletableFuture<FetchAnswer> fetch(FetchRequest request) {
            CompletableFuture<FetchAnswer> reply = new CompletableFuture<>();
            later(reply, () -> {
                boolean accepted = session.isPresent()
                        && replicas.fetch(
                                session.get(),
                                request.position(),
                                request.durable(),
                                request.told(),
                                answer -> later(reply, () -> reply.complete(answer)));
                if (!accepted) {
                    reply.completeExceptionally(new IllegalStateException("begin anew"));
                }
            });
            time.schedule(6_000, () -> reply.completeExceptionally(new IllegalStateException("timeout")));
            return reply;
        }

        @Override
        public void acknowledge(FetchRequest request) {
            later(null, () -> session.ifPresent(known -> replicas.acknowledged(known, request.durable())));
        }

        /** Delivers after a moment, or never. */
        private void later(@Nullable CompletableFuture<?> reply, Runnable delivery) {
            if (!reachable || random.nextInt(50) == 0) {
                breakConnection();
                if (reply != null) {
                    time.schedule(1, () -> reply.completeExceptionally(new IllegalStateException("lost")));
                }
            } else {
                time.schedule(random.nextInt(20), delivery);
            }
        }
    }

    private void startPrimary() {
        inSync = new InSync(1, 500, random.nextBoolean() ? WithoutReplicas.REFUSE : WithoutReplicas.DEGRADE);
        replicas = new Replicas("broker-a", log, inSync, time, Runnable::run, () -> {});
        log.add(term, 0);
        log.force();
    }

    private void crashPrimary() {
        members.forEach(Member::breakConnection);
        log.losePower();
        term++;
        startPrimary();
    }

    void live(int steps) {
        for (int step = 0; step < steps; step++) {
            step();
            time.advance(Duration.ofMillis(random.nextInt(15)));
            check("step " + step);
        }
        settle();
    }

    private void step() {
        Member member = members.get(random.nextInt(members.size()));
        switch (random.nextInt(24)) {
            case 0 -> crashPrimary();
            case 1 -> member.crash();
            case 2 -> member.breakConnection();
            case 3 -> member.reachable = !member.reachable;
            case 4, 5, 6, 7 -> log.force();
            case 8, 9, 10, 11 -> member.copy.write();
            case 12, 13, 14 -> member.copy.force();
            case 15, 16 -> replicas.tick();
            default -> log.add(term, random.nextInt(1_000));
        }
        replicas.progressed();
        commit();
    }

    private void commit() {
        boolean alone = inSync.state() == InSync.State.DEGRADED;
        log.commitAsFarAs(inSync.limit());
        long committed = log.committed();
        if (!alone && inSync.state() == InSync.State.SYNC && committed > inSync.copied()) {
            return; // committed while it was alone
        }
        boolean somewhere = members.stream().anyMatch(member -> member.copy.durable() >= committed);
        if (!alone && !somewhere) {
            fail("committed=" + committed + " and on no replica's device");
        }
    }

    /** Everything reaches everybody in the end. */
    private void settle() {
        members.forEach(member -> member.reachable = true);
        log.force();
        for (int i = 0; i < 2_000 && !isSettled(); i++) {
            members.forEach(member -> {
                member.copy.write();
                member.copy.force();
            });
            replicas.progressed();
            replicas.tick();
            commit();
            time.advance(Duration.ofMillis(20));
            check("settling " + i);
        }
        if (!isSettled()) {
            fail("not settled: primary=" + log.durable() + " committed=" + log.committed() + " replicas="
                    + members.stream().map(member -> member.copy.durable()).toList());
        }
    }

    private boolean isSettled() {
        return log.committed() == log.durable()
                && members.stream()
                        .allMatch(member ->
                                member.copy.durable() == log.durable() && member.copy.committed() == log.committed());
    }

    private void check(String when) {
        for (Member member : members) {
            List<FakeLog.Stored> copied = member.copy.records();
            if (copied.size() > log.records().size()
                    || !copied.equals(log.records().subList(0, copied.size()))) {
                fail(when + ": replica " + member.id + " is not the beginning of the primary");
            }
            if (member.copy.committed() > log.committed()) {
                fail(when + ": replica " + member.id + " shows what is not committed");
            }
        }
    }

    private void fail(String what) {
        throw new AssertionError("seed=" + seed + " " + what);
    }
}
