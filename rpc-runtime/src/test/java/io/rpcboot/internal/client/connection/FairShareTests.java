package io.rpcboot.internal.client.connection;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Two references that share a connection to a server that grants it 100 calls. */
class FairShareTests {

	private static final int HANGS = 0;

	private static final int PROMPT = 1;

	private static final int WINDOW = 100;

	private final FairShare shares = new FairShare();

	/** What the server allows now. */
	private int promise = WINDOW;

	private long granted = WINDOW;

	/** Calls that have ended at the server. */
	private long released;

	private long sent;

	private long free() {
		return this.granted - this.sent;
	}

	private boolean isUsedUp(int reference) {
		return this.shares.isUsedUp(reference, free());
	}

	private boolean takeReleased() {
		return this.shares.takeReleased(free());
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
		this.released += calls;
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

	/** Calls end at the server that are not answered. */
	private void endUnheard(int calls) {
		this.released += calls;
	}

	/** The server grants what it may, and says so. */
	private void grant() {
		this.granted = Math.max(this.granted, this.released + this.promise);
		told((int) (this.granted - this.released));
	}

	private void told(int allowed) {
		this.shares.allowed(allowed, free());
	}

	@Test
	void reference_isLimitedToThreeQuartersOfGrant() {
		send(HANGS, 75);
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 25);
		assertThat(this.granted).isEqualTo(this.sent);
	}

	@Test
	void cancelledCalls_countInShare_untilServerReportsTheirEnd() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 20);
		answer(PROMPT, 20);
		grant();
		assertThat(isUsedUp(HANGS)).as("others were answered").isTrue();
		endUnheard(10);
		grant();
		send(HANGS, 10);
		assertThat(isUsedUp(HANGS)).isTrue();
	}

	/** Else calls that hang would have more and more of the grant. */
	@Test
	void ungrantedReplies_areNotCountedAsEndsOfOtherCalls() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		for (int round = 0; round < 100; round++) {
			send(PROMPT, 20);
			answer(PROMPT, 12);
			int allowed = (int) (this.granted - this.released);
			answer(PROMPT, 8); // written before what was made a moment earlier
			told(allowed);
			assertThat(isUsedUp(HANGS)).as("round %d", round).isTrue();
			grant();
			assertThat(isUsedUp(HANGS)).as("round %d", round).isTrue();
		}
	}

	/** Their ends are granted, and are not those of calls that hang. */
	@Test
	void endsOfOneWayCalls_releaseNoShareOfHangingCalls() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		for (int round = 0; round < 100; round++) {
			sendOneWays(20);
			endUnheard(12);
			grant();
			endUnheard(8);
			grant();
			assertThat(isUsedUp(HANGS)).as("round %d", round).isTrue();
		}
	}

	/** What is done is not granted again when more connections share the server. */
	@Test
	void cancelledCalls_releaseShare_whenServerReducesGrant() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		becomesSmaller();
		endUnheard(75);
		grant();
		assertThat(this.granted).as("no more than before").isEqualTo(WINDOW);
		send(HANGS, 18);
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 7);
	}

	@Test
	void shares_areExact_afterAllowanceShrinks() {
		send(PROMPT, 75);
		becomesSmaller();
		answer(PROMPT, 75);
		send(PROMPT, 10);
		answer(PROMPT, 10);
		grant();
		assertThat(free()).isEqualTo(20);
		for (int round = 0; round < 100; round++) {
			send(HANGS, 15);
			assertThat(isUsedUp(HANGS)).isTrue();
			cancel(HANGS, 15);
			endUnheard(15);
			grant();
		}
	}

	/** The server allows 20 calls from now on. */
	private void becomesSmaller() {
		this.promise = 20;
	}

	@Test
	void cancelledCalls_areNotCounted_whenWindowExceedsWireMaximum() {
		send(HANGS, 75);
		cancel(HANGS, 75);
		told(Integer.MAX_VALUE - 1);
		assertThat(isUsedUp(HANGS)).isTrue();
		told(Integer.MAX_VALUE);
		assertThat(isUsedUp(HANGS)).isFalse();
	}

	@Test
	void reference_isReleased_whenItsCallsEndOrGrantGrows() {
		send(HANGS, 75);
		assertThat(takeReleased()).as("nobody was kept back").isFalse();
		assertThat(isUsedUp(HANGS)).isTrue();
		send(PROMPT, 20);
		answer(PROMPT, 20);
		assertThat(takeReleased()).as("others have ended").isFalse();
		grant();
		assertThat(takeReleased()).as("what others had is granted again").isFalse();
		answer(HANGS, 1);
		grant();
		assertThat(takeReleased()).isTrue();
		assertThat(takeReleased()).as("said once").isFalse();
		send(HANGS, 1);
		assertThat(isUsedUp(HANGS)).isTrue();
		this.promise = 2 * WINDOW;
		grant();
		assertThat(takeReleased()).isTrue();
		send(HANGS, 75);
		assertThat(isUsedUp(HANGS)).isTrue();
	}

	@Test
	void references_areCountedUpToWindowSize() {
		for (int reference = 0; reference < WINDOW; reference++) {
			send(reference, 1);
		}
		for (int reference = 0; reference < WINDOW; reference++) {
			assertThat(isUsedUp(reference)).isFalse();
			answer(reference, 1);
			grant();
		}
		send(WINDOW - 1, 75);
		assertThat(isUsedUp(WINDOW - 1)).isTrue();
	}

}
