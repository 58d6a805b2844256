package io.anser.store.simulation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One item as the store applied it, in log order.
 *
 * @param text what the item carries: the unit's number, the item's number, filling
 * @param queue {@code topic/id}; empty for a state change
 * @param offset queue offset; -1 for a state change
 * @param position log position of the first byte
 * @param storeTimestamp of a message; 0 for a state change
 */
record Applied(String text, String queue, long offset, long position, long storeTimestamp) {
    /** The number of the unit that the item belongs to. */
    int unit() {
        return Integer.parseInt(text, 0, text.indexOf('.'), 10);
    }

    /** The item's number within its unit. */
    int item() {
        return Integer.parseInt(text, text.indexOf('.') + 1, text.indexOf(':'), 10);
    }

    boolean isMessage() {
        return offset >= 0;
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(text);
        out.writeUTF(queue);
        out.writeLong(offset);
        out.writeLong(position);
        out.writeLong(storeTimestamp);
    }

    static Applied read(DataInput in) throws IOException {
        return new Applied(in.readUTF(), in.readUTF(), in.readLong(), in.readLong(), in.readLong());
    }
}
