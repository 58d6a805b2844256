package io.anser.transport.secret;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.ResponseCode;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.RateLimitedLog;
import io.anser.transport.RemotingHandler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before the handlers of a process: answers the challenges of who connects, and lets what is for members through only
 * where the other end has proved itself. A connection has one try. Event loops.
 */
final class ProofGuard implements RemotingHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProofGuard.class);
    private static final int TEXT_MAX = 512;

    private final RemotingHandler own;
    private final Map<Integer, Purpose> codes;
    private final Predicate<String> isSelf;
    private final ClusterProof proof;
    private final RateLimitedLog warnings;

    ProofGuard(
            RemotingHandler own,
            Map<Integer, Purpose> codes,
            Predicate<String> isSelf,
            ClusterProof proof,
            Clock clock) {
        this.own = own;
        this.codes = Map.copyOf(codes);
        this.isSelf = isSelf;
        this.proof = proof;
        this.warnings = new RateLimitedLog(LOG, clock);
    }

    /** How far a connection is: each step is taken once. Owned by the connection's event loop. */
    private static final class Progress {
        private final Challenge challenge;
        private boolean tried;
        private boolean proved;

        Progress(Challenge challenge) {
            this.challenge = challenge;
        }
    }

    @Override
    public void handle(Call call, CommandHeader header, ByteBuf body) {
        switch (call.code()) {
            case Challenge.HELLO -> answer(call, () -> hello(call, header));
            case Challenge.PROVE -> answer(call, () -> prove(call, header));
            default -> {
                Purpose purpose = codes.get(call.code());
                if (purpose != null && !isProved(call.connection(), purpose)) {
                    warnings.warn("request of a stranger refused", call.connection(), "code=" + call.code());
                    call.respond(
                            ResponseCode.NO_PERMISSION,
                            "this request is for those who have proved the cluster secret: set cluster.secret of the sender"
                                    + " to a copy of this process's file");
                } else {
                    own.handle(call, header, body);
                }
            }
        }
    }

    static boolean isProved(Connection connection, Purpose purpose) {
        Optional<Progress> progress = connection.attachment(Progress.class);
        return progress.isPresent()
                && progress.get().proved
                && progress.get().challenge.purpose() == purpose;
    }

    private void answer(Call call, Runnable step) {
        try {
            step.run();
        } catch (SecretException refusal) {
            warnings.warn(
                    "proof of the cluster secret refused", call.connection(), String.valueOf(refusal.getMessage()));
            call.respond(ResponseCode.NO_PERMISSION, String.valueOf(refusal.getMessage()));
        }
    }

    private void hello(Call call, CommandHeader header) {
        if (call.connection().attachment(Progress.class).isPresent()) {
            throw new SecretException("a connection is challenged once");
        }
        Challenge challenge = new Challenge(
                Purpose.of(ClusterProof.field(header, Challenge.PURPOSE)),
                ClusterProof.field(header, Challenge.FROM),
                ClusterProof.field(header, Challenge.TO),
                ClusterProof.field(header, Challenge.NONCE),
                proof.newNonce());
        refuseMirrors(challenge);
        call.connection().attach(Progress.class, new Progress(challenge));
        call.respond(out -> out.field(Challenge.NONCE, challenge.acceptorNonce()));
    }

    private void refuseMirrors(Challenge challenge) {
        if (challenge.diallerNonce().length() != 2 * Challenge.NONCE_BYTES
                || challenge.to().length() > TEXT_MAX
                || challenge.from().length() > TEXT_MAX) {
            throw new SecretException("not a challenge");
        }
        if (proof.isOwn(challenge.diallerNonce())) {
            throw new SecretException("a challenge of this process came back to it");
        }
        // Name servers are reached by names that they do not know.
        if (challenge.purpose() == Purpose.MEMBER && !isSelf.test(challenge.to())) {
            throw new SecretException(
                    "the sender wanted to reach another process than this one, which knows itself by its"
                            + " address among the members, where it listens, and broker.advertise");
        }
    }

    private void prove(Call call, CommandHeader header) {
        Progress progress = call.connection()
                .attachment(Progress.class)
                .filter(known -> !known.tried)
                .orElseThrow(() -> new SecretException("no challenge waits for a proof"));
        progress.tried = true;
        String given = ClusterProof.field(header, Challenge.PROOF);
        progress.proved = progress.challenge.isProved(given, Challenge.Role.DIALLER, proof.secret());
        if (!progress.proved) {
            throw new SecretException("the sender does not have this process's cluster secret");
        }
        String own = progress.challenge.proof(Challenge.Role.ACCEPTOR, proof.secret());
        call.respond(out -> out.field(Challenge.PROOF, own));
    }

    @Override
    public void connected(Connection connection) {
        own.connected(connection);
    }

    @Override
    public void disconnected(Connection connection) {
        own.disconnected(connection);
    }
}
