package io.anser.broker.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.MessageQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DivisionTest {
    @Test
    void eachMemberPullsQueuesThatLieTogether() {
        assertThat(ids(Division.pulled("AVG", queues(8), members(3), "m00"))).containsExactly(0, 1, 2);
        assertThat(ids(Division.pulled("AVG", queues(8), members(3), "m01"))).containsExactly(3, 4, 5);
        assertThat(ids(Division.pulled("AVG", queues(8), members(3), "m02"))).containsExactly(6, 7);
        assertThat(ids(Division.pulled("AVG", queues(1), members(3), "m02"))).isEmpty();
    }

    @Test
    void queuesMayBeDealtOut() {
        assertThat(ids(Division.pulled("AVG_BY_CIRCLE", queues(5), members(2), "m00")))
                .containsExactly(0, 2, 4);
        assertThat(ids(Division.pulled("AVG_BY_CIRCLE", queues(5), members(2), "m01")))
                .containsExactly(1, 3);
    }

    @Test
    void whereAllShareEachMemberPopsAnyQueueOfEachBroker() {
        List<MessageQueue> queues = new ArrayList<>(queues(4));
        queues.add(new MessageQueue("T", "broker-b", 0));

        assertThat(Division.popped("AVG", queues, members(3), "m01", 2))
                .containsExactly(new MessageQueue("T", "broker-a", -1), new MessageQueue("T", "broker-b", -1));
        assertThat(Division.popped("AVG", queues, members(3), "m01", 0)).hasSize(2);
    }

    @Test
    void aMemberPopsTheSharesOfThoseBehindItToo() {
        assertThat(ids(Division.popped("AVG", queues(8), members(4), "m03", 1))).containsExactly(6, 7, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AVG", "AVG_BY_CIRCLE"})
    void everyQueueIsPulledByExactlyOneMember(String strategy) {
        for (int members = 1; members <= 12; members++) {
            for (int queues = 0; queues <= 20; queues++) {
                List<MessageQueue> all = new ArrayList<>();
                for (String member : members(members)) {
                    List<MessageQueue> mine = Division.pulled(strategy, queues(queues), members(members), member);
                    assertThat(mine.size()).isBetween(queues / members, queues / members + 1);
                    all.addAll(mine);
                }
                assertThat(all).containsExactlyInAnyOrderElementsOf(queues(queues));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AVG", "AVG_BY_CIRCLE"})
    void everyQueueIsPoppedAndEveryMemberPopsSomething(String strategy) {
        for (int members = 2; members <= 12; members++) {
            for (int queues = 1; queues <= 20; queues++) {
                for (int sharing = 1; sharing < members - 1; sharing++) {
                    int[] poppers = new int[queues];
                    for (String member : members(members)) {
                        Set<MessageQueue> mine =
                                Division.popped(strategy, queues(queues), members(members), member, sharing);
                        assertThat(mine).isNotEmpty();
                        mine.forEach(queue -> poppers[queue.queueId()]++);
                    }
                    int least = members <= queues ? sharing + 1 : 1;
                    assertThat(IntStream.of(poppers).min().orElseThrow()).isGreaterThanOrEqualTo(least);
                }
            }
        }
    }

    private static List<Integer> ids(Collection<MessageQueue> queues) {
        return queues.stream().map(MessageQueue::queueId).toList();
    }

    private static List<MessageQueue> queues(int count) {
        return IntStream.range(0, count)
                .mapToObj(id -> new MessageQueue("T", "broker-a", id))
                .toList();
    }

    private static List<String> members(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> String.format("m%02d", number))
                .toList();
    }
}
