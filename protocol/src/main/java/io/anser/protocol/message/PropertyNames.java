package io.anser.protocol.message;

/** Names of the message properties that brokers and clients give a meaning to. All are ASCII. */
public final class PropertyNames {
    /** Keys for look-up, separated by a space. */
    public static final String KEYS = "KEYS";
    /** The tag; its Java string hash is what the queue index holds. */
    public static final String TAGS = "TAGS";
    /** Whether the sender waits until the message is stored ({@code true} when absent). */
    public static final String WAIT = "WAIT";
    /** Delay level, see {@link DelayLevels}. */
    public static final String DELAY = "DELAY";
    /** Unique id given by the sender, see {@link UniqueId}. */
    public static final String UNIQ_KEY = "UNIQ_KEY";
    /** Topic a retried message was first sent to. */
    public static final String RETRY_TOPIC = "RETRY_TOPIC";
    /** Topic a delayed or prepared message is meant for. */
    public static final String REAL_TOPIC = "REAL_TOPIC";
    /** Queue id a delayed or prepared message is meant for. */
    public static final String REAL_QID = "REAL_QID";
    /** Producer group of a transaction. */
    public static final String PGROUP = "PGROUP";
    /** {@code true} on a prepared message. */
    public static final String TRAN_MSG = "TRAN_MSG";
    /** Id of the transaction. */
    public static final String TRANSACTION_ID = "__transactionId__";
    /** Queue offset of the prepared message in the half topic. */
    public static final String TRAN_PREPARED_QUEUE_OFFSET = "TRAN_PREPARED_QUEUE_OFFSET";
    /** How often the producer was asked about the transaction. */
    public static final String TRANSACTION_CHECK_TIMES = "TRANSACTION_CHECK_TIMES";
    /** Seconds before the producer is first asked. */
    public static final String CHECK_IMMUNITY_TIME_IN_SECONDS = "CHECK_IMMUNITY_TIME_IN_SECONDS";
    /** Message id of the first copy of a retried message. */
    public static final String ORIGIN_MESSAGE_ID = "ORIGIN_MESSAGE_ID";
    /** How often the message was consumed again, told by a client that sends the retry itself. */
    public static final String RECONSUME_TIME = "RECONSUME_TIME";
    /** Retries allowed before the message goes to the dead letters. */
    public static final String MAX_RECONSUME_TIMES = "MAX_RECONSUME_TIMES";
    /** Smallest offset of the queue at the time of the pull; set by clients. */
    public static final String MIN_OFFSET = "MIN_OFFSET";
    /** Next offset of the queue at the time of the pull; set by clients. */
    public static final String MAX_OFFSET = "MAX_OFFSET";
    /** Cluster name, for request and reply. */
    public static final String CLUSTER = "CLUSTER";
    /** Kind of message, for request and reply. */
    public static final String MSG_TYPE = "MSG_TYPE";
    /** Id that joins a reply to its request. */
    public static final String CORRELATION_ID = "CORRELATION_ID";
    /** Client id that waits for the reply. */
    public static final String REPLY_TO_CLIENT = "REPLY_TO_CLIENT";
    /** Milliseconds the requester waits. */
    public static final String TTL = "TTL";
    /** Time at which a reply reached the broker, milliseconds. */
    public static final String ARRIVE_TIME = "ARRIVE_TIME";
    /** Time at which a reply was pushed to the requester, milliseconds. */
    public static final String PUSH_REPLY_TIME = "PUSH_REPLY_TIME";
    /** Handle of a popped message. */
    public static final String POP_CK = "POP_CK";
    /** Time of the first pop, milliseconds. */
    public static final String FIRST_POP_TIME = "1ST_POP_TIME";
    /** Key by which the sender chose the queue. */
    public static final String SHARDING_KEY = "__SHARDINGKEY";
    /** Delay in seconds. */
    public static final String TIMER_DELAY_SEC = "TIMER_DELAY_SEC";
    /** Delay in milliseconds. */
    public static final String TIMER_DELAY_MS = "TIMER_DELAY_MS";
    /** Time of delivery, milliseconds. */
    public static final String TIMER_DELIVER_MS = "TIMER_DELIVER_MS";
    /** Time of delivery as the broker computed it, milliseconds. */
    public static final String TIMER_OUT_MS = "TIMER_OUT_MS";
    /** Time at which the timer took the message, milliseconds. */
    public static final String TIMER_ENQUEUE_MS = "TIMER_ENQUEUE_MS";
    /** Time at which the timer released the message, milliseconds. */
    public static final String TIMER_DEQUEUE_MS = "TIMER_DEQUEUE_MS";
    /** How often a far timer was put back. */
    public static final String TIMER_ROLL_TIMES = "TIMER_ROLL_TIMES";
    /** Unique id of the timer message that this one takes back. */
    public static final String TIMER_DEL_UNIQKEY = "TIMER_DEL_UNIQKEY";
    /** Topic a dead letter comes from. */
    public static final String DLQ_ORIGIN_TOPIC = "DLQ_ORIGIN_TOPIC";
    /** Message id a dead letter had. */
    public static final String DLQ_ORIGIN_MESSAGE_ID = "DLQ_ORIGIN_MESSAGE_ID";
    /** Region of the broker, for traces. */
    public static final String MSG_REGION = "MSG_REGION";
    /** Whether the message is traced. */
    public static final String TRACE_ON = "TRACE_ON";
    /** Messages in an inner batch. */
    public static final String INNER_NUM = "INNER_NUM";
    /** First queue offset of an inner batch. */
    public static final String INNER_BASE = "INNER_BASE";
    /** Further queues the message is also listed in, separated by a comma. */
    public static final String INNER_MULTI_DISPATCH = "INNER_MULTI_DISPATCH";
    /** Offsets of the message in the queues of {@link #INNER_MULTI_DISPATCH}, in their order, separated by a comma. */
    public static final String INNER_MULTI_QUEUE_OFFSET = "INNER_MULTI_QUEUE_OFFSET";
    /** The lite topic, below the message's topic, that the message is for. */
    public static final String LITE_TOPIC = "__LITE_TOPIC";
    /** Id of the client instance. */
    public static final String INSTANCE_ID = "INSTANCE_ID";
    /** Checksum over the whole message, given by some stores. */
    public static final String CRC32 = "__CRC32#";

    /** How soon a message is delivered among those that wait; a greater number goes first. */
    public static final String PRIORITY = "_SYS_MSG_PRIORITY_";
    /** Key that the application chose: a message with the same one sent again is not stored again. No property of Apache's. */
    public static final String IDEMPOTENCY_KEY = "IDEMPOTENCY_KEY";

    private PropertyNames() {}
}
