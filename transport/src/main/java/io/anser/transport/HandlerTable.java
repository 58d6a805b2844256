package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.InvalidFieldException;
import io.anser.protocol.frame.ResponseCode;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Finds the handler of each request by its code. All roles of a process register in one table before the server starts;
 * afterwards it is only read. Registering is for one thread, handling for all event loops.
 */
public final class HandlerTable implements RemotingHandler {

    private final IntObjectHashMap<Registration<?>> byCode = new IntObjectHashMap<>(128, 0.25f);
    private final List<Consumer<Connection>> onConnected = new ArrayList<>();
    private final List<Consumer<Connection>> onDisconnected = new ArrayList<>();
    private final Executor workers;

    /** Reads an operation's request record out of a header. */
    @FunctionalInterface
    public interface Decoder<R> {
        /**
         * Reads the record.
         *
         * @throws InvalidFieldException if a field is missing or wrong; the request is answered with its message
         */
        R decode(CommandHeader header);
    }

    /** Carries out one operation. */
    @FunctionalInterface
    public interface Handler<R> {
        /**
         * Carries out a request and answers it, now or later, one-way requests too.
         *
         * @param body valid during this method; {@code retain()} it to keep it longer
         */
        void handle(Call call, R request, ByteBuf body);
    }

    private record Registration<R>(Lane lane, Decoder<R> decoder, Handler<R> handler) {}

    /**
     * Makes an empty table.
     *
     * @param workers runs the handlers of {@link Lane#WORKER}; bounded: when it rejects a task, the request is answered
     *     with SYSTEM_BUSY
     */
    public HandlerTable(Executor workers) {
        this.workers = workers;
    }

    /**
     * Registers an operation.
     *
     * @param code the request code
     * @throws IllegalStateException if the code has a handler already
     */
    public <R> void register(int code, Lane lane, Decoder<R> decoder, Handler<R> handler) {
        if (byCode.containsKey(code)) {
            throw new IllegalStateException("request code " + code + " has a handler already");
        }
        byCode.put(code, new Registration<>(lane, decoder, handler));
    }

    /** Whether an operation is registered under this code. */
    public boolean handles(int code) {
        return byCode.containsKey(code);
    }

    /** Adds somebody who is told of every new connection, on its event loop. */
    public void onConnected(Consumer<Connection> listener) {
        onConnected.add(listener);
    }

    /** Adds somebody who is told of every connection that has ended, on its event loop. */
    public void onDisconnected(Consumer<Connection> listener) {
        onDisconnected.add(listener);
    }

    @Override
    public void connected(Connection connection) {
        onConnected.forEach(listener -> listener.accept(connection));
    }

    @Override
    public void disconnected(Connection connection) {
        onDisconnected.forEach(listener -> listener.accept(connection));
    }

    @Override
    public void handle(Call call, CommandHeader header, ByteBuf body) {
        Registration<?> registration = byCode.get(call.code());
        if (registration == null) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, " request type " + call.code() + " not supported");
            return;
        }
        run(registration, call, header, body);
    }

    private <R> void run(Registration<R> registration, Call call, CommandHeader header, ByteBuf body) {
        R request;
        try {
            request = registration.decoder().decode(header);
        } catch (RuntimeException | Error failure) {
            call.fail(failure);
            return;
        }
        if (registration.lane() == Lane.NET) {
            handle(registration, call, request, body);
            return;
        }
        body.retain();
        try {
            workers.execute(() -> {
                try {
                    handle(registration, call, request, body);
                } finally {
                    body.release();
                }
            });
        } catch (RejectedExecutionException full) {
            body.release();
            call.respond(ResponseCode.SYSTEM_BUSY, "too many slow requests are waiting, try again later");
        }
    }

    private static <R> void handle(Registration<R> registration, Call call, R request, ByteBuf body) {
        try {
            registration.handler().handle(call, request, body);
        } catch (RuntimeException | Error failure) {
            call.fail(failure);
        }
    }
}
