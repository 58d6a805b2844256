package io.anser.transport.secret;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.frame.ResponseCode;
import io.anser.system.Clock;
import io.anser.transport.Connection;
import io.anser.transport.ConnectionOpening;
import io.anser.transport.RateLimitedLog;
import io.anser.transport.RemotingHandler;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's way to prove, and to have proved, that both ends of a connection have the secret of the cluster. It proves who
 * is at the ends when the connection is made; who can change bytes on their way later is for TLS. Any thread.
 *
 * <p>Who dialled proves first, so that nobody without the secret gets a proof to try at. See {@link Challenge} for what is
 * sent.
 */
public final class ClusterProof {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterProof.class);
    private static final int ANSWER_MILLIS = ConnectionOpening.LONGEST_MILLIS / 2;

    private final ClusterSecret secret;
    private final String self;
    private final IntFunction<byte[]> chance;
    private final RateLimitedLog warnings;
    private final Clock clock;

    /** Those of our own that wait for an answer: who brings us one of them as his own is a mirror. */
    private final Set<String> ownNonces = ConcurrentHashMap.newKeySet();

    /**
     * The proof of a process.
     *
     * @param self what the process calls itself
     * @param chance gives so many bytes that nobody can foresee
     */
    public ClusterProof(ClusterSecret secret, String self, IntFunction<byte[]> chance, Clock clock) {
        this.secret = secret;
        this.self = self;
        this.chance = chance;
        this.clock = clock;
        this.warnings = new RateLimitedLog(LOG, clock);
    }

    /** What to do on connections to members: nothing is said to one that does not prove itself. */
    public ConnectionOpening toMembers() {
        return (connection, hostPort) -> open(connection, hostPort, Purpose.MEMBER);
    }

    /**
     * What to do on connections to name servers: those that know of no secret, as Apache's, are told what they are told by
     * any broker.
     */
    public ConnectionOpening toNameServers() {
        return (connection, hostPort) -> open(connection, hostPort, Purpose.REGISTRATION);
    }

    /**
     * Lets requests of some codes through only on connections whose other end has proved itself.
     *
     * @param own handles what is let through
     * @param codes for what purpose a connection must have been proved for a request
     * @param isSelf whether an address may be this process's: who wanted to reach another one as a member is refused
     */
    public RemotingHandler guarding(RemotingHandler own, Map<Integer, Purpose> codes, Predicate<String> isSelf) {
        return new ProofGuard(own, codes, isSelf, this, clock);
    }

    /** Whether the other end of a connection that was accepted here has proved that it is a member of this process's group. */
    public boolean isMember(Connection connection) {
        return ProofGuard.isProved(connection, Purpose.MEMBER);
    }

    ClusterSecret secret() {
        return secret;
    }

    String newNonce() {
        return Challenge.hex(chance.apply(Challenge.NONCE_BYTES));
    }

    boolean isOwn(String nonce) {
        return ownNonces.contains(nonce);
    }

    private CompletableFuture<@Nullable Void> open(Connection connection, String hostPort, Purpose purpose) {
        String nonce = newNonce();
        if (purpose == Purpose.MEMBER) { // a process with both roles registers with itself
            ownNonces.add(nonce);
        }
        CompletableFuture<@Nullable Void> opened = new CompletableFuture<>();
        exchange(connection, hostPort, nonce, purpose).whenComplete((nothing, failure) -> {
            ownNonces.remove(nonce);
            if (failure == null) {
                opened.complete(null);
                return;
            }
            Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : failure;
            warnings.warn("connection given up: the cluster secret", connection, String.valueOf(cause.getMessage()));
            opened.completeExceptionally(cause);
        });
        return opened;
    }

    private CompletableFuture<@Nullable Void> exchange(
            Connection connection, String hostPort, String nonce, Purpose purpose) {
        FieldSource hello = out -> {
            out.field(Challenge.PURPOSE, purpose.text());
            out.field(Challenge.FROM, self);
            out.field(Challenge.TO, hostPort);
            out.field(Challenge.NONCE, nonce);
        };
        return connection
                .call(Challenge.HELLO, hello, Unpooled.EMPTY_BUFFER, ANSWER_MILLIS)
                .thenCompose(reply -> {
                    if (reply.code() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED && purpose == Purpose.REGISTRATION) {
                        return CompletableFuture.completedFuture(null);
                    }
                    if (reply.code() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED) {
                        throw new SecretException(
                                hostPort + " has no cluster secret; give it a copy of this process's file");
                    }
                    Challenge challenge = new Challenge(purpose, self, hostPort, nonce, field(reply, Challenge.NONCE));
                    return prove(connection, hostPort, challenge);
                });
    }

    private CompletableFuture<@Nullable Void> prove(Connection connection, String hostPort, Challenge challenge) {
        String own = challenge.proof(Challenge.Role.DIALLER, secret);
        return connection
                .call(Challenge.PROVE, out -> out.field(Challenge.PROOF, own), Unpooled.EMPTY_BUFFER, ANSWER_MILLIS)
                .thenApply(reply -> {
                    if (!challenge.isProved(field(reply, Challenge.PROOF), Challenge.Role.ACCEPTOR, secret)) {
                        throw new SecretException(hostPort + " does not have this process's cluster secret");
                    }
                    return null;
                });
    }

    private static String field(Reply reply, FieldName name) {
        if (reply.code() != ResponseCode.SUCCESS) {
            throw new SecretException("refused: " + reply.remark().orElse("code=" + reply.code()));
        }
        return field(reply.header(), name);
    }

    static String field(CommandHeader header, FieldName name) {
        try {
            return header.string(name);
        } catch (ProtocolException e) {
            throw new SecretException("the field " + name.text() + " is missing", e);
        }
    }
}
