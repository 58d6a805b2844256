package io.anser.bench.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the machine or of the JDK that is called and waited for. */
public final class Command {
    private Command() {}

    /**
     * Runs it.
     *
     * @param command the program and its arguments
     * @param timeoutSeconds how long it may take
     * @return what it wrote to both outputs
     * @throws IOException if it cannot be run, fails, or is not done in time
     */
    public static String run(List<String> command, long timeoutSeconds) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted during " + String.join(" ", command), e);
        }
    }
}
