package io.anser.server.message;

import io.anser.protocol.body.ClientReport;
import io.anser.protocol.body.MessageCopy;
import io.anser.protocol.body.MessageCopy.Progress;
import io.anser.protocol.body.MessageTrail;
import java.time.Instant;
import java.util.Locale;

/** What became of a message, for people. Names come from clients: what could steer a terminal is left out. Pure. */
final class TrailText {
    private TrailText() {}

    static String of(MessageTrail trail) {
        StringBuilder text = new StringBuilder();
        for (MessageCopy copy : trail.copies()) {
            add(text, copy);
        }
        for (ClientReport report : trail.reports()) {
            add(text, report);
        }
        if (!trail.complete()) {
            text.append("There may be more than this.\n");
        }
        return text.toString();
    }

    private static void add(StringBuilder text, MessageCopy copy) {
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "%-12s topic=%s queue=%d offset=%d id=%s uniqueId=%s keys=%s",
                        copy.state(),
                        copy.topic(),
                        copy.queueId(),
                        copy.queueOffset(),
                        copy.offsetMsgId(),
                        copy.uniqueId(),
                        copy.keys()));
        String due = copy.dueTimestamp() == 0 ? "" : " due=" + time(copy.dueTimestamp());
        line(
                text,
                "             sent=" + time(copy.bornTimestamp()) + " by=" + copy.bornHost() + " stored="
                        + time(copy.storeTimestamp()) + " failedBefore=" + copy.reconsumeTimes() + due);
        for (Progress progress : copy.consumers()) {
            line(text, "             group=" + progress.group() + " " + progress.stage() + ": " + words(progress));
        }
    }

    private static String words(Progress progress) {
        return switch (progress.stage()) {
            case ACKNOWLEDGED -> "is done with it";
            case OUT -> "has popped it and may acknowledge it until " + time(progress.visibleTimestamp());
            case AHEAD -> "has not got that far" + before(progress.messagesBefore());
        };
    }

    private static String before(long messages) {
        if (messages < 0) {
            return "";
        }
        return messages == 0 ? ", it comes next" : ", messages of the queue that come before it: " + messages;
    }

    private static void add(StringBuilder text, ClientReport report) {
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "reported     %s at=%s group=%s client=%s success=%s millis=%d %s",
                        report.what(),
                        time(report.timestamp()),
                        report.group(),
                        report.client(),
                        report.success(),
                        report.costMillis(),
                        report.detail()));
    }

    private static void line(StringBuilder text, String line) {
        text.append(line.replaceAll("\\p{Cntrl}", "?")).append('\n');
    }

    private static String time(long millis) {
        return millis == 0 ? "unknown" : Instant.ofEpochMilli(millis).toString();
    }
}
