package io.anser.transport.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.system.VirtualTime;
import io.anser.transport.Call;
import io.anser.transport.ConnectionOpening;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with and without the secret, and some who try to do without it, over real sockets. */
class ClusterProofTest {
    private static final int MEMBERS_ONLY = 30_100;
    private static final int REGISTER = 103;
    private static final int ANYBODY = 10;
    private static final Map<Integer, Purpose> CODES =
            Map.of(MEMBERS_ONLY, Purpose.MEMBER, REGISTER, Purpose.REGISTRATION);

    @TempDir
    private Path folder;

    private final VirtualTime time = new VirtualTime();
    private final List<AutoCloseable> open = new ArrayList<>();
    private EventLoops loops;
    private ClusterProof member;

    @BeforeEach
    void start() throws IOException {
        loops = EventLoops.start(TransportSettings.defaults(), time);
        member = proof("0123456789abcdef0123456789abcdef", 1);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        loops.close();
    }

    @Test
    void whoHasTheSecretIsLetThrough() throws Exception {
        RemotingServer server = server(guarded(proof("0123456789abcdef0123456789abcdef", 2), any -> true));

        assertThat(call(client(member.toMembers()), server, MEMBERS_ONLY).code())
                .isZero();
        assertThat(call(client(member.toNameServers()), server, REGISTER).code())
                .isZero();
    }

    @Test
    void whoHasAnotherSecretIsRefusedBeforeItSaysAnything() throws Exception {
        RemotingServer server = server(guarded(proof("another-secret-another-secret-an", 2), any -> true));

        assertThat(failure(client(member.toMembers()), server, MEMBERS_ONLY))
                .contains("the sender does not have this process's cluster secret");
        assertThat(failure(client(member.toNameServers()), server, REGISTER))
                .contains("the sender does not have this process's cluster secret");
    }

    @Test
    void whoHasNoSecretIsToldSoAndMayDoWhatAnybodyMay() throws Exception {
        RemotingServer server = server(guarded(member, any -> true));
        RemotingClient stranger = client(ConnectionOpening.NONE);

        Reply refused = call(stranger, server, MEMBERS_ONLY);
        assertThat(refused.code()).isEqualTo(ResponseCode.NO_PERMISSION);
        assertThat(refused.remark().orElse("")).contains("set cluster.secret of the sender");
        assertThat(call(stranger, server, ANYBODY).code()).isZero();
    }

    @Test
    void aProofForOnePurposeIsNoneForAnother() throws Exception {
        RemotingServer server = server(guarded(proof("0123456789abcdef0123456789abcdef", 2), any -> true));

        assertThat(call(client(member.toNameServers()), server, MEMBERS_ONLY).code())
                .isEqualTo(ResponseCode.NO_PERMISSION);
        assertThat(call(client(member.toMembers()), server, REGISTER).code()).isEqualTo(ResponseCode.NO_PERMISSION);
    }

    @Test
    void aMemberWithoutSecretIsNotSpokenToButANameServerIs() throws Exception {
        RemotingServer server = server(answering());

        assertThat(failure(client(member.toMembers()), server, MEMBERS_ONLY)).contains("has no cluster secret");
        assertThat(call(client(member.toNameServers()), server, REGISTER).code())
                .isZero();
    }

    @Test
    void aNameServerIsReachedByNamesThatItDoesNotKnowAndAMemberIsNot() throws Exception {
        RemotingServer server = server(guarded(proof("0123456789abcdef0123456789abcdef", 2), any -> false));

        assertThat(call(client(member.toNameServers()), server, REGISTER).code())
                .isZero();
        assertThat(failure(client(member.toMembers()), server, MEMBERS_ONLY))
                .contains("the sender wanted to reach another process than this one");
    }

    @Test
    void whatWasRecordedOnOneConnectionProvesNothingOnAnother() throws Exception {
        Recorder seen = new Recorder(guarded(proof("0123456789abcdef0123456789abcdef", 2), any -> true));
        RemotingServer server = server(seen);
        assertThat(call(client(member.toMembers()), server, MEMBERS_ONLY).code())
                .isZero();

        RemotingClient thief = client(ConnectionOpening.NONE);
        Reply hello = replay(thief, server, Challenge.HELLO, seen);
        Reply proof = replay(thief, server, Challenge.PROVE, seen);

        assertThat(hello.code()).isZero();
        assertThat(proof.code()).isEqualTo(ResponseCode.NO_PERMISSION);
        assertThat(proof.header().has(Challenge.PROOF)).isFalse();
        assertThat(call(thief, server, MEMBERS_ONLY).code()).isEqualTo(ResponseCode.NO_PERMISSION);
        // One try for each connection: neither another proof nor another challenge.
        assertThat(replay(thief, server, Challenge.PROVE, seen).code()).isEqualTo(ResponseCode.NO_PERMISSION);
        assertThat(replay(thief, server, Challenge.HELLO, seen).code()).isEqualTo(ResponseCode.NO_PERMISSION);
    }

    /** A man without the secret answers a member with what the member itself says when it is asked. */
    @Test
    void aMirrorProvesNothing() throws Exception {
        RemotingServer own = server(guarded(member, any -> true));
        RemotingServer mirror = server(relay(own));

        assertThat(failure(client(member.toMembers()), mirror, MEMBERS_ONLY))
                .contains("a challenge of this process came back to it");
    }

    /** The same with another member, which is reached by an address that is not its own. */
    @Test
    void aProofMeantForAnotherAddressIsRefused() throws Exception {
        RemotingServer[] real = new RemotingServer[1];
        real[0] = server(guarded(proof("0123456789abcdef0123456789abcdef", 2), to -> to.equals(address(real[0]))));
        RemotingServer between = server(relay(real[0]));

        assertThat(failure(client(member.toMembers()), between, MEMBERS_ONLY))
                .contains("the sender wanted to reach another process");
        assertThat(call(client(member.toMembers()), real[0], MEMBERS_ONLY).code())
                .isZero();
    }

    @Test
    void aChangedByteInWhatIsProvedIsNoticedByEitherSide() throws Exception {
        ClusterProof other = proof("0123456789abcdef0123456789abcdef", 2);
        for (FieldName changed : List.of(Challenge.FROM, Challenge.NONCE, Challenge.PROOF)) {
            RemotingServer server = server(tampering(changed, guarded(other, any -> true)));
            assertThat(failure(client(member.toMembers()), server, MEMBERS_ONLY))
                    .as(changed.text())
                    .contains("does not have this process's cluster secret");
        }
    }

    @Test
    void anAcceptorThatCannotProveItselfIsLeft() throws Exception {
        RemotingServer server = server(new RemotingHandler() {
            @Override
            public void handle(Call call, CommandHeader header, ByteBuf body) {
                call.respond(out -> {
                    out.field(Challenge.NONCE, "00".repeat(32));
                    out.field(Challenge.PROOF, header.has(Challenge.PROOF) ? header.string(Challenge.PROOF) : "");
                });
            }
        });

        // What came back is the sender's own proof, in the wrong role.
        assertThat(failure(client(member.toMembers()), server, MEMBERS_ONLY))
                .contains("does not have this process's cluster secret");
    }

    @Test
    void nothingThatIsSentOrSaidHoldsTheSecret() throws Exception {
        Recorder seen = new Recorder(guarded(proof("another-secret-another-secret-an", 2), any -> true));
        String said = failure(client(member.toMembers()), server(seen), MEMBERS_ONLY);

        assertThat(said).contains("cluster secret");
        assertThat(said + seen.fields)
                .doesNotContain("0123456789abcdef0123456789abcdef")
                .doesNotContain("another-secret");
    }

    private ClusterProof proof(String secret, long seed) throws IOException {
        Path file = Files.createTempFile(
                folder, "s", "", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, secret);
        Random random = new Random(seed);
        return new ClusterProof(
                ClusterSecret.read(file),
                "broker-a/" + seed,
                count -> {
                    byte[] bytes = new byte[count];
                    random.nextBytes(bytes);
                    return bytes;
                },
                time);
    }

    private static RemotingHandler answering() {
        HandlerTable table = new HandlerTable(Runnable::run);
        for (int code : new int[] {MEMBERS_ONLY, REGISTER, ANYBODY}) {
            table.register(code, Lane.NET, header -> "", (call, request, body) -> call.respond(FieldSource.NONE));
        }
        return table;
    }

    private static RemotingHandler guarded(ClusterProof proof, Predicate<String> isSelf) {
        return proof.guarding(answering(), CODES, isSelf);
    }

    private RemotingServer server(RemotingHandler handler) {
        RemotingServer server = RemotingServer.start(
                loops,
                TransportSettings.defaults(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                handler,
                time,
                time,
                List.of());
        open.add(server);
        return server;
    }

    private RemotingClient client(ConnectionOpening opening) {
        RemotingClient client = new RemotingClient(
                loops, TransportSettings.defaults(), time, time, new HandlerTable(Runnable::run), opening);
        open.add(client);
        return client;
    }

    private static String address(RemotingServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }

    private static Reply call(RemotingClient client, RemotingServer server, int code) throws Exception {
        return send(client, server, code).get(30, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Reply> send(RemotingClient client, RemotingServer server, int code) {
        return client.call(address(server), code, FieldSource.NONE, Unpooled.EMPTY_BUFFER, 30_000);
    }

    private static String failure(RemotingClient client, RemotingServer server, int code) throws Exception {
        try {
            return "answered code=" + call(client, server, code).code();
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause().getMessage());
        }
    }

    private static Reply replay(RemotingClient client, RemotingServer server, int code, Recorder seen)
            throws Exception {
        return client.call(address(server), code, source(seen.fields.get(code)), Unpooled.EMPTY_BUFFER, 30_000)
                .get(30, TimeUnit.SECONDS);
    }

    private static FieldSource source(Map<String, String> fields) {
        return out -> fields.forEach((name, value) -> out.field(FieldName.of(name), value));
    }

    /** Hands requests to another server, and its answers back. */
    private RemotingHandler relay(RemotingServer target) {
        RemotingClient onward = client(ConnectionOpening.NONE);
        return new RemotingHandler() {
            @Override
            public void handle(Call call, CommandHeader header, ByteBuf body) {
                onward.call(address(target), call.code(), source(header.toMap()), Unpooled.EMPTY_BUFFER, 30_000)
                        .thenAccept(reply -> call.respond(
                                reply.code(),
                                reply.remark().orElse(null),
                                source(reply.header().toMap()),
                                Unpooled.EMPTY_BUFFER));
            }
        };
    }

    /** A man in the middle who changes the last character of one field of what the dialling side sends. */
    private RemotingHandler tampering(FieldName changed, RemotingHandler own) {
        RemotingServer target = server(own);
        RemotingClient onward = client(ConnectionOpening.NONE);
        return new RemotingHandler() {
            @Override
            public void handle(Call call, CommandHeader header, ByteBuf body) {
                Map<String, String> fields = new LinkedHashMap<>(header.toMap());
                fields.computeIfPresent(
                        changed.text(),
                        (name, value) -> value.substring(0, value.length() - 1) + (value.endsWith("0") ? "1" : "0"));
                onward.call(address(target), call.code(), source(fields), Unpooled.EMPTY_BUFFER, 30_000)
                        .thenAccept(reply -> call.respond(
                                reply.code(),
                                reply.remark().orElse(null),
                                source(reply.header().toMap()),
                                Unpooled.EMPTY_BUFFER));
            }
        };
    }

    /** Remembers what was sent. */
    private static final class Recorder implements RemotingHandler {
        private final RemotingHandler own;
        private final Map<Integer, Map<String, String>> fields = new ConcurrentHashMap<>();

        Recorder(RemotingHandler own) {
            this.own = own;
        }

        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            fields.put(call.code(), header.toMap());
            own.handle(call, header, body);
        }
    }
}
