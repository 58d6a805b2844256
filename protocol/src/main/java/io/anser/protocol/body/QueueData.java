package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * The queues of a topic on one broker.
 *
 * @param brokerName broker group
 * @param readQueueNums consumers use queues {@code [0, readQueueNums)}
 * @param writeQueueNums producers use queues {@code [0, writeQueueNums)}
 * @param perm see {@link Perm}
 * @param topicSysFlag kept as it came
 */
public record QueueData(String brokerName, int readQueueNums, int writeQueueNums, int perm, int topicSysFlag)
        implements JsonBody {

    /** Reads one value. */
    public static QueueData read(JsonReader in) {
        String brokerName = "";
        int readQueueNums = 0;
        int writeQueueNums = 0;
        int perm = 0;
        int topicSysFlag = 0;
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "brokerName" -> brokerName = in.string();
                    case "readQueueNums" -> readQueueNums = in.integer();
                    case "writeQueueNums" -> writeQueueNums = in.integer();
                    case "perm" -> perm = in.integer();
                    case "topicSysFlag" -> topicSysFlag = in.integer();
                    default -> in.skip();
                }
            }
        }
        return new QueueData(brokerName, readQueueNums, writeQueueNums, perm, topicSysFlag);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.member("brokerName", brokerName).member("perm", perm);
        out.member("readQueueNums", readQueueNums).member("topicSysFlag", topicSysFlag);
        out.member("writeQueueNums", writeQueueNums);
        out.endObject();
    }
}
