package io.anser.protocol.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.RegisterBrokerBody;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Coverage-guided fuzzing by Jazzer: whatever the bytes, a decoder reads them or throws its own exception. An ordinary run
 * plays the stored inputs; CONTRIBUTING.md says how to look for new ones.
 */
class DecoderFuzzTest {
    private static final int MAX_BATCH = 1024;

    @FuzzTest(maxDuration = "60s")
    void header(byte[] bytes) {
        for (HeaderEncoding encoding : HeaderEncoding.values()) {
            readOrRefuse(() -> {
                CommandHeader header = new CommandHeader();
                header.decode(encoding, bytes, 0, bytes.length);
                header.toMap();
            });
        }
    }

    @FuzzTest(maxDuration = "60s")
    void message(byte[] bytes) {
        readOrRefuse(() -> {
            MessageView view = new MessageView().wrap(ByteBuffer.wrap(bytes), 0);
            view.topic();
            view.bornHost();
            view.storeHost();
            view.tagsHash();
            MessageProperties.parse(view.properties());
        });
    }

    @FuzzTest(maxDuration = "60s")
    void batch(byte[] bytes) {
        readOrRefuse(() -> {
            BatchBody batch = new BatchBody().wrap(ByteBuffer.wrap(bytes));
            batch.check(MAX_BATCH);
            while (batch.next()) {
                batch.properties();
            }
        });
    }

    @FuzzTest(maxDuration = "60s")
    void bodies(byte[] bytes) {
        readOrRefuse(() -> HeartbeatData.read(bytes));
        readOrRefuse(() -> LockBatch.Request.read(bytes));
        readOrRefuse(() -> RegisterBrokerBody.read(bytes, false));
        readOrRefuse(() -> RegisterBrokerBody.read(bytes, true));
    }

    @FuzzTest(maxDuration = "60s")
    void messageId(byte[] bytes) {
        readOrRefuse(() -> OffsetMessageId.decode(new String(bytes, StandardCharsets.UTF_8)));
    }

    private static void readOrRefuse(Runnable decoder) {
        try {
            decoder.run();
        } catch (ProtocolException refused) {
            // The decoder's own error. Anything else is a finding, and so is a run without end.
        }
    }
}
