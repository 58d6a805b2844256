package io.anser.broker.metadata;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings were changed while the broker ran.
 *
 * @param values texts by key, as they hold from now on; an empty text takes a change back: the setting has again the value
 *     that it was started with
 */
public record SettingsChanged(SortedMap<String, String> values) implements Change {
    /** The number of this kind in the log; its payload is an int count and that many pairs of texts. */
    static final short KIND = 84;

    /** Copies the map. */
    public SettingsChanged {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    static SettingsChanged read(ByteBuffer payload) {
        SortedMap<String, String> values = new TreeMap<>();
        int count = payload.getInt();
        for (int i = 0; i < count; i++) {
            String key = PayloadText.read(payload);
            values.put(key, PayloadText.read(payload));
        }
        return new SettingsChanged(values);
    }

    @Override
    public short kind() {
        return KIND;
    }

    @Override
    public byte[] payload() {
        int bytes = Integer.BYTES;
        for (Map.Entry<String, String> value : values.entrySet()) {
            bytes += PayloadText.bytes(value.getKey()) + PayloadText.bytes(value.getValue());
        }
        ByteBuffer payload = ByteBuffer.allocate(bytes).putInt(values.size());
        values.forEach((key, text) -> {
            PayloadText.write(payload, key);
            PayloadText.write(payload, text);
        });
        return payload.array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText("settings changed", values.toString());
    }

    @Override
    public Object subject() {
        return "settings";
    }
}
