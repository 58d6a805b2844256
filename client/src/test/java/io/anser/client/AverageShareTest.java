package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AverageShareTest {
    @Test
    void givesTheFirstMembersOneMoreWhereItDoesNotComeOutEven() {
        List<Integer> queues = List.of(0, 1, 2, 3, 4, 5, 6, 7);
        List<String> members = List.of("a", "b", "c");

        assertThat(AverageShare.of(queues, members, "a")).containsExactly(0, 1, 2);
        assertThat(AverageShare.of(queues, members, "b")).containsExactly(3, 4, 5);
        assertThat(AverageShare.of(queues, members, "c")).containsExactly(6, 7);
    }

    @Test
    void givesNothingToMembersBeyondTheNumberOfQueues() {
        List<Integer> queues = List.of(0, 1);
        List<String> members = List.of("a", "b", "c");

        assertThat(AverageShare.of(queues, members, "a")).containsExactly(0);
        assertThat(AverageShare.of(queues, members, "b")).containsExactly(1);
        assertThat(AverageShare.of(queues, members, "c")).isEmpty();
    }

    @Test
    void givesNothingToAStranger() {
        assertThat(AverageShare.of(List.of(0, 1), List.of("a", "b"), "x")).isEmpty();
    }

    @Test
    void givesEveryQueueToExactlyOneMember() {
        for (int queueCount = 0; queueCount <= 20; queueCount++) {
            for (int memberCount = 1; memberCount <= 20; memberCount++) {
                List<Integer> queues = IntStream.range(0, queueCount).boxed().toList();
                List<String> members = IntStream.range(0, memberCount)
                        .mapToObj(i -> "m" + (char) ('a' + i))
                        .toList();
                List<Integer> given = new ArrayList<>();
                members.forEach(member -> given.addAll(AverageShare.of(queues, members, member)));
                assertThat(given).isEqualTo(queues);
            }
        }
    }
}
