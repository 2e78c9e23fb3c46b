package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConditionalProgressRequesterTest {
    private static final long PERIOD = ConditionalProgressRequester.PERIOD.toNanos();

    private int requests;
    private final ConditionalProgressRequester requester = new ConditionalProgressRequester(() -> requests++);

    @Test
    void readsThatComeWhileARequestIsUnderWayShareTheNext() {
        requester.ask(5, 0);
        requester.ask(5, 1);
        requester.ask(7, 2);
        requester.ask(6, 3);
        assertThat(requests).isEqualTo(1);
        requester.answered();
        // The answer may be from before they came.
        requester.ask(7, 4);
        requester.ask(6, 5);
        assertThat(requests).isEqualTo(2);
    }

    @Test
    void anAnswerOfLessThanWasKnownIsNotAskedForAgainAtOnce() {
        requester.ask(5, 0);
        requester.answered();
        requester.ask(5, 1);
        assertThat(requests).isEqualTo(1);
        requester.ask(5, PERIOD);
        assertThat(requests).isEqualTo(2);
    }

    @Test
    void aRequestWithoutAnAnswerIsRepeated() {
        for (int i = 0; i < 10; i++) {
            requester.ask(5, i * PERIOD / 2);
        }
        assertThat(requests).isEqualTo(5);
    }

    @Test
    void timesMayBeNegative() {
        requester.ask(5, -PERIOD);
        requester.ask(5, -1);
        assertThat(requests).isEqualTo(1);
        requester.ask(5, 0);
        assertThat(requests).isEqualTo(2);
    }

    @Test
    void readsThatDoNotWaitCauseOneRequestAPeriod() {
        requester.suggest(5, 0);
        requester.answered();
        requester.suggest(6, 1);
        requester.suggest(7, PERIOD - 1);
        assertThat(requests).isEqualTo(1);
        requester.suggest(7, PERIOD);
        assertThat(requests).isEqualTo(2);
    }

    @Test
    void aReadThatWaitsIsServedSoonAfterOneThatDoesNot() {
        requester.suggest(5, 0);
        requester.answered();
        requester.ask(6, 1);
        assertThat(requests).isEqualTo(2);
    }
}
