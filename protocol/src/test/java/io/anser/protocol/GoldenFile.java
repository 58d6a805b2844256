package io.anser.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/** Reads files below {@code src/test/resources/golden}. */
public final class GoldenFile {
    private GoldenFile() {}

    public static byte[] bytes(String name) {
        try (InputStream in = GoldenFile.class.getResourceAsStream("/golden/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text(String name) {
        return new String(bytes(name), UTF_8);
    }

    /** The bytes a file of hex digits stands for; white space is passed over. */
    public static byte[] hex(String name) {
        return HexFormat.of().parseHex(text(name).replaceAll("\\s", ""));
    }
}
