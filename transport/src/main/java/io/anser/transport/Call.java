package io.anser.transport;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.WireHost;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of the other side, and the way to answer it. {@link #respond} may be called from any thread and must be
 * called exactly once, for one-way requests too: until then the request counts as in flight, and a connection with too
 * many of those is not read. A second answer is dropped.
 */
public final class Call extends Outgoing {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);
    private static final AtomicLong FAULTS = new AtomicLong();
    private static final int MOST_REMARK_CHARS = 1024;
    private static final int RESPONSE_FLAG = 1;
    private static final AtomicIntegerFieldUpdater<Call> ANSWERED =
            AtomicIntegerFieldUpdater.newUpdater(Call.class, "answered");

    private final Connection connection;
    private final int code;
    private final int opaque;
    private final int version;
    private final int language;
    private final boolean oneWay;
    private final HeaderEncoding encoding;
    private final int frameBytes;
    private boolean parked;
    private @Nullable WireHost broughtFrom;
    private @Nullable Runnable afterwards;

    @SuppressWarnings("UnusedVariable") // used by way of ANSWERED
    private volatile int answered;

    // The answer, kept here so that it can travel through the outbox without another object.
    private int responseCode;
    private @Nullable String remark;
    private FieldSource fields = FieldSource.NONE;
    private ByteBuf body = Unpooled.EMPTY_BUFFER;

    Call(Connection connection, CommandHeader header, int frameBytes) {
        this.connection = connection;
        this.code = header.code();
        this.opaque = header.opaque();
        this.version = header.version();
        this.language = header.language();
        this.oneWay = header.isOneWay();
        this.encoding = header.encoding();
        this.frameBytes = frameBytes;
    }

    /** The connection that the request came on. */
    @Override
    public Connection connection() {
        return connection;
    }

    /** The client that the request comes from, as messages carry its address; all zeros when it is not known. */
    public WireHost client() {
        WireHost brought = broughtFrom;
        return brought == null ? connection.remoteHost() : brought;
    }

    /** Says that the other side of the connection brings the request of another client. Before anybody handles it. */
    public void broughtFrom(WireHost client) {
        broughtFrom = client;
    }

    /** The request code: which operation is asked for. */
    public int code() {
        return code;
    }

    /** The number that the sender gave the request; the response repeats it. */
    public int opaque() {
        return opaque;
    }

    /** The version number of the sender, for example 495 or 513. */
    public int version() {
        return version;
    }

    /** The language number of the sender; see {@link io.anser.protocol.frame.Language}. */
    public int language() {
        return language;
    }

    /** Whether the sender expects no answer. */
    public boolean oneWay() {
        return oneWay;
    }

    /** How the request's header was written; the response is written the same way. */
    public HeaderEncoding encoding() {
        return encoding;
    }

    /**
     * Says that the answer may take long, as that of a long poll does. The request no longer counts as in flight: the
     * caller bounds how many it parks, and a closing server does not wait for it. Event loop, before the answer.
     */
    public void park() {
        if (!parked) {
            parked = true;
            connection.requestEnded(frameBytes);
        }
    }

    /**
     * Has something done when the request is answered, on the answering thread: what the request holds is given back so. Called
     * once, before the request is handed to whoever may answer it.
     */
    public void whenAnswered(Runnable action) {
        afterwards = action;
    }

    /** Answers with a code and a text for people, without fields and body. */
    public void respond(int code, String remark) {
        respond(code, remark, FieldSource.NONE, Unpooled.EMPTY_BUFFER);
    }

    /** Answers with success and these fields, without body. */
    public void respond(FieldSource fields) {
        respond(ResponseCode.SUCCESS, null, fields, Unpooled.EMPTY_BUFFER);
    }

    /**
     * Answers.
     *
     * @param code the response code
     * @param remark a text for people, cut after 1024 characters because it may repeat what the caller sent; null for none
     * @param fields written later, on the event loop: must not change any more
     * @param body taken over, and released in every case; large ones are written without copying
     */
    public void respond(int code, @Nullable String remark, FieldSource fields, ByteBuf body) {
        if (!ANSWERED.compareAndSet(this, 0, 1)) {
            body.release();
            return;
        }
        this.responseCode = code;
        this.remark = remark == null || remark.length() <= MOST_REMARK_CHARS ? remark : cut(remark);
        this.fields = fields;
        this.body = body;
        Runnable action = afterwards;
        if (action != null) {
            action.run();
        }
        connection.send(this);
    }

    /**
     * Answers what was thrown while the request was handled, from its outermost frame: what the request did wrong is told,
     * what we did wrong is logged and gets a number. A request that was too much for the heap is answered too; silence would
     * make the caller wait and send it again.
     */
    public void fail(Throwable thrown) {
        if (thrown instanceof ProtocolException) {
            respond(ResponseCode.SYSTEM_ERROR, String.valueOf(thrown.getMessage()));
            return;
        }
        long id = FAULTS.incrementAndGet();
        LOG.error("request failed id={} code={} connection={}", id, code, connection, thrown);
        respond(ResponseCode.SYSTEM_ERROR, "internal error, id=" + id);
    }

    private static String cut(String remark) {
        return remark.substring(0, MOST_REMARK_CHARS) + "...(" + remark.length() + " characters)";
    }

    @Override
    void write() {
        if (!parked) {
            connection.requestEnded(frameBytes);
        }
        if (oneWay || !connection.isOpen()) {
            body.release();
            return;
        }
        HeaderWriter header = connection.loop().headerWriter();
        boolean written = false;
        try {
            header.begin(encoding, responseCode, RESPONSE_FLAG, opaque, remark);
            fields.writeTo(header);
            header.end();
            written = true;
        } finally {
            if (!written) {
                body.release();
            }
        }
        connection.writer().write(header, encoding, body);
    }
}
