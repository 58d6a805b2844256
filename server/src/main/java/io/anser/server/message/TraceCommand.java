package io.anser.server.message;

import io.anser.protocol.body.MessageTrail;
import io.anser.transport.TransportException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what became of a message. */
@Command(
        name = "trace",
        header = "Tells what became of a message.",
        description = {
            "Tells each copy with its state, how far each group is with it, and what clients reported.",
            "A group has ACKNOWLEDGED a message, or has popped it and it is OUT, or it is AHEAD of the group; docs/tracing.md explains"
                    + " these and the states of copies.",
            "Ends with 0 when it is found, 3 when it is not, 4 when a server refuses, 5 when one does not answer."
        },
        mixinStandardHelpOptions = true)
final class TraceCommand implements Callable<Integer> {
    private static final int NOT_FOUND = 3;
    private static final int REFUSED = 4;
    private static final int UNREACHABLE = 5;

    /** How what is found is printed. */
    enum Output {
        /** For people. */
        TABLE,
        /** For scripts. */
        JSON
    }

    @Parameters(
            paramLabel = "ID",
            description = "Its unique id (SendResult.msgId), its offset id (offsetMsgId), or one of its keys.")
    private String id = "";

    @Option(
            names = {"-t", "--topic"},
            paramLabel = "TOPIC",
            description = "The topic that it was sent to; an offset id needs none.")
    private String topic = "";

    @Option(
            names = {"-s", "--server"},
            paramLabel = "HOST:PORT",
            description = "A name server (default: ANSER_SERVER, else localhost:9876).")
    private String server = Optional.ofNullable(System.getenv("ANSER_SERVER")).orElse("localhost:9876");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table or json (default: table).")
    private Output output = Output.TABLE;

    @Override
    public Integer call() {
        System.setProperty(
                "ANSER_LOG_LEVEL", "off"); // what goes wrong is told in one line, and before the first is logged
        try (MessageTracing tracing = new MessageTracing(server)) {
            Optional<MessageTrail> trail = tracing.trace(topic, id);
            if (trail.isEmpty()) {
                System.err.println("anser: no message with this id or key" + where());
                return NOT_FOUND;
            }
            System.out.print(
                    output == Output.JSON
                            ? new String(trail.get().write(), StandardCharsets.UTF_8) + "\n"
                            : TrailText.of(trail.get()));
            return 0;
        } catch (UnknownTopicException e) {
            System.err.println("anser: " + e.getMessage());
            return NOT_FOUND;
        } catch (RefusedTraceException e) {
            System.err.println("anser: " + e.getMessage());
            return REFUSED;
        } catch (TransportException e) {
            System.err.println("anser: " + server + " or a broker of the topic does not answer: " + e.getMessage());
            return UNREACHABLE;
        }
    }

    private String where() {
        return topic.isEmpty() ? "; ids other than offsetMsgId need --topic" : " in topic " + topic;
    }
}
