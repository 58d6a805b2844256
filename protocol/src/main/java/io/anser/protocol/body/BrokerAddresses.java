package io.anser.protocol.body;

import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The map from broker id to {@code host:port} that several bodies share. */
final class BrokerAddresses {
    private BrokerAddresses() {}

    static SortedMap<Long, String> copy(Map<Long, String> addresses) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(addresses));
    }

    static SortedMap<Long, String> read(JsonReader in) {
        SortedMap<Long, String> addresses = new TreeMap<>();
        if (in.beginObject()) {
            while (in.nextMember()) {
                long id = id(in.name());
                addresses.put(id, in.string());
            }
        }
        return addresses;
    }

    private static long id(String name) {
        try {
            return Long.parseLong(name);
        } catch (NumberFormatException e) {
            throw new MalformedBodyException("brokerAddrs has a name that is no broker id, length=" + name.length());
        }
    }

    static void write(JsonWriter out, SortedMap<Long, String> addresses) {
        out.name("brokerAddrs").beginObject();
        addresses.forEach((id, address) -> out.name(id).value(address));
        out.endObject();
    }
}
