package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;

/**
 * What a message and the copy of it that an Apache broker delivers have in common. A sender's second try has another birth.
 *
 * @param topic where the message belongs
 * @param uniqueId the sender's id; empty without one
 * @param bornMillis the sender's time
 * @param bodyCrc checksum of the body where there is no id, else 0
 * @param tries how often the message was consumed in vain
 */
record Identity(String topic, String uniqueId, long bornMillis, int bodyCrc, int tries) {
    /** The identity of a message as one of a topic. */
    static Identity of(MessageView message, String topic) {
        String uniqueId = message.property(PropertyNames.UNIQ_KEY).orElse("");
        return new Identity(
                topic,
                uniqueId,
                message.bornTimestamp(),
                uniqueId.isEmpty() ? message.bodyCrc() : 0,
                message.reconsumeTimes());
    }

    /** The identity of the copy that is made of the message when it was consumed in vain. */
    Identity triedAgain(String retryTopic, int more) {
        return new Identity(retryTopic, uniqueId, bornMillis, bodyCrc, tries + more);
    }
}
