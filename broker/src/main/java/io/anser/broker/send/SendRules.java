package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.SendMessage;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What a send must satisfy whatever its topic is, and what the name of a topic that does not exist must satisfy. */
final class SendRules {
    private final IntSupplier maxMessageBytes;
    // The last group that was found good. Headers hand out the same object for the same name, so that most sends need
    // no look at its letters; a race between event loops costs a look.
    private @Nullable String goodGroup;

    SendRules(IntSupplier maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Returns why the send is refused, if it is. */
    Optional<Refusal> check(SendMessage.Request request, int bodyBytes) {
        int limit = maxMessageBytes.getAsInt();
        if (bodyBytes > limit) {
            return Optional.of(Refusal.illegal("body bytes=" + bodyBytes + " limit=" + limit));
        }
        if (request.properties().length > MessageLayout.MAX_PROPERTIES_BYTES) {
            return Optional.of(Refusal.illegal("properties bytes=" + request.properties().length + " limit="
                    + MessageLayout.MAX_PROPERTIES_BYTES));
        }
        if (!Transactional.isPossible(request)) {
            return Optional.of(Refusal.illegal("sysFlag=" + request.sysFlag()
                    + ": only single messages to ordinary topics open a transaction, and a send ends none"));
        }
        return checkGroup(request.producerGroup());
    }

    @SuppressWarnings("ReferenceEquality") // Another object is compared letter by letter below.
    private Optional<Refusal> checkGroup(String group) {
        if (group == goodGroup) {
            return Optional.empty();
        }
        Optional<NameProblem> problem = Names.checkGroup(group);
        if (problem.isEmpty()) {
            goodGroup = group;
        }
        return problem.map(found -> Refusal.illegal(found.text()));
    }

    /** Returns why no topic of that name may come into being by a send, if none may. */
    static Optional<Refusal> checkNewTopic(String topic) {
        Optional<NameProblem> problem = Names.checkTopic(topic);
        if (problem.isPresent()) {
            return problem.map(found -> Refusal.illegal(found.text()));
        }
        if (Names.isLightQueue(topic)) {
            return Optional.of(tooManyLightQueues(topic));
        }
        return Names.mayBeSentTo(topic) ? Optional.empty() : Optional.of(closed(topic));
    }

    /** Returns the answer to a message for a light queue that would be one too many. */
    static Refusal tooManyLightQueues(String topic) {
        return new Refusal(
                ResponseCode.LMQ_QUOTA_EXCEEDED,
                "topic=" + topic + " would be one light queue too many, limit=" + TopicTable.MAX_LIGHT_QUEUES
                        + ": delete some, they are topics");
    }

    /** Returns the answer to a send to a topic that was deleted as soon as it was there. */
    static Refusal deleted(String topic) {
        return new Refusal(ResponseCode.TOPIC_NOT_EXIST, "topic=" + topic + " was deleted meanwhile");
    }

    /** Returns the answer to a send to a topic that the broker keeps for itself. */
    static Refusal closed(String topic) {
        return new Refusal(ResponseCode.NO_PERMISSION, "topic=" + topic + " is kept by the broker for itself");
    }

    /** Returns the answer to a transaction for a topic that nobody may write to. */
    static Refusal notWritable(String topic) {
        return new Refusal(ResponseCode.NO_PERMISSION, "topic=" + topic + " has no permission to write");
    }
}
