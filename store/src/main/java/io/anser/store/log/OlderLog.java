package io.anser.store.log;

import io.anser.store.file.StoreException;
import java.nio.ByteBuffer;

/**
 * Messages that lie before the first segment, in files of another kind which are read and never changed. Their log positions
 * are those that the messages carry. Any thread reads.
 */
public interface OlderLog {
    /** Log position of the first byte that is there. */
    long minPosition();

    /** Log position behind the last byte: the first segment starts here or further on. */
    long limit();

    /** Log position behind the last byte that says something: files are longer than what is in them. May read a whole file. */
    long dataEnd();

    /** Bytes from a position to the end of its file; 0 where there is no file. */
    int bytesInFile(long position);

    /**
     * A read-only view of bytes, which must not cross a file.
     *
     * @throws io.anser.store.file.StoreException IO when the range is not there
     */
    ByteBuffer slice(long position, int bytes);

    /** Goes over the sound messages that start at a position or behind it, in order. For one thread. */
    Walk walk(long from);

    /** A walk over messages; it begins before the first. */
    interface Walk {
        /** Goes to the next message; false when there is none. */
        boolean next();

        /** Log position of the message. */
        long position();

        /** Size of the whole message in bytes. */
        int bytes();
    }

    /** Nothing lies before the first segment. */
    OlderLog NONE = new OlderLog() {
        @Override
        public long minPosition() {
            return 0;
        }

        @Override
        public long limit() {
            return 0;
        }

        @Override
        public long dataEnd() {
            return 0;
        }

        @Override
        public int bytesInFile(long position) {
            return 0;
        }

        @Override
        public Walk walk(long from) {
            throw new StoreException(StoreException.Kind.IO, "there is nothing before the log");
        }

        @Override
        public ByteBuffer slice(long position, int bytes) {
            throw new StoreException(StoreException.Kind.IO, "position=" + position + " is before the log");
        }
    };
}
