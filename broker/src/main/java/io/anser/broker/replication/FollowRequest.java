package io.anser.broker.replication;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.store.log.LogPoint;

/**
 * What a replica says on a new connection before it copies anything: whose replica it means to be, and what it has.
 *
 * @param group the broker's name, the same for the primary and all its replicas
 * @param brokerId the replica's number
 * @param segmentBytes size of the segments of the replica's log
 * @param end the place behind the last record that the replica has; its store time means nothing
 */
record FollowRequest(String group, int brokerId, int segmentBytes, LogPoint end) implements FieldSource {
    private static final FieldName GROUP = FieldName.of("group");
    private static final FieldName BROKER_ID = FieldName.of("brokerId");
    private static final FieldName SEGMENT_BYTES = FieldName.of("segmentBytes");
    private static final FieldName POSITION = FieldName.of("position");
    private static final FieldName TERM = FieldName.of("epoch");
    private static final FieldName INDEX = FieldName.of("index");
    private static final FieldName CRC = FieldName.of("crc");
    private static final FieldName RECORD_POSITION = FieldName.of("recordPosition");

    static FollowRequest decode(CommandHeader header) {
        return new FollowRequest(
                header.string(GROUP),
                header.integer(BROKER_ID),
                header.integer(SEGMENT_BYTES),
                new LogPoint(
                        header.number(POSITION),
                        header.number(TERM),
                        header.number(INDEX),
                        header.integer(CRC),
                        0,
                        header.number(RECORD_POSITION)));
    }

    @Override
    public void writeTo(HeaderWriter out) {
        out.field(GROUP, group);
        out.field(BROKER_ID, brokerId);
        out.field(SEGMENT_BYTES, segmentBytes);
        out.field(POSITION, end.position());
        out.field(TERM, end.term());
        out.field(INDEX, end.index());
        out.field(CRC, end.crc());
        out.field(RECORD_POSITION, end.recordPosition());
    }
}
