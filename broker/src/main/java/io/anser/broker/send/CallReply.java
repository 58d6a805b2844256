package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.KeyedMessage;
import io.anser.protocol.message.RecallHandle;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import java.util.Optional;

/**
 * Answers a request.
 *
 * @param properties as they were sent; of a batch, those of the whole
 * @param recall by which the sender can take the message back, if it can; without its position
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CallReply(
        Call call, SendAnswers answers, SentMessages messages, byte[] properties, Optional<RecallHandle> recall)
        implements SendReply {
    @Override
    public void stored(KeyedMessage message) {
        respond(message, false);
    }

    @Override
    public void repeated(KeyedMessage first) {
        respond(first, true);
    }

    @Override
    public void refused(StoreException reason) {
        Refusal.of(reason).answer(call);
    }

    private void respond(KeyedMessage first, boolean duplicate) {
        // A batch lies in one piece, and that of an earlier send has the same messages.
        long[] positions = new long[messages.count()];
        long at = first.position();
        for (int item = 0; item < positions.length; item++) {
            positions[item] = at;
            at += messages.bytes(item);
        }
        String handle = recall.map(each -> each.at(first.position()).encode()).orElse("");
        call.respond(answers.stored(positions, first.queueId(), first.queueOffset(), properties, handle, duplicate));
    }
}
