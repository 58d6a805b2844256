package io.anser.broker.send;

import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.SysFlag;
import io.anser.protocol.operation.SendMessage;
import java.nio.charset.StandardCharsets;

/** Which messages open a transaction: clients mark them with a property and a flag, either of which is enough. Pure. */
final class Transactional {
    private Transactional() {}

    /** Says whether the flag may be what it is: a client can open a transaction with a single message, but not end one so. */
    static boolean isPossible(SendMessage.Request request) {
        return switch (SysFlag.transaction(request.sysFlag())) {
            case SysFlag.TRANSACTION_NONE -> true;
            case SysFlag.TRANSACTION_PREPARED -> !request.batch() && !isPutBack(request);
            default -> false;
        };
    }

    /**
     * Says whether a single message opens a transaction.
     *
     * @param hints of its properties
     */
    static boolean is(SendMessage.Request request, int hints) {
        if (SysFlag.transaction(request.sysFlag()) == SysFlag.TRANSACTION_PREPARED) {
            return true;
        }
        return (hints & PropertyHints.TRANSACTION) != 0
                && !isPutBack(request)
                && isMarked(request.properties(), request.properties().length);
    }

    /** Says whether the properties in the first bytes of an array mark a message of a transaction. */
    static boolean isMarked(byte[] properties, int length) {
        long found = MessageProperties.find(properties, length, PropertyNames.TRAN_MSG);
        if (found == MessageProperties.ABSENT) {
            return false;
        }
        int from = MessageProperties.valueFrom(found);
        String value = new String(properties, from, MessageProperties.valueUntil(found) - from, StandardCharsets.UTF_8);
        return Boolean.parseBoolean(value);
    }

    /** A message that a consumer puts back may still carry what its first producer said. */
    private static boolean isPutBack(SendMessage.Request request) {
        return Names.groupOf(request.topic()).isPresent();
    }
}
