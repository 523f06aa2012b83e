package io.rpcboot.internal.transport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.rpcboot.internal.memory.IncomingGrant;

import static org.assertj.core.api.Assertions.assertThat;

/** What a sender says to get the bytes that it needs, and to give them back. */
class OutgoingGrantTests {

	private static final int SHARE = IncomingGrant.SHARE;

	private final GrantedQueue side = new GrantedQueue();

	@AfterEach
	void close() {
		this.side.close();
	}

	@Test
	void frameWithinTheGrantGoes() {
		this.side.window(100);
		this.side.enqueue(60);
		this.side.enqueue(40);
		this.side.enqueue(0);
		assertThat(this.side.said()).containsExactly("1", "2", "3");
		assertThat(this.side.grant.sent()).isEqualTo(100);
	}

	@Test
	void frameOfNoBytesGoesWithoutAGrant() {
		this.side.enqueue(0);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void firstThatDoesNotFitAsksOnceAndTheOthersWaitBehindIt() {
		this.side.window(100);
		this.side.enqueue(50);
		this.side.enqueue(51);
		this.side.enqueue(10);
		this.side.enqueue(0);
		assertThat(this.side.said()).containsExactly("1", "NEED 101");
		this.side.queue.resume();
		assertThat(this.side.said()).as("it has asked").isEmpty();
		this.side.window(101);
		assertThat(this.side.said()).as("the third asks when it is the first").containsExactly("2", "NEED 111");
		this.side.window(111);
		assertThat(this.side.said()).containsExactly("3", "4");
	}

	@Test
	void laterFrameDoesNotOvertakeThoughItFits() {
		this.side.window(100);
		this.side.enqueue(200);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.enqueue(1);
		assertThat(this.side.said()).isEmpty();
		this.side.window(199);
		assertThat(this.side.said()).as("not yet enough").isEmpty();
		this.side.window(1000);
		assertThat(this.side.said()).containsExactly("1", "2");
	}

	@Test
	void grantNeverFalls() {
		this.side.window(100);
		this.side.window(10);
		assertThat(this.side.grant.granted()).isEqualTo(100);
		this.side.enqueue(100);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void frameThatIsGoneLetsTheOthersPass() {
		this.side.window(100);
		TestFrame large = this.side.enqueue(200);
		this.side.enqueue(100);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.giveUp(large);
		this.side.queue.resume();
		assertThat(this.side.said()).containsExactly("2");
		assertThat(large.skipped).hasValue(1);
	}

	@Test
	void whatIsGrantedToAFrameThatIsGoneIsGivenBack() {
		this.side.window(100);
		TestFrame large = this.side.enqueue(200);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.giveUp(large);
		assertThat(this.side.said()).as("not granted yet").isEmpty();
		this.side.window(150);
		assertThat(this.side.said()).as("nor now").isEmpty();
		this.side.window(200);
		assertThat(this.side.said()).containsExactly("YIELD 200");
		assertThat(this.side.grant.sent()).isEqualTo(200);
		this.side.window(200);
		assertThat(this.side.said()).as("once").isEmpty();
	}

	@Test
	void whatIsGrantedBeforeTheFrameIsGoneIsGivenBack() {
		TestFrame large = this.side.enqueue(200);
		assertThat(this.side.said()).containsExactly("NEED 200");
		large.abandoned = true;
		this.side.window(200);
		assertThat(this.side.said()).containsExactly("YIELD 200");
	}

	@Test
	void anotherUsesWhatWasGrantedToAFrameThatIsGone() {
		TestFrame large = this.side.enqueue(200);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.giveUp(large);
		this.side.enqueue(200);
		assertThat(this.side.said()).as("it was asked for already").isEmpty();
		this.side.window(200);
		assertThat(this.side.said()).containsExactly("2");
	}

	@Test
	void restOfWhatWasGrantedIsGivenBackWhenTheOthersHaveGone() {
		TestFrame large = this.side.enqueue(200);
		this.side.enqueue(30);
		assertThat(this.side.said()).containsExactly("NEED 200");
		large.abandoned = true;
		this.side.window(200);
		assertThat(this.side.said()).containsExactly("2", "YIELD 200");
		assertThat(this.side.grant.sent()).isEqualTo(200);
	}

	@Test
	void frameThatNeedsMoreThanTheOneThatIsGoneAsksForMore() {
		TestFrame large = this.side.enqueue(200);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.giveUp(large);
		this.side.enqueue(300);
		assertThat(this.side.said()).containsExactly("NEED 300");
		this.side.window(200);
		assertThat(this.side.said()).as("it may still use it").isEmpty();
		this.side.window(300);
		assertThat(this.side.said()).containsExactly("2");
		assertThat(this.side.grant.sent()).isEqualTo(300);
	}

	@Test
	void nothingIsGivenBackThatWasNotAskedFor() {
		this.side.window(1000);
		TestFrame frame = this.side.enqueue(100);
		frame.abandoned = true;
		assertThat(this.side.said()).isEmpty();
		assertThat(this.side.grant.sent()).isZero();
	}

	@Test
	void unusedGrantIsGivenBackButForTheShare() {
		this.side.window(100_000);
		this.side.enqueue(10);
		assertThat(this.side.said()).containsExactly("1");
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).as("it was used since the last look").isEmpty();
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).containsExactly("YIELD " + (100_000 - SHARE));
		this.side.grant.yieldUnused();
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).as("once").isEmpty();
		this.side.enqueue(SHARE);
		assertThat(this.side.said()).as("the share is there").containsExactly("2");
		this.side.enqueue(1);
		assertThat(this.side.said()).containsExactly("NEED 100001");
	}

	@Test
	void theShareIsKept() {
		this.side.window(SHARE);
		this.side.grant.yieldUnused();
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).isEmpty();
		this.side.window(SHARE + 1);
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).containsExactly("YIELD 1");
	}

	@Test
	void nothingIsUnusedWhileAFrameWaits() {
		this.side.window(10_000);
		this.side.enqueue(20_000);
		assertThat(this.side.said()).containsExactly("NEED 20000");
		for (int i = 0; i < 3; i++) {
			this.side.grant.yieldUnused();
		}
		assertThat(this.side.said()).isEmpty();
		this.side.window(20_000);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void whetherOthersWaitForAFrameCanBeAsked() {
		TestFrame first = this.side.enqueue(10);
		TestFrame second = this.side.enqueue(10);
		this.side.said();
		assertThat(this.side.grant.isFirst(first)).isTrue();
		assertThat(this.side.grant.isFirst(second)).isFalse();
		this.side.window(10);
		this.side.said();
		assertThat(this.side.grant.isFirst(first)).isFalse();
		assertThat(this.side.grant.isFirst(second)).isTrue();
	}

	@Test
	void frameThatIsGoneButNotTheFirstChangesNothing() {
		this.side.enqueue(100);
		TestFrame second = this.side.enqueue(10);
		assertThat(this.side.said()).containsExactly("NEED 100");
		this.side.giveUp(second);
		assertThat(this.side.said()).isEmpty();
		this.side.window(100);
		assertThat(this.side.said()).containsExactly("1");
	}

}
