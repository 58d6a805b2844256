package io.anser.client;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The name servers. They know the same, so any one that answers will do: the one that answered last is asked first, and
 * the others in turn where it fails. Thread-safe.
 */
final class NameServers {
    private static final byte[] NO_BODY = {};

    private final Remoting remoting;
    private final List<String> addresses;
    /** Index of the one to ask first. A hint: threads may overwrite one another's. */
    private volatile int preferred;

    NameServers(Remoting remoting, List<String> addresses) {
        this.remoting = remoting;
        this.addresses = List.copyOf(addresses);
    }

    /**
     * Splits {@code host:port;host:port}; a comma will do as well.
     *
     * @throws IllegalArgumentException if nothing is left or a part has no port from 1 to 65535
     */
    static List<String> parse(String list) {
        List<String> addresses = new ArrayList<>();
        for (String part : list.split("[;,]")) {
            String address = part.strip();
            if (!address.isEmpty()) {
                requirePort(address);
                addresses.add(address);
            }
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "name servers '" + list + "' hold no address; expected host:port;host:port");
        }
        return addresses;
    }

    private static void requirePort(String address) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        boolean digits = colon > 0
                && !port.isEmpty()
                && port.length() <= 5
                && port.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65535) {
            throw new IllegalArgumentException(
                    "name server '" + address + "' is not host:port with a port from 1 to 65535");
        }
    }

    /**
     * Asks one name server after the other until one answers. "Does not exist" is an answer; "busy" and "error" are not: a
     * name server that has just started says so until brokers have registered.
     *
     * <p>Fails with the last one's failure when none answers.
     */
    CompletableFuture<Reply> call(int code, FieldSource fields) {
        return ask(code, fields, preferred, 1);
    }

    private CompletableFuture<Reply> ask(int code, FieldSource fields, int index, int asked) {
        String address = addresses.get(index);
        return remoting.call(address, code, fields, NO_BODY, Remoting.CALL_TIMEOUT_MILLIS)
                .thenApply(reply -> usable(address, code, reply))
                .handle((reply, failure) -> {
                    if (failure == null) {
                        preferred = index;
                        return CompletableFuture.completedFuture(reply);
                    }
                    return asked < addresses.size()
                            ? ask(code, fields, (index + 1) % addresses.size(), asked + 1)
                            : CompletableFuture.<Reply>failedFuture(Remoting.failure(failure));
                })
                .thenCompose(next -> next);
    }

    private static Reply usable(String address, int code, Reply reply) {
        if (reply.code() == ResponseCode.SYSTEM_ERROR || reply.code() == ResponseCode.SYSTEM_BUSY) {
            // Under that code a sender would take it for a broker's own error, and give up long before it is over.
            throw new AnserException(
                    AnserException.NO_ANSWER,
                    true,
                    String.valueOf(Remoting.refused(address, code, reply).getMessage()));
        }
        return reply;
    }

    @Override
    public String toString() {
        return String.join(";", addresses);
    }
}
