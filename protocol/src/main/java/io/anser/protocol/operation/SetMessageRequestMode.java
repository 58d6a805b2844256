package io.anser.protocol.operation;

/** Tells a broker whether a group pulls or pops a topic; the body says which. */
public final class SetMessageRequestMode {
    /** Request code. */
    public static final int CODE = 401;

    private SetMessageRequestMode() {}
}
