package io.anser.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.filter.Subscription;
import io.anser.broker.group.ConnectedClient.Kind;
import io.anser.broker.group.ConnectedClient.Membership;
import io.anser.protocol.frame.FieldSource;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ConsumerGroupsTest {
    private static final String GROUP = "orders-group";

    private final VirtualTime time = new VirtualTime();
    private final Set<String> silentGroups = new HashSet<>();
    private final ConsumerGroups consumers = new ConsumerGroups(time, group -> !silentGroups.contains(group));
    private final ProducerGroups producers = new ProducerGroups(time);
    private final Clients clients = new Clients(consumers, producers, time);
    private final FakeChannel channelOne = new FakeChannel();
    private final FakeChannel channelTwo = new FakeChannel();
    private final ConnectedClient one = new ConnectedClient(channelOne);
    private final ConnectedClient two = new ConnectedClient(channelTwo);

    @Test
    void allMembersAreToldWhenOneJoins() {
        join(one, "one", "*", 1);
        join(two, "two", "*", 1);

        assertThat(consumers.clientIds(GROUP)).containsExactly("one", "two");
        assertThat(channelOne.notices).isEqualTo(2);
        assertThat(channelTwo.notices).isEqualTo(1);
    }

    @Test
    void repeatedHeartbeatTellsNobody() {
        join(one, "one", "*", 1);
        join(one, "one", "*", 1);

        assertThat(channelOne.notices).isEqualTo(1);
    }

    @Test
    void otherSubscriptionTellsAllMembers() {
        join(one, "one", "*", 1);
        join(two, "two", "*", 1);
        join(one, "one", "a || c", 2);

        assertThat(channelOne.notices).isEqualTo(3);
        assertThat(channelTwo.notices).isEqualTo(2);
    }

    @Test
    void newerVersionOfTheSameWishIsKeptAndTellsNobody() {
        join(one, "one", "*", 1);
        join(one, "one", "*", 2);

        assertThat(channelOne.notices).isEqualTo(1);
        assertThat(consumers.subscription(channelOne, GROUP, "Orders")).hasValue(subscription("*", 2));
    }

    @Test
    void closedConnectionEndsItsMembershipsAndTellsTheOthersAtOnce() {
        join(one, "one", "*", 1);
        join(two, "two", "*", 1);
        clients.producer(two, "two", "order-makers");

        clients.disconnected(two);

        assertThat(consumers.clientIds(GROUP)).containsExactly("one");
        assertThat(producers.clientIds("order-makers")).isEmpty();
        assertThat(channelOne.notices).isEqualTo(3);
        assertThat(channelTwo.notices).isEqualTo(1);
    }

    @Test
    void leavingMemberIsGoneAndTheOthersAreTold() {
        join(one, "one", "*", 1);
        join(two, "two", "*", 1);

        clients.leave(two, new Membership(Kind.CONSUMER, GROUP, "two"));

        assertThat(consumers.clientIds(GROUP)).containsExactly("one");
        assertThat(channelOne.notices).isEqualTo(3);
    }

    @Test
    void clientThatCameBackOverAnotherConnectionOutlivesTheOldOne() {
        join(one, "one", "*", 1);
        join(two, "one", "*", 1);

        clients.disconnected(one);

        assertThat(consumers.clientIds(GROUP)).containsExactly("one");
        assertThat(consumers.subscription(channelTwo, GROUP, "Orders")).hasValue(subscription("*", 1));
    }

    @Test
    void silentMemberIsGoneAfterTwoMinutes() {
        join(one, "one", "*", 1);
        join(two, "two", "*", 1);
        clients.producer(one, "one", "order-makers");
        time.advance(Duration.ofSeconds(60));
        join(two, "two", "*", 1);

        time.advance(Duration.ofSeconds(60));
        assertThat(consumers.clientIds(GROUP)).containsExactly("one", "two");
        time.advance(Duration.ofSeconds(10));

        assertThat(consumers.clientIds(GROUP)).containsExactly("two");
        assertThat(producers.clientIds("order-makers")).isEmpty();
        assertThat(channelTwo.notices).isEqualTo(2);
    }

    @Test
    void groupThatWantsNoNoticesGetsNone() {
        silentGroups.add(GROUP);
        join(one, "one", "*", 1);
        join(two, "two", "*", 1);

        assertThat(channelOne.notices).isZero();
    }

    @Test
    void subscriptionIsThatOfTheAskingMemberBeforeTheNewestOfTheOthers() {
        FakeChannel stranger = new FakeChannel();
        join(one, "one", "a", 5);
        join(two, "two", "b", 9);

        assertThat(consumers.subscription(channelOne, GROUP, "Orders")).hasValue(subscription("a", 5));
        assertThat(consumers.subscription(stranger, GROUP, "Orders")).hasValue(subscription("b", 9));
        assertThat(consumers.subscription(channelOne, GROUP, "Parcels")).isEmpty();
        assertThat(consumers.subscription(channelOne, "nobody", "Orders")).isEmpty();
    }

    @Test
    void heartbeatWithoutSubscriptionsKeepsThemAlive() {
        join(one, "one", "a", 5);
        clients.consumer(one, "one", GROUP, Optional.empty(), true);

        assertThat(consumers.subscription(channelOne, GROUP, "Orders")).hasValue(subscription("a", 5));
        assertThat(channelOne.notices).isEqualTo(1);
    }

    @Test
    void connectionInTooManyGroupsIsRefusedTheNextAndKeepsItsOwn() {
        for (int i = 0; i < 1000; i++) {
            assertThat(clients.producer(one, "one", "makers-" + i)).isTrue();
        }

        assertThat(clients.producer(one, "one", "makers-1000")).isFalse();
        assertThat(clients.consumer(one, "one", GROUP, Optional.empty(), true)).isFalse();
        assertThat(clients.producer(one, "one", "makers-0")).isTrue();
        assertThat(producers.clientIds("makers-1000")).isEmpty();
        assertThat(consumers.clientIds(GROUP)).isEmpty();
    }

    @Test
    void membersThatSubscribeDifferentlyAreToldByNameUntilTheyAgree() {
        join(one, "one", "a", 1);
        assertThat(consumers.conflicts()).isEmpty();

        join(two, "two", "b || c", 1);
        join(two, "two", "b || c", 2);

        assertThat(consumers.conflicts())
                .containsExactly(Map.entry(GROUP, "topic=Orders TAG 'a' members=[one]; TAG 'b || c' members=[two]"));
        assertThat(consumers.conflictsSeen()).isEqualTo(1);
        join(one, "one", "c||b", 2);
        assertThat(consumers.conflicts()).isEmpty();
        assertThat(consumers.conflictsSeen()).isEqualTo(1);
    }

    @Test
    void conflictEndsWhenOneOfTheTwoLeaves() {
        join(one, "one", "a", 1);
        join(two, "two", "b", 1);

        clients.disconnected(two);

        assertThat(consumers.conflicts()).isEmpty();
        assertThat(others(channelOne, "a")).isEmpty();
    }

    @Test
    void memberWithoutTheTopicIsInConflictButWantsNothingOfIt() {
        join(one, "one", "a", 1);
        clients.consumer(two, "two", GROUP, Optional.of(Map.of()), true);

        assertThat(consumers.conflicts())
                .containsExactly(Map.entry(GROUP, "topic=Orders TAG 'a' members=[one]; nothing members=[two]"));
        assertThat(others(channelOne, "a")).isEmpty();
    }

    @Test
    void membersThatEachGetEverythingAreInNoConflict() {
        for (String expression : Set.of("a", "b")) {
            Map<String, Subscription> subscriptions = Map.of("Orders", subscription(expression, 1));
            clients.consumer(one, expression, GROUP, Optional.of(subscriptions), false);
        }

        assertThat(consumers.conflicts()).isEmpty();
    }

    @Test
    void wishesOfOthersAreThoseThatTheAskingMemberDoesNotHave() {
        FakeChannel stranger = new FakeChannel();
        join(one, "one", "a", 5);
        join(two, "two", "b", 9);

        assertThat(others(channelOne, "a")).containsExactly(subscription("b", 0));
        assertThat(others(channelTwo, "b")).containsExactly(subscription("a", 0));
        assertThat(others(channelOne, "x")).as("reads on its own account").isEmpty();
        assertThat(others(stranger, "a")).isEmpty();
    }

    @Test
    void wishesOfOthersAreThoseOfTheMomentWhileARequestWaits() {
        join(one, "one", "a", 5);
        Supplier<List<Subscription>> member = consumers.othersWishes(channelOne, GROUP, subscription("a", 5));
        Supplier<List<Subscription>> onItsOwn = consumers.othersWishes(channelOne, GROUP, subscription("x", 5));
        assertThat(member.get()).isEmpty();

        join(two, "two", "b", 9);
        assertThat(member.get()).containsExactly(subscription("b", 0));
        assertThat(onItsOwn.get()).isEmpty();
        join(two, "two", "a", 10);
        assertThat(member.get()).isEmpty();
        join(one, "one", "c", 11); // the client has changed its mind, and its request still waits
        join(two, "two", "c", 11);
        assertThat(member.get()).containsExactly(subscription("c", 0));
        assertThat(onItsOwn.get()).isEmpty();
    }

    @Test
    void manyNamesAreCountedNotListed() {
        for (int i = 0; i < 12; i++) {
            join(one, "c" + i, i < 7 ? "a" : "b" + i, 1);
        }

        assertThat(consumers.conflicts().get(GROUP))
                .isEqualTo("topic=Orders TAG 'a' members=[c0,c1,c2,c3,c4] and 2 more; TAG 'b10' members=[c10];"
                        + " TAG 'b11' members=[c11]; TAG 'b7' members=[c7]; TAG 'b8' members=[c8]; 1 more");
        assertThat(consumers.conflictsSeen()).isEqualTo(1);
    }

    private List<Subscription> others(ClientChannel channel, String asked) {
        return consumers.othersWishes(channel, GROUP, subscription(asked, 77)).get();
    }

    private void join(ConnectedClient client, String clientId, String expression, long version) {
        Map<String, Subscription> subscriptions = Map.of("Orders", subscription(expression, version));
        clients.consumer(client, clientId, GROUP, Optional.of(subscriptions), true);
    }

    private static Subscription subscription(String expression, long version) {
        return new Subscription("Orders", "TAG", expression, version);
    }

    /** Counts the notices that a client gets. */
    private static final class FakeChannel implements ClientChannel {
        private int notices;

        @Override
        public void sendOneWay(int code, FieldSource fields, ByteBuf body) {
            assertThat(code).isEqualTo(40);
            notices++;
        }

        @Override
        public CompletableFuture<Reply> call(int code, FieldSource fields, ByteBuf body, long timeoutMillis) {
            throw new AssertionError("called with code=" + code);
        }
    }
}
