package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonWriter;

/**
 * What a broker without replicas tells about them.
 *
 * @param masterCommitLogMaxOffset log position up to which its log is committed
 */
public record HaStatus(long masterCommitLogMaxOffset) implements JsonBody {
    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.name("haClientRuntimeInfo").beginObject();
        out.member("activated", false).member("lastReadTimestamp", 0).member("lastWriteTimestamp", 0);
        out.member("masterFlushOffset", 0).member("maxOffset", 0).member("transferredByteInSecond", 0);
        out.endObject();
        out.name("haConnectionInfo").beginArray().endArray();
        out.member("inSyncSlaveNums", 0).member("master", true);
        out.member("masterCommitLogMaxOffset", masterCommitLogMaxOffset);
        out.endObject();
    }
}
