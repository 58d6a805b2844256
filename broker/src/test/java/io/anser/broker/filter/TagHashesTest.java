package io.anser.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.SubscriptionData;
import java.util.List;
import org.junit.jupiter.api.Test;

class TagHashesTest {
    private static TagHashes of(String expression) {
        return TagFilter.parse(expression).tags();
    }

    @Test
    void unionHasTheTagsOfBothOnce() {
        TagHashes both = of("a || b").or(of("b || c"));

        assertThat(both.any()).isFalse();
        assertThat(both.hashes()).containsExactlyInAnyOrder(97, 98, 99);
        assertThat(both.contain(99)).isTrue();
        assertThat(both.contain(100)).isFalse();
    }

    @Test
    void anyTagAndSomeAreAnyTag() {
        assertThat(of("a").or(of("*")).any()).isTrue();
        assertThat(of("*").or(of("a")).any()).isTrue();
        assertThat(of("*").or(Filters.NONE.tags()).any()).isTrue();
        assertThat(Filters.NONE.tags().or(of("*")).any()).isTrue();
    }

    @Test
    void nobodyWantsNoTag() {
        assertThat(Filters.NONE.tags().contain(0)).isFalse();
        assertThat(of("a").or(Filters.NONE.tags()).hashes()).containsExactly(97);
    }

    @Test
    void anyOfSeveralSubscriptionsIsTheUnionOfTheirTags() {
        MessageFilter any = new AnyFilter(
                List.of(TagFilter.parse("a"), new Filters().of(SubscriptionData.SQL92, "TAGS = 'b' AND n > 1")));

        assertThat(any.tags().hashes()).containsExactlyInAnyOrder(97, 98);
    }
}
