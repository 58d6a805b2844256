package io.anser.broker.replication;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * A replica asks for more, or only says what it has.
 *
 * @param position where it goes on
 * @param durable it has everything before it
 * @param told what it knows to be committed at the primary
 */
record FetchRequest(long position, long durable, long told) implements FieldSource {
    /** In the answer too. */
    static final FieldName COMMITTED = FieldName.of("committed");

    /** In the answer alone. */
    static final FieldName KEPT = FieldName.of("kept");

    private static final FieldName POSITION = FieldName.of("position");
    private static final FieldName DURABLE = FieldName.of("durable");

    static FetchRequest decode(CommandHeader header) {
        return new FetchRequest(header.number(POSITION), header.number(DURABLE), header.number(COMMITTED));
    }

    @Override
    public void writeTo(HeaderWriter out) {
        out.field(POSITION, position);
        out.field(DURABLE, durable);
        out.field(COMMITTED, told);
    }
}
