package io.anser.broker.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParkedChecksTest {
    private final ParkedChecks parked = new ParkedChecks();
    private final List<Long> released = new ArrayList<>();

    @Test
    void onlyTheGroupThatIsThereIsReleasedAndOnce() {
        parked.park("p", 1);
        parked.park("q", 2);
        parked.park("p", 3);

        parked.release("p"::equals, released::add);
        parked.release("p"::equals, released::add);

        assertThat(released).containsExactlyInAnyOrder(1L, 3L);
    }

    @Test
    void whatHasEndedIsForgotten() {
        parked.park("p", 1);
        parked.park("p", 3);
        parked.park("q", 2);
        parked.forget(1);
        parked.forget(2);
        List<String> asked = new ArrayList<>();

        parked.release(
                group -> {
                    asked.add(group);
                    return true;
                },
                released::add);

        assertThat(released).containsExactly(3L);
        assertThat(asked).as("groups that somebody waits for").containsExactly("p");
    }
}
