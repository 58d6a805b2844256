package io.anser.broker.pull;

import io.anser.broker.dispatch.Refusal;

/** A pull that is refused with a code of its own; never leaves the package. */
final class RefusedPullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialized: it is caught where it is thrown
    private final Refusal refusal;

    RefusedPullException(int code, String remark) {
        super(remark, null, false, false);
        this.refusal = new Refusal(code, remark);
    }

    Refusal refusal() {
        return refusal;
    }
}
