package io.anser.protocol.frame;

/**
 * Codes of a response header. Requests have codes of their own, one per operation. Source: the public behaviour of Apache
 * RocketMQ 5.5.
 */
public final class ResponseCode {
    /** Done. */
    public static final int SUCCESS = 0;
    /** The server failed, or the request is invalid in a way that has no code of its own. */
    public static final int SYSTEM_ERROR = 1;
    /** The server is overloaded and did nothing. */
    public static final int SYSTEM_BUSY = 2;
    /** The request's code is unknown here. */
    public static final int REQUEST_CODE_NOT_SUPPORTED = 3;
    /** The transaction could not be ended. */
    public static final int TRANSACTION_FAILED = 4;
    /** Stored, but the flush did not finish in time: a success with a warning. */
    public static final int FLUSH_DISK_TIMEOUT = 10;
    /** Stored, but no replica is near enough: a success with a warning. */
    public static final int SLAVE_NOT_AVAILABLE = 11;
    /** Stored, but the replicas did not confirm in time: a success with a warning. */
    public static final int FLUSH_SLAVE_TIMEOUT = 12;
    /** The message itself is not acceptable (topic name, size, properties). */
    public static final int MESSAGE_ILLEGAL = 13;
    /** The server does not serve this request now, for example without a leader. */
    public static final int SERVICE_NOT_AVAILABLE = 14;
    /** The client's version is not served. */
    public static final int VERSION_NOT_SUPPORTED = 15;
    /** Not allowed, by permission bits or by access control. */
    public static final int NO_PERMISSION = 16;
    /** The topic does not exist. */
    public static final int TOPIC_NOT_EXIST = 17;
    /** The topic exists already. */
    public static final int TOPIC_EXIST_ALREADY = 18;
    /** Nothing to deliver at this offset yet. */
    public static final int PULL_NOT_FOUND = 19;
    /** Nothing matched the filter; pull again at once from the next offset. */
    public static final int PULL_RETRY_IMMEDIATELY = 20;
    /** The offset is outside the queue; the response names the one to use. */
    public static final int PULL_OFFSET_MOVED = 21;
    /** What was asked for is not there. */
    public static final int QUERY_NOT_FOUND = 22;
    /** The filter expression cannot be parsed. */
    public static final int SUBSCRIPTION_PARSE_FAILED = 23;
    /** The group has no subscription to this topic. */
    public static final int SUBSCRIPTION_NOT_EXIST = 24;
    /** The server knows only an older subscription; a heartbeat will bring the newer one. */
    public static final int SUBSCRIPTION_NOT_LATEST = 25;
    /** The consumer group does not exist. */
    public static final int SUBSCRIPTION_GROUP_NOT_EXIST = 26;
    /** The filter's compiled data does not exist. */
    public static final int FILTER_DATA_NOT_EXIST = 27;
    /** The filter's compiled data is older than the subscription. */
    public static final int FILTER_DATA_NOT_LATEST = 28;
    /** A parameter is out of range, for example a queue id that the topic does not have. */
    public static final int INVALID_PARAMETER = 29;
    /** The transaction should be committed. */
    public static final int TRANSACTION_SHOULD_COMMIT = 200;
    /** The transaction should be rolled back. */
    public static final int TRANSACTION_SHOULD_ROLLBACK = 201;
    /** The transaction's state is not known yet. */
    public static final int TRANSACTION_STATE_UNKNOWN = 202;
    /** The transaction belongs to another producer group. */
    public static final int TRANSACTION_STATE_GROUP_WRONG = 203;
    /** The buyer id is missing (kept for the retry rule only). */
    public static final int NO_BUYER_ID = 204;
    /** The request belongs to another unit. */
    public static final int NOT_IN_CURRENT_UNIT = 205;
    /** The consumer is not connected. */
    public static final int CONSUMER_NOT_ONLINE = 206;
    /** The consumer did not finish the message in time. */
    public static final int CONSUME_MSG_TIMEOUT = 207;
    /** There is no such message. */
    public static final int NO_MESSAGE = 208;
    /** Too many requests are held already. */
    public static final int POLLING_FULL = 209;
    /** A held request ended without a message. */
    public static final int POLLING_TIMEOUT = 210;
    /** The broker does not exist. */
    public static final int BROKER_NOT_EXIST = 211;
    /** The broker has not finished indexing. */
    public static final int BROKER_DISPATCH_NOT_COMPLETE = 212;
    /** The group consumes by broadcasting, so the server holds no offsets for it. */
    public static final int BROADCAST_CONSUMPTION = 213;
    /** Refused by a quota. */
    public static final int FLOW_CONTROL = 215;
    /** This node does not lead the queue. */
    public static final int NOT_LEADER_FOR_QUEUE = 501;
    /** The operation makes no sense in this state. */
    public static final int ILLEGAL_OPERATION = 604;
    /** The server is about to stop; go to another one. */
    public static final int GO_AWAY = 1500;
    /** The broker has as many light queues as it may have. */
    public static final int LMQ_QUOTA_EXCEEDED = 2017;
    /** The user does not exist. */
    public static final int USER_NOT_EXIST = 3001;
    /** The policy does not exist. */
    public static final int POLICY_NOT_EXIST = 3002;

    private ResponseCode() {}
}
