package io.anser.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.ClientReport;
import io.anser.protocol.body.ClientReport.What;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The records are what Apache clients 4.9 and 5.5 write. */
class ClientReportsTest {
    private static final String CLIENT = "10.0.0.9:4711";

    private static ClientReport only(String... fields) {
        var reports = ClientReports.of(String.join("\u0001", fields) + "\u0002", "id", CLIENT);
        assertThat(reports).hasSize(1);
        return reports.get(0);
    }

    @Test
    void aSendWithAndWithoutTheOffsetId() {
        assertThat(only("Pub", "9", "r", "makers", "T", "id", "tag", "k", "host", "5", "3", "0", "offset", "true", "h"))
                .isEqualTo(new ClientReport(What.SENT, 9, "makers", CLIENT, true, 3, 0, ""));
        assertThat(only("Pub", "9", "r", "makers", "T", "id", "tag", "k", "host", "5", "3", "0", "false"))
                .isEqualTo(new ClientReport(What.SENT, 9, "makers", CLIENT, false, 3, 0, ""));
    }

    @Test
    void aDeliveryAndItsEnd() {
        assertThat(only("SubBefore", "9", "r", "g", "request", "id", "2", "k"))
                .isEqualTo(new ClientReport(What.HANDED_OVER, 9, "g", CLIENT, true, 0, 2, ""));
        assertThat(only("SubAfter", "request", "id", "12", "true", "k", "0", "21", "g"))
                .isEqualTo(new ClientReport(What.CONSUMED, 21, "g", CLIENT, true, 12, 0, "code=0"));
        assertThat(only("SubAfter", "request", "id", "12", "false", "k", "5"))
                .isEqualTo(new ClientReport(What.CONSUMED, 0, "", CLIENT, false, 12, 0, "code=5"));
    }

    @Test
    void aDecisionAndARecall() {
        assertThat(only(
                        "EndTransaction",
                        "9",
                        "r",
                        "p",
                        "T",
                        "id",
                        "t",
                        "k",
                        "h",
                        "2",
                        "tx",
                        "COMMIT_MESSAGE",
                        "false"))
                .isEqualTo(new ClientReport(What.TRANSACTION_ENDED, 9, "p", CLIENT, true, 0, 0, "COMMIT_MESSAGE"));
        assertThat(only("Recall", "9", "r", "p", "T", "id", "true"))
                .isEqualTo(new ClientReport(What.RECALLED, 9, "p", CLIENT, true, 0, 0, ""));
    }

    @Test
    void whatMakesNoSenseIsPassedOver() {
        Random random = new Random(7);
        String[] parts = {
            "Pub", "SubBefore", "SubAfter", "id", "\u0001", "\u0002", "9", "-1", "99999999999999999999", ""
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(30); left > 0; left--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            assertThat(ClientReports.of(text.toString(), "id", CLIENT))
                    .allSatisfy(report -> assertThat(report.timestamp()).isNotNegative());
        }
        assertThat(ClientReports.of("", "id", CLIENT)).isEmpty();
    }
}
