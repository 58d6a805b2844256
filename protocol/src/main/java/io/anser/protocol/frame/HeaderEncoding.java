package io.anser.protocol.frame;

/** How the header of a frame is written; the top byte of the frame's header word tells which. */
public enum HeaderEncoding {
    /** A JSON object in UTF-8, the default of every client. */
    JSON(0),
    /** The compact form with fixed integers and length-prefixed strings. */
    BINARY(1);

    private final int wireType;

    HeaderEncoding(int wireType) {
        this.wireType = wireType;
    }

    /** Returns the type byte on the wire, 0 or 1. */
    public int wireType() {
        return wireType;
    }

    /**
     * Returns the encoding of a type byte.
     *
     * @param wireType the top byte of the header word, 0 to 255
     * @throws MalformedFrameException if no encoding has this type
     */
    public static HeaderEncoding of(int wireType) {
        if (wireType == JSON.wireType) {
            return JSON;
        }
        if (wireType == BINARY.wireType) {
            return BINARY;
        }
        throw new MalformedFrameException(
                "header encoding " + wireType + " is unknown, expected 0 (JSON) or 1 (binary)");
    }
}
