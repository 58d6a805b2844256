package io.anser.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.QueueData;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.operation.RegisterBroker.Standing;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    private static final String A = "10.0.0.1:10911";
    private static final String B = "10.0.0.2:10911";
    private static final String C = "10.0.0.3:10911";

    private final VirtualTime time = new VirtualTime();
    private final RouteTable routes = new RouteTable(NameServerSettings.defaults(), time);

    private Member member(long id, String address, long connection, DataVersion version, String... topics) {
        return member(Standing.ALONE, id, address, connection, version, topics);
    }

    private Member member(
            Standing standing, long id, String address, long connection, DataVersion version, String... topics) {
        Map<String, TopicConfig> configs = new HashMap<>();
        for (String topic : topics) {
            configs.put(topic, new TopicConfig(topic, 4, 4, 6));
        }
        return new Member(
                id,
                address,
                "ha-" + address,
                connection,
                new TopicConfigTable(configs, version),
                false,
                120_000,
                time.nanos(),
                standing);
    }

    private static DataVersion version(long term, long counter) {
        return new DataVersion(term, 0, counter);
    }

    private Registration register(String brokerName, Member member) {
        return routes.register("DefaultCluster", brokerName, member);
    }

    private static String reason(Registration registration) {
        return ((Registration.Refused) registration).reason();
    }

    private Optional<TopicRoute> route(String topic) {
        return routes.route(topic, "", UnaryOperator.identity());
    }

    private Map<Long, String> addresses(String topic) {
        return route(topic).orElseThrow().brokerDatas().get(0).brokerAddrs();
    }

    @Test
    void aRouteNamesTheQueuesAndAddressesOfEveryBrokerThatHasTheTopic() {
        register("broker-b", member(0, B, 2, version(0, 1), "Orders"));
        register("broker-a", member(0, A, 1, version(0, 1), "Orders", "Other"));
        TopicRoute route = route("Orders").orElseThrow();
        assertThat(route.queueDatas())
                .containsExactly(new QueueData("broker-a", 4, 4, 6, 0), new QueueData("broker-b", 4, 4, 6, 0));
        assertThat(route.brokerDatas())
                .containsExactly(
                        new BrokerData("DefaultCluster", "broker-a", Map.of(0L, A)),
                        new BrokerData("DefaultCluster", "broker-b", Map.of(0L, B)));
        assertThat(route("Other").orElseThrow().queueDatas()).hasSize(1);
        assertThat(route("Unknown")).isEmpty();
    }

    @Test
    void aLaterRegistrationReplacesTheTopics() {
        register("broker-a", member(0, A, 1, version(0, 1), "Old"));
        register("broker-a", member(0, A, 1, version(0, 2), "New"));
        assertThat(route("Old")).isEmpty();
        assertThat(route("New")).isPresent();
    }

    @Test
    void aRegistrationOvertakenByANewerOneOfItsConnectionChangesNothing() {
        register("broker-a", member(0, A, 1, version(0, 2), "New"));
        register("broker-a", member(0, A, 1, version(0, 1), "Old"));
        assertThat(route("New")).isPresent();
        assertThat(route("Old")).isEmpty();
    }

    @Test
    void aRegistrationLeftOverInAnOldConnectionChangesNothing() {
        register("broker-a", member(0, A, 7, version(0, 5), "New"));
        register("broker-a", member(0, A, 3, version(0, 5), "Old"));
        assertThat(route("New")).isPresent();
        assertThat(routes.connectionEnded(3)).isEmpty();
        assertThat(route("New")).isPresent();
    }

    @Test
    void aRegistrationOfTheTimeBeforeARestartChangesNothingHoweverHighItCounts() {
        register("broker-a", member(0, A, 2, version(0, 1), "New"));
        register("broker-a", member(0, A, 1, version(0, 100), "Old"));
        assertThat(route("New")).isPresent();
        assertThat(route("Old")).isEmpty();
        assertThat(routes.connectionEnded(1)).isEmpty();
        assertThat(route("New")).isPresent();
    }

    @Test
    void aRestartedBrokerThatCountsFromTheBeginningReplacesItsOldSelf() {
        register("broker-a", member(0, A, 1, version(0, 100), "Old"));
        register("broker-a", member(0, A, 2, version(0, 1), "New"));
        assertThat(route("New")).isPresent();
        assertThat(route("Old")).isEmpty();
    }

    @Test
    void anOlderTermNeverOverwritesANewerOne() {
        register("broker-a", member(0, A, 1, version(3, 1), "New"));
        register("broker-a", member(0, A, 2, version(2, 100), "Old"));
        assertThat(route("New")).isPresent();
        assertThat(route("Old")).isEmpty();
    }

    @Test
    void aRepeatedOldRegistrationStillShowsThatTheBrokerIsAlive() {
        register("broker-a", member(0, A, 1, version(0, 2), "T"));
        time.advance(Duration.ofSeconds(100));
        register("broker-a", member(0, A, 1, version(0, 1)));
        time.advance(Duration.ofSeconds(100));
        assertThat(routes.removeSilent()).isEmpty();
    }

    @Test
    void refusesASecondAddressForANameAndIdThatIsAlive() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        assertThat(reason(register("broker-a", member(0, B, 2, version(9, 9), "T"))))
                .isEqualTo("broker name broker-a with id 0 is taken by 10.0.0.1:10911, which is alive; two brokers need"
                        + " two names or two ids");
        assertThat(addresses("T")).isEqualTo(Map.of(0L, A));
    }

    @Test
    void aNameIsFreeAgainWhenItsBrokerIsSilent() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        time.advance(Duration.ofMinutes(2));
        assertThat(register("broker-a", member(0, B, 2, version(0, 1), "T"))).isInstanceOf(Registration.Accepted.class);
        assertThat(addresses("T")).isEqualTo(Map.of(0L, B));
    }

    @Test
    void refusesABrokerNameThatAnotherClusterUses() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        assertThat(reason(routes.register("Second", "broker-a", member(1, B, 2, version(0, 1), "T"))))
                .startsWith("broker name broker-a belongs to cluster DefaultCluster while 10.0.0.1:10911 is alive");
    }

    @Test
    void aBrokerMayMoveToAnotherCluster() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        routes.register("Second", "broker-a", member(0, A, 2, version(0, 1), "T"));
        assertThat(routes.topics("Second"::equals)).containsExactly("T");
        assertThat(routes.topics("DefaultCluster"::equals)).isEmpty();
    }

    @Test
    void aPromotedReplicaTakesTheMastersIdAndLeavesItsOwn() {
        register("broker-a", member(0, A, 1, version(1, 1), "T"));
        register("broker-a", member(1, B, 2, version(1, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(0L, A, 1L, B));
        register("broker-a", member(0, B, 2, version(2, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(0L, B));
        assertThat(register("broker-a", member(0, A, 1, version(1, 2), "T"))).isInstanceOf(Registration.Refused.class);
        register("broker-a", member(1, A, 1, version(1, 2), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(0L, B, 1L, A));
    }

    @Test
    void aReplicaIsToldItsMaster() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        assertThat(register("broker-a", member(1, B, 2, version(0, 1), "T")))
                .isEqualTo(new Registration.Accepted(A, "ha-" + A, true));
    }

    @Test
    void theQueuesStayWhileAReplicaIsLeft() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        register("broker-a", member(1, B, 2, version(0, 1), "T"));
        assertThat(routes.connectionEnded(1)).containsExactly(A);
        assertThat(addresses("T")).isEqualTo(Map.of(1L, B));
        assertThat(routes.connectionEnded(2)).containsExactly(B);
        assertThat(route("T")).isEmpty();
    }

    @Test
    void aGroupWithoutItsLeaderShowsAMemberThatKnowsOneUnderTheMastersId() {
        register("broker-a", member(Standing.IN_GROUP, 0, A, 1, version(3, 1), "T"));
        register("broker-a", member(Standing.IN_GROUP, 2, B, 2, version(3, 1), "T"));
        register("broker-a", member(Standing.IN_GROUP, 3, C, 3, version(3, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(0L, A, 2L, B, 3L, C));

        register("broker-a", member(Standing.WITHOUT_LEADER, 1, A, 1, version(3, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(1L, A, 0L, B, 3L, C));

        register("broker-a", member(Standing.WITHOUT_LEADER, 2, B, 2, version(3, 1), "T"));
        register("broker-a", member(Standing.WITHOUT_LEADER, 3, C, 3, version(3, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(0L, A, 2L, B, 3L, C));
    }

    @Test
    void aReplicaOfAGroupWithoutElectionsNeverShowsUnderTheMastersId() {
        register("broker-a", member(Standing.ALONE, 2, B, 2, version(3, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(2L, B));
    }

    @Test
    void aLeaderOfThePastIsRefusedAlsoWhenItsSuccessorHasGone() {
        register("broker-a", member(Standing.IN_GROUP, 0, A, 1, version(3, 1), "T"));
        register("broker-a", member(Standing.IN_GROUP, 2, B, 2, version(3, 1), "T"));
        register("broker-a", member(Standing.IN_GROUP, 3, C, 3, version(3, 1), "T"));
        register("broker-a", member(Standing.IN_GROUP, 0, B, 2, version(4, 1), "T"));
        register("broker-a", member(Standing.WITHOUT_LEADER, 3, C, 3, version(4, 1), "T"));
        assertThat(routes.connectionEnded(2)).containsExactly(B);

        assertThat(reason(register("broker-a", member(Standing.IN_GROUP, 0, A, 1, version(3, 1), "T"))))
                .contains("had a later leader than " + A);
        assertThat(addresses("T")).isEqualTo(Map.of(0L, C));

        register("broker-a", member(Standing.IN_GROUP, 0, C, 3, version(5, 1), "T"));
        assertThat(addresses("T")).isEqualTo(Map.of(0L, C));
    }

    @Test
    void withoutAMasterTheTopicsAreThoseOfTheMemberThatKnowsMost() {
        register("broker-a", member(Standing.IN_GROUP, 1, A, 1, version(3, 5), "T"));
        register("broker-a", member(Standing.IN_GROUP, 2, B, 2, version(3, 6), "T", "New"));
        assertThat(addresses("New")).isEqualTo(Map.of(0L, A, 2L, B));

        register("broker-a", member(Standing.IN_GROUP, 1, A, 1, version(4, 7), "T"));
        assertThat(route("New")).isEmpty(); // deleted under a later leader
    }

    @Test
    void anEndedConnectionTakesOnlyTheBrokersItSpeaksFor() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        register("broker-a", member(0, A, 2, version(0, 1), "T"));
        assertThat(routes.connectionEnded(1)).isEmpty();
        assertThat(route("T")).isPresent();
        assertThat(routes.connectionEnded(2)).containsExactly(A);
        assertThat(route("T")).isEmpty();
    }

    @Test
    void aHeartbeatOverANewConnectionMakesItSpeakForTheBroker() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        assertThat(routes.heardOf("broker-a", A, 2)).contains(version(0, 1));
        assertThat(routes.connectionEnded(1)).isEmpty();
        assertThat(route("T")).isPresent();
    }

    @Test
    void anUnregisterFromAnOldConnectionDoesNotRemoveANewRegistration() {
        register("broker-a", member(0, A, 2, version(0, 1), "T"));
        assertThat(routes.unregister("broker-a", 0, A, 1)).isFalse();
        assertThat(routes.unregister("broker-a", 0, B, 2)).isFalse();
        assertThat(route("T")).isPresent();
        assertThat(routes.unregister("broker-a", 0, A, 2)).isTrue();
        assertThat(route("T")).isEmpty();
    }

    @Test
    void aSilentBrokerGoesAfterTwoMinutesAndNotEarlier() {
        register("broker-a", member(0, A, 1, version(0, 1), "T"));
        time.advance(Duration.ofSeconds(60));
        routes.heardOf("broker-a", A, 1);
        time.advance(Duration.ofMillis(119_999));
        assertThat(routes.removeSilent()).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(routes.removeSilent()).containsExactly(A);
        assertThat(route("T")).isEmpty();
    }

    @Test
    void aBrokerThatIsUnknownIsAskedToRegister() {
        assertThat(routes.heardOf("broker-a", A, 1)).isEmpty();
        register("broker-a", member(0, A, 1, version(0, 1)));
        assertThat(routes.heardOf("broker-a", B, 1)).isEmpty();
    }

    @Test
    void wipedWritePermissionStaysAwayUntilItIsGivenBack() {
        register("broker-a", member(0, A, 1, version(0, 1), "T", "U"));
        assertThat(routes.setWritable("broker-a", false)).isEqualTo(2);
        assertThat(route("T").orElseThrow().queueDatas().get(0).perm()).isEqualTo(4);
        register("broker-a", member(0, A, 1, version(0, 2), "T", "U"));
        routes.connectionEnded(1);
        register("broker-a", member(0, A, 2, version(0, 2), "T", "U"));
        assertThat(route("T").orElseThrow().queueDatas().get(0).perm()).isEqualTo(4);
        assertThat(routes.setWritable("broker-a", true)).isEqualTo(2);
        assertThat(route("T").orElseThrow().queueDatas().get(0).perm()).isEqualTo(6);
        assertThat(routes.setWritable("nobody", false)).isZero();
    }

    @Test
    void aDeletedTopicIsGoneUntilABrokerRegistersItAgain() {
        register("broker-a", member(0, A, 1, version(0, 1), "T", "U"));
        routes.deleteTopic("T", "Other"::equals);
        assertThat(route("T")).isPresent();
        routes.deleteTopic("T", any -> true);
        assertThat(route("T")).isEmpty();
        assertThat(route("U")).isPresent();
        register("broker-a", member(0, A, 1, version(0, 1), "T", "U"));
        assertThat(route("T")).isPresent();
    }

    @Test
    void aTopicCanBeAddedToTheBrokersThatAreKnown() {
        register("broker-a", member(0, A, 1, version(0, 1)));
        routes.addTopic("T", List.of(new QueueData("broker-a", 2, 3, 6, 0), new QueueData("broker-x", 2, 3, 6, 0)));
        assertThat(route("T").orElseThrow().queueDatas()).containsExactly(new QueueData("broker-a", 2, 3, 6, 0));
    }

    @Test
    void warmsUpUntilTheFirstRegistration() {
        assertThat(routes.isWarmingUp()).isTrue();
        time.advance(Duration.ofMillis(9_999));
        assertThat(routes.isWarmingUp()).isTrue();
        register("broker-a", member(0, A, 1, version(0, 1)));
        assertThat(routes.isWarmingUp()).isFalse();
    }

    @Test
    void warmsUpForTenSecondsAtMost() {
        time.advance(Duration.ofSeconds(10));
        assertThat(routes.isWarmingUp()).isFalse();
    }

    @Test
    void theTopicsOfAllBrokersTogetherHaveABound() {
        RouteTable small = new RouteTable(new NameServerSettings(120_000, 5_000, 10_000, 9, 300, 10), time);
        small.register("c", "broker-a", member(0, A, 1, version(0, 1), "T"));
        small.register("c", "broker-b", member(0, B, 2, version(0, 1), "T"));
        String full = "the topics of all brokers would take bytes=387 limit=300 (nameserver.max-topic-bytes)";
        assertThat(reason(small.register("c", "broker-a", member(0, A, 1, version(0, 2), "U", "V"))))
                .isEqualTo(full);
        assertThat(small.addTopic("U", List.of(new QueueData("broker-a", 2, 3, 6, 0))))
                .contains(full);
        assertThat(small.topics(any -> true)).containsExactly("T");
        assertThat(small.register("c", "broker-a", member(0, A, 1, version(0, 3), "U")))
                .isInstanceOf(Registration.Accepted.class);
        assertThat(small.topics(any -> true)).containsExactly("T", "U");
    }

    @Test
    void boundsItsSize() {
        RouteTable small = new RouteTable(new NameServerSettings(120_000, 5_000, 10_000, 1, 1 << 20, 10), time);
        small.register("c", "broker-a", member(0, A, 1, version(0, 1)));
        assertThat(reason(small.register("c", "broker-b", member(0, B, 2, version(0, 1)))))
                .isEqualTo("the name server holds 1 brokers, its limit");
        for (int id = 1; id < 64; id++) {
            small.register("c", "broker-a", member(id, "10.0.1." + id + ":1", 2, version(0, 1)));
        }
        assertThat(reason(small.register("c", "broker-a", member(64, B, 2, version(0, 1)))))
                .isEqualTo("broker name broker-a has 64 members, its limit");
        assertThat(reason(small.register("c", "n".repeat(256), member(0, B, 2, version(0, 1)))))
                .isEqualTo("clusterName, brokerName and brokerAddr must have 1 to 255 characters, they have 1, 256"
                        + " and 14");
    }
}
