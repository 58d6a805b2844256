package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of an Apache broker, as its files have them. The log is empty here. */
class ApacheSettingsTest {
    private static final CommitListener NOBODY = (queue, from, until) -> {};

    @TempDir
    Path directory;

    private final BrokerState state = new BrokerState(SystemTopics.of("DefaultCluster", "broker-a", 8));

    private void write(String name, String text) throws IOException {
        Files.createDirectories(directory.resolve("commitlog"));
        Files.createDirectories(directory.resolve("config"));
        Files.writeString(directory.resolve("config").resolve(name), text);
    }

    private MessageStore open() {
        MessageStore store = MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(16 << 20),
                state,
                NOBODY,
                new VirtualTime(1_000_000),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        state.attach(store::queue);
        return store;
    }

    @Test
    void takesTopicsWithTheirAttributesAndPassesOverWhatItDoesNotKnow() throws IOException {
        write("topics.json", """
                {"dataVersion":{"counter":2,"new":[1,{2:3}]},"topicConfigTable":{
                  "orders":{"attributes":{"message.type":"FIFO"},"order":true,"perm":4,"readQueueNums":5,
                            "topicName":"orders","topicSysFlag":0,"writeQueueNums":3,"unheardOf":{"a":1}},
                  "SCHEDULE_TOPIC_XXXX":{"perm":6,"readQueueNums":99,"topicName":"SCHEDULE_TOPIC_XXXX","writeQueueNums":99}
                }}""");

        open().close();

        var orders = state.topics().find("orders").orElseThrow().config();
        assertThat(orders.readQueueNums()).isEqualTo(5);
        assertThat(orders.writeQueueNums()).isEqualTo(3);
        assertThat(orders.perm()).isEqualTo(4);
        assertThat(orders.order()).isTrue();
        assertThat(orders.attributes()).containsEntry("message.type", "FIFO");
        assertThat(state.topics().find("SCHEDULE_TOPIC_XXXX").orElseThrow().queueCount())
                .isEqualTo(18);
    }

    @Test
    void deadLettersThatNobodyCouldReadAreReadable() throws IOException {
        write("topics.json", """
                {"topicConfigTable":{
                  "%DLQ%g":{"perm":2,"readQueueNums":1,"topicName":"%DLQ%g","writeQueueNums":1},
                  "orders":{"perm":2,"readQueueNums":1,"topicName":"orders","writeQueueNums":1}
                }}""");

        open().close();

        assertThat(state.topics().find("%DLQ%g").orElseThrow().config().perm()).isEqualTo(6);
        assertThat(state.topics().find("orders").orElseThrow().config().perm()).isEqualTo(2);
    }

    @Test
    void takesGroups() throws IOException {
        write("subscriptionGroup.json", """
                {"subscriptionGroupTable":{"readers":{"groupName":"readers","retryMaxTimes":3,
                 "groupRetryPolicy":{"type":"CUSTOMIZED"},"consumeEnable":false}},"forbiddenTable":{}}""");

        open().close();

        var readers = state.groups().find("readers").orElseThrow();
        assertThat(readers.retryMaxTimes()).isEqualTo(3);
        assertThat(readers.consumeEnable()).isFalse();
    }

    @Test
    void queuesWhoseMessagesHaveExpiredGoOnBehindWhatWasConsumed() throws IOException {
        write("topics.json", "{\"topicConfigTable\":{\"orders\":{\"topicName\":\"orders\",\"readQueueNums\":2}}}");
        write(
                "consumerOffset.json",
                "{\"offsetTable\":{\"orders@a\":{0:120,1:0},\"orders@b\":{0:150},\"gone@a\":{0:9}}}");

        try (MessageStore store = open()) {
            assertThat(state.offsets().committed("a", "orders", 0)).isEqualTo(120);
            assertThat(state.offsets().committed("b", "orders", 0)).isEqualTo(150);
            assertThat(state.offsets().committed("a", "orders", 1)).isZero();
            assertThat(state.offsets().committed("a", "gone", 0)).isEqualTo(OffsetTable.NONE);
            QueueLog queue = store.queue("orders", 0);
            assertThat(queue.minOffset()).isEqualTo(150);
            assertThat(queue.maxOffset()).isEqualTo(150);
        }
    }

    @Test
    void readsTheCopyWhereTheFileIsEmpty() throws IOException {
        write("topics.json", "");
        write("topics.json.bak", "{\"topicConfigTable\":{\"orders\":{\"topicName\":\"orders\"}}}");

        open().close();

        assertThat(state.topics().find("orders")).isPresent();
    }

    @Test
    void refusesAMalformedFileByItsNameAndByte() throws IOException {
        write("topics.json", "{\"topicConfigTable\":{\"orders\":[]}}");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("config/topics.json: json at byte 30");
        Files.delete(directory.resolve("config/topics.json"));
        open().close(); // nothing is left of the first try
    }

    @Test
    void refusesAQueueIdThatIsNone() throws IOException {
        write("topics.json", "{\"topicConfigTable\":{\"orders\":{\"topicName\":\"orders\"}}}");
        write("consumerOffset.json", "{\"offsetTable\":{\"orders@a\":{70000:1}}}");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("orders@a has the queue id \"70000\"");
    }
}
