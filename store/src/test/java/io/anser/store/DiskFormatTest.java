package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes on the device, held against golden files: a change of format must be meant. */
class DiskFormatTest {
    private final FaultyStorage storage = new FaultyStorage();
    private final HandDriven store = HandDriven.open(storage);

    @Test
    void recordsHaveTheirGoldenBytes() throws IOException {
        store.commit(new TestUnit().and(store.queue(1), "body", "tag").andState(9, "payload"));

        assertThat(hexLines(
                        "log/00000000000000000000", (int) store.parts.marks().appended()))
                .isEqualTo(golden("log.hex"));
    }

    @Test
    void aSegmentEndsWithItsGoldenRoll() throws IOException {
        store.commit(TestUnit.ofBytes(store.queue(0), 15_900));
        int end = (int) store.parts.marks().appended();
        store.commit(TestUnit.ofBytes(store.queue(0), 1_000));

        byte[] roll = Arrays.copyOfRange(storage.bytes("log/00000000000000000000"), end, end + 40);
        assertThat(HexFormat.of().formatHex(roll).replaceAll("^(.{8}).{16}", "$1----------------"))
                .isEqualTo("00000028----------------03010000000000000000000100000000000000020000000000003ed0");
        assertThat(storage.list("log")).containsExactly("00000000000000000000", "00000000000000016384");
    }

    @Test
    void aSnapshotHasItsGoldenBytes() throws IOException {
        store.commit(new TestUnit().and(store.queue(1), "body", "tag").andState(9, "payload"));
        store.snapshot();

        String name = storage.list("snapshot").get(0);
        assertThat(name).isEqualTo("00000000000000000210");
        try (var file = storage.open("snapshot/" + name)) {
            assertThat(hexLines("snapshot/" + name, (int) file.size())).isEqualTo(golden("snapshot.hex"));
        }
    }

    @Test
    void anIndexPageHasItsGoldenBytes() throws IOException {
        for (int i = 0; i < 64; i++) {
            store.commit(new TestUnit().and(store.queue(1), "body", "tag"));
        }
        assertThat(hexLines("index/queue-pages-0000000000", 64)).isEqualTo(golden("index-page.hex"));
    }

    private String hexLines(String name, int bytes) {
        StringBuilder text = new StringBuilder();
        byte[] all = storage.bytes(name);
        for (int at = 0; at < bytes; at += 16) {
            text.append(HexFormat.ofDelimiter(" ").formatHex(all, at, Math.min(bytes, at + 16)))
                    .append('\n');
        }
        return text.toString();
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = DiskFormatTest.class.getResourceAsStream("/golden/" + name)) {
            return in == null ? "no golden file " + name : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
