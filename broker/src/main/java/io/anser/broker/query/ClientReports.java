package io.anser.broker.query;

import io.anser.protocol.body.ClientReport;
import io.anser.protocol.body.ClientReport.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads what clients write to the topic of traces: records that end with 0x02, of fields with 0x01 between them. A record that
 * makes no sense is passed over, as anybody may write there. Pure.
 *
 * <table>
 *   <caption>Records by their first field</caption>
 *   <tr><th>first</th><th>then</th></tr>
 *   <tr><td>Pub</td><td>time, region, group, topic, id, tags, keys, store host, body bytes, cost, kind, then either success, or
 *       offset id and success</td></tr>
 *   <tr><td>SubBefore</td><td>time, region, group, request, id, tries before, keys</td></tr>
 *   <tr><td>SubAfter</td><td>request, id, cost, success, keys, then perhaps code, time and group</td></tr>
 *   <tr><td>EndTransaction</td><td>time, region, group, topic, id, tags, keys, store host, kind, transaction, decision, whether
 *       the broker asked</td></tr>
 *   <tr><td>Recall</td><td>time, region, group, topic, id, success</td></tr>
 * </table>
 */
final class ClientReports {
    private static final int MOST_DIGITS = 18;

    private ClientReports() {}

    /**
     * Returns what is said of one message.
     *
     * @param text the body of a message of the topic of traces
     * @param id the unique id of the message asked for
     * @param client who has written it
     */
    static List<ClientReport> of(String text, String id, String client) {
        List<ClientReport> reports = new ArrayList<>();
        for (String line : text.split("\u0002", -1)) {
            Line fields = new Line(List.of(line.split("\u0001", -1)), client);
            if (fields.text(fields.idPlace()).equals(id)) {
                fields.report().ifPresent(reports::add);
            }
        }
        return reports;
    }

    /** One record. */
    private record Line(List<String> fields, String client) {
        int idPlace() {
            return text(0).equals("SubAfter") ? 2 : 5;
        }

        Optional<ClientReport> report() {
            return switch (text(0)) {
                case "Pub" -> {
                    boolean success = flag(fields.size() > 13 ? 13 : 12);
                    yield Optional.of(
                            new ClientReport(What.SENT, number(1), text(3), client, success, number(10), 0, ""));
                }
                case "SubBefore" ->
                    Optional.of(new ClientReport(
                            What.HANDED_OVER, number(1), text(3), client, true, 0, (int) number(6), ""));
                case "SubAfter" ->
                    Optional.of(new ClientReport(
                            What.CONSUMED, number(7), text(8), client, flag(4), number(3), 0, "code=" + number(6)));
                case "EndTransaction" ->
                    Optional.of(
                            new ClientReport(What.TRANSACTION_ENDED, number(1), text(3), client, true, 0, 0, text(11)));
                case "Recall" ->
                    Optional.of(new ClientReport(What.RECALLED, number(1), text(3), client, flag(6), 0, 0, ""));
                default -> Optional.empty();
            };
        }

        String text(int place) {
            return place < fields.size() ? fields.get(place) : "";
        }

        private boolean flag(int place) {
            return text(place).equals("true");
        }

        private long number(int place) {
            String digits = text(place);
            boolean number = !digits.isEmpty()
                    && digits.length() <= MOST_DIGITS
                    && digits.chars().allMatch(c -> c >= '0' && c <= '9');
            return number ? Long.parseLong(digits) : 0;
        }
    }
}
