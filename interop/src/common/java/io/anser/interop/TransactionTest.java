package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.apache.rocketmq.client.producer.LocalTransactionState.COMMIT_MESSAGE;
import static org.apache.rocketmq.client.producer.LocalTransactionState.ROLLBACK_MESSAGE;
import static org.apache.rocketmq.client.producer.LocalTransactionState.UNKNOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.client.producer.TransactionSendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of unmodified producers, on a server that asks them every second. */
class TransactionTest {
    @TempDir
    Path data;

    private AnserServer server;
    private Clients clients;
    private String topic;

    @BeforeEach
    void start() throws Exception {
        server = AnserServer.start(
                data, "--set", "transaction.first-check=1000", "--set", "transaction.check-interval=1000");
        clients = new Clients(server);
        topic = clients.topic(1);
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void whatIsCommittedComesOnceAndWhatIsRolledBackNever() throws Exception {
        TransactionMQProducer committing = clients.transactionProducer(unique("tx"), new Local(COMMIT_MESSAGE, UNKNOW));
        TransactionMQProducer rollingBack =
                clients.transactionProducer(unique("tx"), new Local(ROLLBACK_MESSAGE, UNKNOW));
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);

        rollingBack.sendMessageInTransaction(message(topic, "rolled back"), null);
        TransactionSendResult sent = committing.sendMessageInTransaction(message(topic, "committed"), null);
        awaitSize(got, 1);
        committing.send(message(topic, "plain"));
        awaitSize(got, 2);

        assertThat(got).extracting(Clients::body).containsExactly("committed", "plain");
        assertThat(got.get(0).getMsgId()).isEqualTo(sent.getMsgId());
        assertThat(got.get(0).getTopic()).isEqualTo(topic);
        assertThat(sent.getTransactionId()).isNotNull();
    }

    @Test
    void whoDoesNotKnowYetIsAskedUntilHeKnows() throws Exception {
        Local local = new Local(UNKNOW, UNKNOW);
        TransactionMQProducer producer = clients.transactionProducer(unique("tx"), local);
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);

        TransactionSendResult sent = producer.sendMessageInTransaction(message(topic, "asked"), "argument");
        awaitSize(local.asked, 2);
        assertThat(got).isEmpty();
        local.later = COMMIT_MESSAGE;

        awaitSize(got, 1);
        MessageExt asked = local.asked.get(0);
        assertThat(body(asked)).isEqualTo("asked");
        assertThat(asked.getTopic()).isEqualTo(topic);
        assertThat(asked.getTransactionId()).isEqualTo(sent.getTransactionId());
        assertThat(asked.getProperty("TRANSACTION_CHECK_TIMES")).isEqualTo("1");
        assertThat(got).extracting(Clients::body).containsExactly("asked");
    }

    @Test
    void anotherProducerOfTheGroupIsAskedAfterTheFirstHasGone() throws Exception {
        String group = unique("tx");
        TransactionMQProducer first = clients.transactionProducer(group, new Local(UNKNOW, UNKNOW));
        first.sendMessageInTransaction(message(topic, "left behind"), null);
        first.shutdown();

        Local local = new Local(UNKNOW, COMMIT_MESSAGE);
        clients.transactionProducer(group, local).send(message(topic, "plain")); // so that it knows the broker
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);

        awaitSize(got, 2);
        assertThat(got).extracting(Clients::body).containsExactlyInAnyOrder("plain", "left behind");
        assertThat(local.asked).extracting(Clients::body).containsExactly("left behind");
    }

    @Test
    void aKilledServerAsksAndListensAfterItsRestart() throws Exception {
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);
        Local local = new Local(UNKNOW, COMMIT_MESSAGE);
        TransactionMQProducer producer = clients.transactionProducer(unique("tx"), local);
        Local slow = new Local(COMMIT_MESSAGE, UNKNOW);
        slow.meanwhile = () -> {
            server.kill();
            server.restart();
        };
        TransactionMQProducer committing = clients.transactionProducer(unique("tx"), slow);
        producer.sendMessageInTransaction(message(topic, "asked about"), null);

        committing.sendMessageInTransaction(message(topic, "committed after the restart"), null);

        // The decision is sent one-way over a connection that may be the old one: then the check finds out.
        slow.later = COMMIT_MESSAGE;
        awaitSize(got, 2);
        assertThat(got)
                .extracting(Clients::body)
                .containsExactlyInAnyOrder("asked about", "committed after the restart");
    }

    /** The producer's side: what it knows at once, and what it answers when it is asked. */
    private static final class Local implements TransactionListener {
        private final List<MessageExt> asked = list();
        private final LocalTransactionState atOnce;
        private volatile LocalTransactionState later;
        private Runnable meanwhile = () -> {};

        Local(LocalTransactionState atOnce, LocalTransactionState later) {
            this.atOnce = atOnce;
            this.later = later;
        }

        @Override
        public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
            meanwhile.run();
            return atOnce;
        }

        @Override
        public LocalTransactionState checkLocalTransaction(MessageExt message) {
            asked.add(message);
            return later;
        }
    }
}
