package io.anser.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    @TempDir
    private Path folder;

    @Test
    void nothingIsLostWhenTheLeaderAndANameServerAreKilled() throws Exception {
        ByteArrayOutputStream story = new ByteArrayOutputStream();

        assertThat(new Demo(new PrintStream(story, true, StandardCharsets.UTF_8), false, folder, 3, false).run())
                .isEmpty();

        assertThat(story.toString(StandardCharsets.UTF_8))
                .contains("killed", "new leader", "longest time without one")
                .containsPattern("audit member 1 +([\\d,]+) of \\1 events");
    }
}
