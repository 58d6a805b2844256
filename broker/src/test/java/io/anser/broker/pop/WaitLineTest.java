package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Who is woken, on an event loop that the test runs by hand. */
class WaitLineTest {
    private final WaitLine line = new WaitLine();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> looks = new ArrayList<>();

    @Test
    void oneThatGetsSomethingKeepsTheOthersAsleep() {
        join("a", Answer.FOUND);
        join("b", Answer.FOUND);

        line.signal();
        run();

        assertThat(looks).containsExactly("a");
        assertThat(line.size()).isEqualTo(1);
    }

    @Test
    void oneThatCouldNotHaveHadItLetsTheNextOnesLook() {
        join("a", Answer.NOT_FOR_IT);
        join("b", Answer.GONE);
        join("c", Answer.FOUND);
        join("d", Answer.FOUND);

        line.signal();
        run();

        assertThat(looks).containsExactly("a", "b", "c");
        assertThat(line.size()).isEqualTo(2);
    }

    @Test
    void whereNobodyCanHaveItEachLooksOnce() {
        join("a", Answer.NOT_FOR_IT);
        join("b", Answer.NOT_FOR_IT);
        join("c", Answer.NOT_FOR_IT);

        line.signal();
        run();

        assertThat(looks).containsExactly("a", "b", "c");
        assertThat(line.size()).isEqualTo(3);
    }

    @Test
    void whatHappensWhileOneIsWokenWakesWhoHasJoinedSince() {
        join("a", Answer.FOUND);
        line.signal();
        join("b", Answer.FOUND);
        line.signal(); // "a" has not looked yet

        run();

        assertThat(looks).containsExactly("a", "b");
    }

    @Test
    void whatHappensBetweenALookAndTheJoinIsNotMissed() {
        long events = line.events();
        line.signal();
        line.join(new Member("a", Answer.FOUND), events);

        run();

        assertThat(looks).containsExactly("a");
    }

    @Test
    void whoHasLeftIsNotWoken() {
        Member gone = join("a", Answer.FOUND);
        join("b", Answer.FOUND);

        assertThat(line.leave(gone)).isTrue();
        line.signal();
        run();

        assertThat(looks).containsExactly("b");
        assertThat(line.leave(gone)).isFalse();
        assertThat(line.size()).isZero();
    }

    private Member join(String name, Answer answer) {
        Member member = new Member(name, answer);
        line.join(member, line.events());
        return member;
    }

    private void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private enum Answer {
        FOUND,
        NOT_FOR_IT,
        GONE
    }

    private final class Member implements WaitLine.Waiter {
        private final String name;
        private final Answer answer;

        Member(String name, Answer answer) {
            this.name = name;
            this.answer = answer;
        }

        @Override
        public Executor loop() {
            return tasks::add;
        }

        @Override
        public boolean asksFor(int queueId) {
            return false;
        }

        @Override
        public boolean look() {
            long events = line.events();
            looks.add(name);
            if (answer == Answer.NOT_FOR_IT) {
                line.join(this, events);
            }
            return answer == Answer.FOUND;
        }
    }
}
