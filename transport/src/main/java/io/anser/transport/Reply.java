package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import java.util.Optional;

/** The answer to a call, detached from the connection: safe to keep and to read from any one thread. */
public final class Reply {
    private final CommandHeader header;
    private final byte[] body;

    Reply(CommandHeader header, byte[] body) {
        this.header = header;
        this.body = body;
    }

    /** The response code, 0 for success; see {@link io.anser.protocol.frame.ResponseCode}. */
    public int code() {
        return header.code();
    }

    /** What the other side says about the code, mostly for people. */
    public Optional<String> remark() {
        return header.remark();
    }

    /** The response's header; its fields are read with the decode method of the operation's response record. */
    public CommandHeader header() {
        return header;
    }

    /** The response's body, empty if it has none; not copied. */
    public byte[] body() {
        return body;
    }
}
