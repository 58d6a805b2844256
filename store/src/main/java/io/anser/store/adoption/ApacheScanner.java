package io.anser.store.adoption;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageView;
import io.anser.store.log.OlderLog;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Reads an Apache commit log message by message and believes nothing: layout, own position and body checksum of each are
 * verified. Where something else lies, it goes on at the next sound message and tells of the gap. Owned by one thread.
 */
public final class ApacheScanner implements OlderLog.Walk {
    /** Stands in the place of a message's magic in what fills a file up to its end. */
    static final int FILLER_MAGIC = 0xCBD43194;

    private static final ByteBuffer ZEROS = ByteBuffer.allocate(64 << 10).asReadOnlyBuffer();

    private final ApacheLog log;
    private final MessageView view = new MessageView();
    private long next;
    private long position;
    private long gapFrom = -1;

    /** A scanner that begins at the first file. */
    public ApacheScanner(ApacheLog log) {
        this(log, log.minPosition());
    }

    /** A scanner that begins at the first message which starts at a position of the log or behind it. */
    ApacheScanner(ApacheLog log, long from) {
        this.log = log;
        this.next = from;
    }

    /** Goes to the next sound message; false when there is none, and {@link #end()} is then the end of the log. */
    @Override
    public boolean next() {
        gapFrom = -1;
        while (true) {
            int room = log.bytesInFile(next);
            if (room == 0) {
                return false;
            }
            ByteBuffer file = log.slice(next, room);
            if (isSound(file, 0, next)) {
                position = next;
                next += view.totalSize();
                return true;
            }
            if (isFiller(file)) {
                next += room;
                continue;
            }
            OptionalLong found = search(next);
            if (found.isEmpty()) {
                return false;
            }
            gapFrom = next;
            next = found.getAsLong();
        }
    }

    /** The message; valid until {@link #next()}. */
    public MessageView view() {
        return view;
    }

    /** Log position of the message. */
    @Override
    public long position() {
        return position;
    }

    @Override
    public int bytes() {
        return view.totalSize();
    }

    /** Where the bytes before the message begin that are no messages; empty when it follows the one before it. */
    public OptionalLong gapFrom() {
        return gapFrom < 0 ? OptionalLong.empty() : OptionalLong.of(gapFrom);
    }

    /** Log position behind the last sound message (and the filler behind it). */
    public long end() {
        return next;
    }

    /** Whether anything but zeros lies behind the end. */
    public boolean hasTornTail() {
        for (long at = next; log.bytesInFile(at) > 0; at += log.bytesInFile(at)) {
            ByteBuffer file = log.slice(at, log.bytesInFile(at));
            if (skipZeros(file, 0) < file.limit()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFiller(ByteBuffer file) {
        return file.limit() < 2 * Integer.BYTES || file.getInt(MessageLayout.MAGIC) == FILLER_MAGIC;
    }

    private boolean isSound(ByteBuffer file, int at, long expectedPosition) {
        int magicAt = at + MessageLayout.MAGIC;
        if (file.limit() - at < MessageLayout.MIN_MESSAGE_BYTES
                || (file.getInt(magicAt) & 0xFFFF_FFF0) != (MessageLayout.MAGIC_V1 & 0xFFFF_FFF0)) {
            return false;
        }
        try {
            return view.wrap(file, at).physicalOffset() == expectedPosition && view.isBodyIntact();
        } catch (MalformedMessageException e) {
            return false; // what lies here is something else; the caller tells of it
        }
    }

    /** The first sound message behind a place where none is. A message knows its own position, so chance is no danger. */
    private OptionalLong search(long from) {
        for (long base = from; log.bytesInFile(base) > 0; base += log.bytesInFile(base)) {
            ByteBuffer file = log.slice(base, log.bytesInFile(base));
            for (int at = base == from ? 1 : 0; at <= file.limit() - MessageLayout.MIN_MESSAGE_BYTES; at++) {
                if (file.getLong(at) == 0) {
                    // Nothing starts with a size of zero; the size may begin with zeros.
                    at = Math.max(at, skipZeros(file, at) - Integer.BYTES);
                }
                if (isSound(file, at, base + at)) {
                    return OptionalLong.of(base + at);
                }
            }
        }
        return OptionalLong.empty();
    }

    /** The first byte from an offset on that is not zero; the limit when there is none. */
    private static int skipZeros(ByteBuffer file, int from) {
        for (int at = from; at < file.limit(); at += ZEROS.capacity()) {
            int length = Math.min(ZEROS.capacity(), file.limit() - at);
            int other = file.slice(at, length).mismatch(ZEROS.slice(0, length));
            if (other >= 0) {
                return at + other;
            }
        }
        return file.limit();
    }
}
