package io.rpcboot.client;

import java.util.Random;

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

	private void sendOneWays(int calls) {
		for (int i = 0; i < calls; i++) {
			this.sent++;
			this.shares.oneWayBegins();
		}
	}

	private void grant(int calls) {
		this.shares.granted(calls, this.granted - this.sent);
		this.granted += calls;
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

	/** Each grant is behind by the answers that were written before it. */
	@Test
	void grantsThatAreBehindTakeNothingFromCallsThatHang() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		Random random = new Random(1);
		int behind = 0;
		for (int round = 0; round < 50_000; round++) {
			int calls = (int) (this.granted - this.sent);
			send(PROMPT, calls);
			answer(PROMPT, calls);
			int before = behind;
			behind = random.nextInt(20);
			grant(calls + before - behind);
			assertThat(isUsedUp(HANGS)).as("round %d", round).isTrue();
		}
	}

	/** Their ends are granted, and are not those of calls that hang. */
	@Test
	void oneWayCallsEndWithoutAnAnswer() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		for (int round = 0; round < 100; round++) {
			sendOneWays(20);
			grant(12);
			grant(8);
			assertThat(isUsedUp(HANGS)).as("round %d", round).isTrue();
		}
	}

	/** What is done is not granted again when more connections share the server. */
	@Test
	void aSmallerAllowanceKeepsNoReferenceBackForEver() {
		becomesSmaller();
		for (int round = 0; round < 100; round++) {
			send(HANGS, 12);
			cancel(HANGS, 12);
			grant(12);
		}
	}

	@Test
	void theSharesOfASmallerAllowanceAreExactAfterAWhile() {
		becomesSmaller();
		for (int round = 0; round < 4096; round++) {
			send(PROMPT, 5);
			answer(PROMPT, 5);
			grant(5);
		}
		for (int round = 0; round < 100; round++) {
			send(HANGS, 15);
			assertThat(isUsedUp(HANGS)).isTrue();
			cancel(HANGS, 15);
			grant(15);
		}
	}

	/** The server allows 20 calls at last. */
	private void becomesSmaller() {
		send(PROMPT, 75);
		answer(PROMPT, 75);
		send(PROMPT, 10);
		answer(PROMPT, 10);
		grant(5);
		assertThat(this.granted - this.sent).isEqualTo(20);
	}

	@Test
	void aTotalBelowTheOneBeforeChangesNothing() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		this.shares.granted(-1000, this.granted - this.sent);
		grant(75);
		assertThat(isUsedUp(HANGS)).isFalse();
		send(HANGS, 75);
	}

	/** As the answer to what a long frame needs does. */
	@Test
	void aGrantOfBytesAloneSaysNothingOfAnswers() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		send(PROMPT, 20);
		answer(PROMPT, 20);
		for (int i = 0; i < 1000; i++) {
			grant(0);
		}
		grant(20);
		assertThat(isUsedUp(HANGS)).isTrue();
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
