package io.anser.protocol.frame;

/** Something that can write itself as the ext fields of a header: every request and response record is one. */
@FunctionalInterface
public interface FieldSource {
    /** A source without fields. */
    FieldSource NONE = out -> {};

    /**
     * Writes all fields, between {@link HeaderWriter#begin} and {@link HeaderWriter#end}. Called once per header, on the
     * thread that owns the writer; must not keep the writer.
     *
     * @param out the header being written
     */
    void writeTo(HeaderWriter out);
}
