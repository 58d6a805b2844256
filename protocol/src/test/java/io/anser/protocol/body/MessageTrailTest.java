package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MessageTrailTest {
    private static final MessageTrail TRAIL = new MessageTrail(
            List.of(new MessageCopy(
                    "Orders",
                    3,
                    7,
                    "7F00000100002A9F0000000000000100",
                    "u1",
                    "k1 k2",
                    1_000,
                    "10.0.0.9:4711",
                    1_001,
                    2,
                    MessageCopy.State.READABLE,
                    0,
                    List.of(
                            new MessageCopy.Progress("g", MessageCopy.Stage.OUT, 5_000, 0),
                            new MessageCopy.Progress("h", MessageCopy.Stage.AHEAD, 0, 4)))),
            List.of(new ClientReport(ClientReport.What.CONSUMED, 1_500, "g", "10.0.0.8:4712", false, 12, 1, "code=5")),
            true);

    @Test
    void readsBackWhatItWrites() {
        assertThat(MessageTrail.read(TRAIL.write())).isEqualTo(TRAIL);
    }

    @Test
    void isWrittenWithItsFieldsInOrder() {
        assertThat(new String(TRAIL.write(), UTF_8))
                .isEqualTo("{\"complete\":true,\"copies\":[{\"bornHost\":\"10.0.0.9:4711\",\"bornTimestamp\":1000,"
                        + "\"consumers\":[{\"group\":\"g\",\"messagesBefore\":0,\"stage\":\"OUT\","
                        + "\"visibleTimestamp\":5000},{\"group\":\"h\",\"messagesBefore\":4,\"stage\":\"AHEAD\","
                        + "\"visibleTimestamp\":0}],\"dueTimestamp\":0,\"keys\":\"k1 k2\","
                        + "\"offsetMsgId\":\"7F00000100002A9F0000000000000100\",\"queueId\":3,\"queueOffset\":7,"
                        + "\"reconsumeTimes\":2,\"state\":\"READABLE\",\"storeTimestamp\":1001,\"topic\":\"Orders\","
                        + "\"uniqueId\":\"u1\"}],\"reports\":[{\"client\":\"10.0.0.8:4712\",\"costMillis\":12,"
                        + "\"detail\":\"code=5\",\"group\":\"g\",\"reconsumeTimes\":1,\"success\":false,"
                        + "\"timestamp\":1500,\"what\":\"CONSUMED\"}]}");
    }
}
