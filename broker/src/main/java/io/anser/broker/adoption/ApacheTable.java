package io.anser.broker.adoption;

import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.json.JsonReader;
import io.anser.store.file.ForeignFiles;
import io.anser.store.file.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiConsumer;

/** Reads a table out of a JSON file of an Apache broker's settings. Pure but for the reading. */
public final class ApacheTable {
    private static final int FILE_BYTES_MAX = 1 << 30;

    private ApacheTable() {}

    /**
     * Reads the members of one object of a file, one after the other; what else the file holds is passed over. Where the file
     * is missing or empty, the copy that Apache keeps beside it is read; where there is neither, nothing.
     *
     * @param name of the file in the folder {@code config}
     * @param table name of the object
     * @param member takes the name of a member and must read its value
     * @throws StoreException IO when the file is malformed; the text names the file and the byte
     */
    public static void read(ForeignFiles files, String name, String table, BiConsumer<String, JsonReader> member)
            throws IOException {
        for (String file : List.of("config/" + name, "config/" + name + ".bak")) {
            byte[] json = bytes(files, file);
            if (json.length == 0) {
                continue;
            }
            try {
                JsonReader.parse(json, FILE_BYTES_MAX, in -> {
                    eachMember(in, (found, value) -> {
                        if (found.equals(table)) {
                            eachMember(value, member);
                        } else {
                            value.skip();
                        }
                    });
                    return file;
                });
            } catch (ProtocolException e) {
                throw new StoreException(
                        StoreException.Kind.IO, "malformed " + files.describe(file) + ": " + e.getMessage(), e);
            }
            return;
        }
    }

    private static byte[] bytes(ForeignFiles files, String file) throws IOException {
        if (!files.exists(file)) {
            return new byte[0];
        }
        ByteBuffer mapped = files.map(file);
        byte[] bytes = new byte[mapped.remaining()];
        mapped.get(bytes);
        return bytes;
    }

    /** Reads the members of an object. */
    public static void eachMember(JsonReader in, BiConsumer<String, JsonReader> member) {
        if (in.beginObject()) {
            while (in.nextMember()) {
                member.accept(in.name(), in);
            }
        }
    }
}
