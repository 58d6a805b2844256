package io.anser.raft.rpc;

import com.alipay.sofa.jraft.rpc.RpcRequests;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;

/**
 * The messages of the engine on the wire.
 *
 * <table>
 * <caption>Body of a request or response</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>1</td><td>kind</td><td>which message, its place in {@link #KINDS}</td></tr>
 * <tr><td>1</td><td>n</td><td>message</td><td>in the encoding of protobuf</td></tr>
 * </table>
 */
final class MemberMessages {
    /** Places are never used for something else. */
    private static final List<Message> KINDS = List.of(
            RpcRequests.ErrorResponse.getDefaultInstance(),
            RpcRequests.PingRequest.getDefaultInstance(),
            RpcRequests.RequestVoteRequest.getDefaultInstance(),
            RpcRequests.RequestVoteResponse.getDefaultInstance(),
            RpcRequests.AppendEntriesRequest.getDefaultInstance(),
            RpcRequests.AppendEntriesResponse.getDefaultInstance(),
            RpcRequests.TimeoutNowRequest.getDefaultInstance(),
            RpcRequests.TimeoutNowResponse.getDefaultInstance(),
            RpcRequests.InstallSnapshotRequest.getDefaultInstance(),
            RpcRequests.InstallSnapshotResponse.getDefaultInstance(),
            RpcRequests.GetFileRequest.getDefaultInstance(),
            RpcRequests.GetFileResponse.getDefaultInstance(),
            RpcRequests.ReadIndexRequest.getDefaultInstance(),
            RpcRequests.ReadIndexResponse.getDefaultInstance());

    private MemberMessages() {}

    /** Encodes a message. */
    static ByteBuf encode(Object message) {
        if (message instanceof Message known) {
            for (int kind = 0; kind < KINDS.size(); kind++) {
                if (KINDS.get(kind).getClass() == known.getClass()) {
                    return Unpooled.wrappedBuffer(new byte[] {(byte) kind}, known.toByteArray());
                }
            }
        }
        throw new IllegalArgumentException("not a message between members: " + message.getClass());
    }

    /**
     * Decodes a message. Its bytes are those of the array, which must not change any more.
     *
     * @throws IOException when it is none
     */
    static Message decode(byte[] body) throws IOException {
        if (body.length == 0 || body[0] < 0 || body[0] >= KINDS.size()) {
            throw new InvalidProtocolBufferException("not a message between members, bytes=" + body.length);
        }
        CodedInputStream in = CodedInputStream.newInstance(body, 1, body.length - 1);
        in.enableAliasing(true); // entries are copied once more when they are written, which is enough
        return KINDS.get(body[0]).getParserForType().parseFrom(in);
    }
}
