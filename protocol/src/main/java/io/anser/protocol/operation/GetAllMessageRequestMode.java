package io.anser.protocol.operation;

/** Asks a broker which groups were told to pull or to pop which topics; the response body lists them. */
public final class GetAllMessageRequestMode {
    /** Request code. */
    public static final int CODE = 402;

    private GetAllMessageRequestMode() {}
}
