package io.anser.server.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.MessageCopy;
import io.anser.protocol.body.MessageCopy.Progress;
import io.anser.protocol.body.MessageCopy.Stage;
import io.anser.protocol.body.MessageTrail;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read of a message, to the letter. */
class TrailTextTest {
    @Test
    void eachStageOfAGroupIsNamedAndExplained() {
        MessageCopy copy = new MessageCopy(
                "orders",
                1,
                7,
                "OFFSETID",
                "UNIQUE",
                "o-17",
                1000,
                "127.0.0.1:5000",
                2000,
                0,
                MessageCopy.State.READABLE,
                0,
                List.of(
                        new Progress("done", Stage.ACKNOWLEDGED, 0, 0),
                        new Progress("out\u001b", Stage.OUT, 3000, 0),
                        new Progress("new", Stage.AHEAD, 0, -1),
                        new Progress("near", Stage.AHEAD, 0, 0),
                        new Progress("far", Stage.AHEAD, 0, 1)));

        assertThat(TrailText.of(new MessageTrail(List.of(copy), List.of(), true)))
                .isEqualTo("""
                READABLE     topic=orders queue=1 offset=7 id=OFFSETID uniqueId=UNIQUE keys=o-17
                             sent=1970-01-01T00:00:01Z by=127.0.0.1:5000 stored=1970-01-01T00:00:02Z failedBefore=0
                             group=done ACKNOWLEDGED: is done with it
                             group=out? OUT: has popped it and may acknowledge it until 1970-01-01T00:00:03Z
                             group=new AHEAD: has not got that far
                             group=near AHEAD: has not got that far, it comes next
                             group=far AHEAD: has not got that far, messages of the queue that come before it: 1
                """);
    }
}
