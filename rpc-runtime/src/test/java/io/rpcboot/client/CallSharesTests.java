package io.rpcboot.client;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Two references that share a connection to a server that grants it 100 calls. */
class CallSharesTests {

	private static final int HANGS = 0;

	private static final int PROMPT = 1;

	private static final int WINDOW = 100;

	private final CallShares shares = new CallShares();

	private long granted = WINDOW;

	private long sent;

	private boolean isUsedUp(int reference) {
		return this.shares.isUsedUp(reference, this.granted - this.sent);
	}

	private boolean takeReleased() {
		return this.shares.takeReleased(this.granted - this.sent);
	}

	private void send(int reference, int calls) {
		for (int i = 0; i < calls; i++) {
			assertThat(isUsedUp(reference)).isFalse();
			this.sent++;
			this.shares.begins(reference);
		}
	}

	private void answer(int reference, int calls) {
		for (int i = 0; i < calls; i++) {
			this.shares.ends(reference);
		}
	}

	private void cancel(int reference, int calls) {
		for (int i = 0; i < calls; i++) {
			this.shares.cancelled(reference);
		}
	}

	private void grant(int calls) {
		this.granted += calls;
		this.shares.granted(calls);
	}

	@Test
	void noReferenceHasMoreThanThreeQuarters() {
		send(HANGS, 75);
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 25);
		assertThat(this.granted).isEqualTo(this.sent);
	}

	@Test
	void cancelledCallsCountUntilTheServerGrantsWhatWasNotAnswered() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 20);
		answer(PROMPT, 20);
		grant(20);
		assertThat(isUsedUp(HANGS)).as("what is granted was answered").isTrue();
		grant(10);
		assertThat(isUsedUp(HANGS)).as("ten have ended without an answer").isFalse();
		send(HANGS, 10);
		assertThat(isUsedUp(HANGS)).isTrue();
	}

	/** Else calls that hang would have more and more of the grant. */
	@Test
	void answersThatAreNotGrantedYetAreNotForgotten() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		for (int round = 0; round < 100; round++) {
			send(PROMPT, 20);
			answer(PROMPT, 20);
			grant(12); // for the other eight a moment later
			grant(8);
			assertThat(isUsedUp(HANGS)).as("round %d", round).isTrue();
		}
	}

	@Test
	void aReferenceIsReleasedWhenItsOwnCallsEndOrTheServerGrantsMore() {
		send(HANGS, 75);
		assertThat(takeReleased()).as("nobody was kept back").isFalse();
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 20);
		answer(PROMPT, 20);
		assertThat(takeReleased()).as("others have ended").isFalse();
		grant(20);
		assertThat(takeReleased()).as("what others had is granted again").isFalse();
		answer(HANGS, 1);
		grant(1);
		assertThat(takeReleased()).isTrue();
		assertThat(takeReleased()).as("said once").isFalse();
		send(HANGS, 1);
		assertThat(isUsedUp(HANGS)).isTrue();
		grant(100);
		assertThat(takeReleased()).isTrue();
		send(HANGS, 75);
		assertThat(isUsedUp(HANGS)).isTrue();
	}

	@Test
	void countsAsManyReferencesAsThereAre() {
		for (int reference = 0; reference < WINDOW; reference++) {
			send(reference, 1);
		}
		for (int reference = 0; reference < WINDOW; reference++) {
			assertThat(isUsedUp(reference)).isFalse();
			answer(reference, 1);
			grant(1);
		}
		send(WINDOW - 1, 75);
		assertThat(isUsedUp(WINDOW - 1)).isTrue();
	}

}
