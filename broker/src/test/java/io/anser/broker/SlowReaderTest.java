package io.anser.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.testing.WireMessages;
import io.anser.protocol.frame.FrameLimits;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.transport.Reply;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that ask for messages and do not read the answers, beside one that does. */
class SlowReaderTest {
    private static final int SUBSCRIPTION = 4;
    private static final int SUSPEND = 2;
    private static final int BODY_BYTES = 64 << 10;

    /** Messages in one answer, which has at most 256 KiB. */
    private static final int PULLED = 3;

    private RunningBroker broker;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private void store(String topic, int messages) throws Exception {
        String body = "x".repeat(BODY_BYTES);
        for (int i = 0; i < messages; i++) {
            broker.stored(RunningBroker.request(topic, ""), body);
        }
    }

    private Socket silentReader() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 << 10);
        socket.connect(broker.address());
        return socket;
    }

    private static byte[] pull(int opaque, long offset, int flags) {
        HeaderWriter header = new HeaderWriter();
        header.begin(HeaderEncoding.JSON, PullMessage.CODE, 0, opaque, null);
        pulling(offset, flags).writeTo(header);
        header.end();
        ByteBuffer frame = ByteBuffer.allocate(8 + header.length());
        return frame.putInt(4 + header.length())
                .putInt(FrameLimits.headerWord(HeaderEncoding.JSON, header.length()))
                .put(header.array(), 0, header.length())
                .array();
    }

    private static PullMessage.Request pulling(long offset, int flags) {
        return new PullMessage.Request("g", "T", 0, offset, PULLED, SUBSCRIPTION | flags, 0, 15_000, "*", 0, "TAG", -1);
    }

    private static int messages(Reply reply) {
        return WireMessages.bodies(reply.body()).size();
    }

    private long delivered() throws Exception {
        return Long.parseLong(broker.figures().get("msgGetTotalTodayNow"));
    }

    /** Sends all of it from another thread, since the broker may stop reading before the end. */
    private static Thread pulls(Socket socket, int count) {
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    socket.getOutputStream().write(pull(i, 0, 0));
                }
            } catch (SocketException closed) {
                // the test is over
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        sender.start();
        return sender;
    }

    @Test
    void aConsumerThatReadsNothingIsHandedLittleAndHoldsUpNobody() throws Exception {
        store("T", 8);
        List<Thread> senders = new ArrayList<>();
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Socket socket = silentReader();
            silent.add(socket);
            senders.add(pulls(socket, 20_000));
        }
        await().until(() -> delivered() >= 3 * PULLED);

        BrokerClient reader = broker.anotherClient();
        for (int i = 0; i < 200; i++) {
            Reply reply = reader.ask(PullMessage.CODE, pulling(4, 0), new byte[0]);
            assertThat(messages(reply)).isEqualTo(PULLED);
            broker.stored(RunningBroker.request("U", ""), "m");
        }

        // 60,000 pulls ask for 15 GiB. A connection takes what the sockets and the high water mark hold: some MiB.
        long bytes = (delivered() - 200 * PULLED) * BODY_BYTES;
        assertThat(bytes).isBetween(1L, 60L << 20);
        for (Socket socket : silent) {
            socket.close();
        }
        for (Thread sender : senders) {
            sender.join();
        }
    }

    @Test
    void waitingPullsOfASilentConsumerAreAnsweredOnceAndOthersGetTheirMessages() throws Exception {
        store("T", 1);
        try (Socket silent = silentReader()) {
            for (int i = 0; i < 500; i++) {
                silent.getOutputStream().write(pull(i, 1, SUSPEND));
            }
            await().until(() -> broker.broker.consumption().parkedPulls().parked() == 500);
            BrokerClient reader = broker.anotherClient();
            CompletableFuture<Reply> waiting = reader.call(PullMessage.CODE, pulling(1, SUSPEND), new byte[0]);
            store("T", 1);

            assertThat(messages(RunningBroker.get(waiting))).isEqualTo(1);
            assertThat(broker.broker.consumption().parkedPulls().parked()).isZero();
            store("T", 10);
            assertThat(messages(reader.ask(PullMessage.CODE, pulling(2, 0), new byte[0])))
                    .isEqualTo(PULLED);
            assertThat(delivered()).as("nothing more for who does not read").isEqualTo(500 + 1 + PULLED);
        }
    }

    @Test
    void aProducerThatReadsNoAnswersIsNotReadOn() throws Exception {
        store("T", 1);
        Thread sender;
        try (Socket silent = silentReader()) {
            byte[] send = send();
            sender = new Thread(() -> {
                try {
                    for (int i = 0; i < 200_000; i++) {
                        silent.getOutputStream().write(send);
                    }
                } catch (IOException closed) {
                    // the test is over
                }
            });
            sender.start();
            // 200,000 answers are more than the sockets and the high water mark hold: it is stopped on the way.
            await().until(() -> {
                long before = broker.maxOffset("T", 0);
                broker.stored(RunningBroker.request("U", ""), "others go on");
                return before > 1_000 && broker.maxOffset("T", 0) == before;
            });
            assertThat(broker.maxOffset("T", 0)).isLessThan(200_000);
        }
        sender.join();
    }

    private static byte[] send() {
        HeaderWriter header = new HeaderWriter();
        header.begin(HeaderEncoding.JSON, SendMessageV2.CODE, 0, 1, null);
        new SendMessageV2.Request(RunningBroker.request("T", "")).writeTo(header);
        header.end();
        byte[] body = "x".getBytes(UTF_8);
        return ByteBuffer.allocate(8 + header.length() + body.length)
                .putInt(4 + header.length() + body.length)
                .putInt(FrameLimits.headerWord(HeaderEncoding.JSON, header.length()))
                .put(header.array(), 0, header.length())
                .put(body)
                .array();
    }
}
