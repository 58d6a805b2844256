package io.anser.raft.rpc;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.store.install.InstallPiece;
import io.anser.store.install.InstallPlan;
import io.anser.store.install.InstallSource;
import io.anser.transport.Call;
import io.anser.transport.RemotingClient;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/**
 * Asks another member for the beginning of the log.
 *
 * <table>
 * <caption>Body of a request, big-endian</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>8</td><td>position</td><td>of the plan's snapshot; 0 asks for a plan</td></tr>
 * <tr><td>8</td><td>8</td><td>file</td><td>log position of a segment; -1: the snapshot</td></tr>
 * <tr><td>16</td><td>8</td><td>at</td><td>index of the first byte in the file</td></tr>
 * <tr><td>24</td><td>4</td><td>bytesMax</td><td>most bytes of an answer</td></tr>
 * <tr><td>28</td><td>n</td><td>group</td><td>its name, UTF-8</td></tr>
 * </table>
 *
 * <p>The answer is 1 byte, 0 when there is no snapshot or the file has gone, else 1; then a CRC32C (4 bytes) of what follows;
 * then the plan, or bytes of the file, none where it ends.
 */
public final class InstallQuestion {
    /** The request code, private as {@link MemberServer#CODE}. */
    public static final int CODE = 30_102;

    /** Most bytes of one answer. */
    public static final int BYTES_MAX = 1 << 20;

    private static final int HEADER_BYTES = 28;
    private static final byte THERE = 1;
    private static final byte GONE = 0;

    private InstallQuestion() {}

    /** Asks what there is; empty when the other has no snapshot. Fails when there is no answer, or a damaged one. */
    public static CompletableFuture<Optional<InstallPlan>> plan(
            RemotingClient connections, String hostPort, String group, long timeoutMillis) {
        return ask(connections, hostPort, group, 0, new InstallPiece(0, 0), 0, timeoutMillis)
                .thenApply(answer -> answer.map(InstallPlan::decode));
    }

    /** Asks for bytes; empty when the file has gone. Fails as above. */
    public static CompletableFuture<Optional<ByteBuffer>> piece(
            RemotingClient connections,
            String hostPort,
            String group,
            long position,
            InstallPiece piece,
            int bytesMax,
            long timeoutMillis) {
        return ask(connections, hostPort, group, position, piece, bytesMax, timeoutMillis);
    }

    private static CompletableFuture<Optional<ByteBuffer>> ask(
            RemotingClient connections,
            String hostPort,
            String group,
            long position,
            InstallPiece piece,
            int bytesMax,
            long timeoutMillis) {
        ByteBuf body = Unpooled.buffer()
                .writeLong(position)
                .writeLong(piece.file())
                .writeLong(piece.at())
                .writeInt(bytesMax)
                .writeBytes(group.getBytes(StandardCharsets.UTF_8));
        return connections
                .call(hostPort, CODE, FieldSource.NONE, body, timeoutMillis)
                .thenApply(InstallQuestion::read);
    }

    private static Optional<ByteBuffer> read(Reply reply) {
        if (reply.code() != ResponseCode.SUCCESS) {
            throw new IllegalStateException(
                    "code=" + reply.code() + " " + reply.remark().orElse(""));
        }
        ByteBuffer body = ByteBuffer.wrap(reply.body());
        try {
            if (body.get() == GONE) {
                return Optional.empty();
            }
            int crc = body.getInt();
            if (crc != crc(body)) {
                throw new IllegalStateException("an answer was damaged on its way bytes=" + body.remaining());
            }
            return Optional.of(body);
        } catch (BufferUnderflowException e) {
            throw new IllegalStateException("an answer is cut short bytes=" + body.limit(), e);
        }
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** Answers on a worker. */
    static void answer(Call call, ByteBuf body, Map<String, InstallSource> sources) {
        if (body.readableBytes() < HEADER_BYTES) {
            call.respond(ResponseCode.SYSTEM_ERROR, "not a question for the beginning of a log");
            return;
        }
        long position = body.readLong();
        InstallPiece piece = new InstallPiece(body.readLong(), body.readLong());
        int bytesMax = Math.max(0, Math.min(BYTES_MAX, body.readInt()));
        InstallSource source = sources.get(body.toString(StandardCharsets.UTF_8));
        if (source == null) {
            call.respond(ResponseCode.SYSTEM_BUSY, "this process is not a member of that group, or not yet");
            return;
        }
        try {
            Optional<ByteBuffer> bytes =
                    position == 0 ? source.plan().map(InstallPlan::encode) : source.read(position, piece, bytesMax);
            call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, encode(bytes));
        } catch (IOException e) {
            call.respond(ResponseCode.SYSTEM_ERROR, "cannot read what was asked for: " + e.getMessage());
        }
    }

    private static ByteBuf encode(Optional<ByteBuffer> bytes) {
        return bytes.map(there -> Unpooled.buffer(1 + Integer.BYTES + there.remaining())
                        .writeByte(THERE)
                        .writeInt(crc(there))
                        .writeBytes(there.duplicate()))
                .orElseGet(() -> Unpooled.buffer(1).writeByte(GONE));
    }
}
