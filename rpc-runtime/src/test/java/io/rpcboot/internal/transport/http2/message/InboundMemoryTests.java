package io.rpcboot.internal.transport.http2.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Memory of the requests of connections, which is all free in the end. */
class InboundMemoryTests {

	private static final int SHARE = ReceiveWindow.SHARE;

	private static final int LIMIT = 4_000_000;

	/** Bytes of a long message that arrive before it waits. */
	private static final int BEGINNING = 65_535;

	/** Three quarters of the limit are for requests. */
	private final MemoryBudget budget = new MemoryBudget(LIMIT, 0);

	/** Numbers of requests that are admitted, until the event loop takes them. */
	private final List<Long> admitted = new ArrayList<>();

	private final InboundMemory memory = new InboundMemory(this.budget, this.admitted::add, () -> 0);

	@AfterEach
	void nothingIsReserved() {
		this.memory.close();
		assertThat(used()).isZero();
		assertThat(this.budget.waiting()).isZero();
	}

	private long used() {
		return this.budget.used(Direction.INCOMING);
	}

	/** A message of which a part is reserved at once, and more when its turn comes. */
	private static final class Message implements InboundMemory.Request {

		private final int missing;

		private final InboundMessage message = new InboundMessage(0);

		private int taken;

		private boolean admitted;

		Message(int missing) {
			this.missing = missing;
		}

		@Override
		public int missingMemory() {
			return this.missing;
		}

		@Override
		public void onMemory() {
			this.taken += this.missing;
			this.admitted = true;
		}

		@Override
		public InboundMessage message() {
			return this.message;
		}

		void end(InboundMemory memory) {
			memory.leave(this);
			memory.release(this.taken);
			this.taken = 0;
		}

	}

	private void admit(InboundMemory connection, long number) {
		InboundMemory.Request message = connection.admit(number);
		if (message != null) {
			message.onMemory();
		}
	}

	/** Runs what the event loop has to do. */
	private void admitAll() {
		for (long number : List.copyOf(this.admitted)) {
			admit(this.memory, number);
		}
		this.admitted.clear();
	}

	@Test
	void smallMessages_needNoReservation() {
		assertThat(this.memory.take(SHARE)).isTrue();
		assertThat(used()).isZero();
		assertThat(this.memory.take(1)).isTrue();
		assertThat(used()).isOne();
		this.memory.release(1);
		this.memory.release(SHARE);
		assertThat(used()).isZero();
	}

	@Test
	void reservation_isKeptForNextMessages_whileOthersAreInUse() {
		this.memory.take(SHARE);
		this.memory.take(50_000);
		this.memory.release(50_000);
		assertThat(used()).as("kept").isEqualTo(50_000);
		this.memory.take(50_000);
		assertThat(used()).isEqualTo(50_000);
		this.memory.take(100_000);
		this.memory.release(150_000);
		assertThat(used()).as("too much to keep").isZero();
		this.memory.release(SHARE);
	}

	@Test
	void message_isRejected_withoutMemory() {
		assertThat(this.budget.tryReserveAtOnce(Direction.INCOMING, this.budget.mostOfOne())).isTrue();
		assertThat(this.memory.take(SHARE)).isTrue();
		assertThat(this.memory.take(1)).isFalse();
		this.budget.release(Direction.INCOMING, this.budget.mostOfOne());
		assertThat(this.memory.take(1)).as("nothing was counted").isTrue();
		assertThat(used()).isOne();
		this.memory.release(SHARE + 1);
	}

	@Test
	void longMessages_arriveOneAfterAnother() {
		Message first = new Message(100_000);
		Message second = new Message(200_000);
		this.memory.await(first, BEGINNING);
		this.memory.await(second, BEGINNING);
		assertThat(this.memory.arriving()).isNull();
		admitAll();
		assertThat(this.memory.arriving()).isSameAs(first);
		assertThat(this.memory.owed()).isOne();
		assertThat(used()).isEqualTo(100_000);
		this.memory.leave(first);
		admitAll();
		assertThat(this.memory.arriving()).as("the first is complete and in use").isSameAs(second);
		assertThat(this.memory.owed()).isEqualTo(2);
		assertThat(used()).isEqualTo(300_000);
		first.end(this.memory);
		second.end(this.memory);
		assertThat(this.memory.arriving()).isNull();
		assertThat(this.memory.owed()).isZero();
		assertThat(used()).isZero();
	}

	@Test
	void longMessage_waitsForItsTurn() {
		this.budget.tryReserveAtOnce(Direction.INCOMING, this.budget.mostOfOne());
		Message message = new Message(100_000);
		this.memory.await(message, BEGINNING);
		assertThat(this.admitted).isEmpty();
		assertThat(this.memory.isWanted()).isTrue();
		this.budget.release(Direction.INCOMING, this.budget.mostOfOne());
		assertThat(this.admitted).hasSize(1);
		admitAll();
		assertThat(message.taken).isEqualTo(100_000);
		message.end(this.memory);
	}

	@Test
	void admissionOfMessageThatHasLeft_isIgnored() {
		Message left = new Message(100_000);
		this.memory.await(left, BEGINNING);
		left.end(this.memory);
		assertThat(used()).isZero();
		Message next = new Message(50_000);
		this.memory.await(next, BEGINNING);
		admit(this.memory, this.admitted.get(0));
		assertThat(left.taken).isZero();
		assertThat(this.memory.arriving()).as("its own admission comes next").isNull();
		admit(this.memory, this.admitted.get(1));
		assertThat(this.memory.arriving()).isSameAs(next);
		admit(this.memory, this.admitted.get(1));
		assertThat(next.taken).as("admitted once").isEqualTo(50_000);
		next.end(this.memory);
		assertThat(used()).isZero();
	}

	@Test
	void messageInMiddleOfLine_leavesWithoutReservation() {
		List<Message> line = List.of(new Message(10_000), new Message(20_000), new Message(30_000));
		line.forEach((each) -> this.memory.await(each, BEGINNING));
		line.get(1).end(this.memory);
		admitAll();
		assertThat(this.memory.arriving()).isSameAs(line.get(0));
		line.get(0).end(this.memory);
		admitAll();
		assertThat(this.memory.arriving()).isSameAs(line.get(2));
		assertThat(used()).isEqualTo(30_000);
		line.get(2).end(this.memory);
	}

	@Test
	void admission_isIgnored_afterClose() {
		Message message = new Message(100_000);
		this.memory.await(message, BEGINNING);
		this.memory.close();
		assertThat(used()).isZero();
		admitAll();
		assertThat(message.taken).isZero();
		message.end(this.memory);
		assertThat(this.memory.await(new Message(1), BEGINNING)).isFalse();
		assertThat(this.admitted).isEmpty();
		assertThat(used()).isZero();
	}

	@Test
	void releaseAfterClose_changesNothing() {
		this.memory.take(100_000);
		this.memory.close();
		assertThat(used()).isZero();
		this.memory.release(100_000);
		this.memory.close();
		assertThat(used()).isZero();
	}

	/** More messages than memory has room for begin, again and again. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 100, 70_000, 200_000, 1_000_000, 1_500_000 })
	void longMessages_doNotWaitForOneAnother(int missing) {
		List<Peer> peers = List.of(new Peer(), new Peer(), new Peer(), new Peer());
		for (int round = 0; round < 100; round++) {
			for (int i = 0; i < 20; i++) {
				peers.forEach((each) -> each.begin(BEGINNING, missing));
			}
			assertThat(peers).anyMatch(Peer::waits);
			peers.forEach(Peer::endFirst);
		}
		for (int round = 0; round < 100; round++) {
			peers.forEach(Peer::endFirst);
		}
		assertThat(peers).as("messages that wait for ever").noneMatch(Peer::waits);
		peers.forEach((each) -> each.end(false));
		assertThat(used()).isZero();
	}

	/** Messages of several connections by chance: no order of events loses memory. */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 })
	void budget_isFree_afterRandomSchedules(long seed) {
		Random random = new Random(seed);
		List<Peer> peers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			peers.add(new Peer());
		}
		for (int step = 0; step < 20_000; step++) {
			peers.get(random.nextInt(peers.size())).step(random);
		}
		for (int round = 0; round < 1000 && peers.stream().anyMatch(Peer::waits); round++) {
			peers.forEach(Peer::endFirst);
		}
		assertThat(peers).as("seed %d: messages that wait for ever", seed).noneMatch(Peer::waits);
		boolean closes = random.nextBoolean();
		peers.forEach((each) -> each.end(closes));
		assertThat(used()).as("seed %d", seed).isZero();
		assertThat(this.budget.waiting()).isZero();
		peers.forEach((each) -> each.end(true));
		assertThat(used()).as("seed %d, after the close", seed).isZero();
	}

	/** Connection with messages, whose admissions are late. */
	private final class Peer {

		private final List<Long> late = new ArrayList<>();

		private InboundMemory memory = new InboundMemory(InboundMemoryTests.this.budget, this.late::add, () -> 0);

		private final List<Message> messages = new ArrayList<>();

		void step(Random random) {
			switch (random.nextInt(6)) {
				case 0, 1 -> begin(random.nextInt(BEGINNING), random.nextInt(500_000));
				case 2 -> begin(random.nextInt(60_000), 0);
				case 3, 4 -> {
					if (!this.messages.isEmpty()) {
						this.messages.remove(random.nextInt(this.messages.size())).end(this.memory);
					}
				}
				default -> runLate();
			}
			if (random.nextInt(2000) == 0) {
				reopen();
			}
		}

		private void begin(int atOnce, int missing) {
			Message message = new Message(missing);
			if (this.messages.size() < 20 && this.memory.take(atOnce)) {
				message.taken = atOnce;
				if (missing == 0 || this.memory.await(message, atOnce)) {
					this.messages.add(message);
				}
				else {
					message.end(this.memory);
				}
			}
		}

		private void runLate() {
			if (!this.late.isEmpty()) {
				admit(this.memory, this.late.remove(0));
			}
		}

		private void reopen() {
			end(true);
			this.late.clear();
			this.memory = new InboundMemory(InboundMemoryTests.this.budget, this.late::add, () -> 0);
		}

		boolean waits() {
			return this.messages.stream().anyMatch((each) -> each.missing > 0 && !each.admitted);
		}

		void endFirst() {
			runLate();
			InboundMemory.Request arriving = this.memory.arriving();
			this.messages.removeIf((each) -> {
				boolean ends = each == arriving || each.missing == 0;
				if (ends) {
					each.end(this.memory);
				}
				return ends;
			});
		}

		void end(boolean closes) {
			if (closes) {
				this.memory.close();
			}
			this.messages.forEach((each) -> each.end(this.memory));
			this.messages.clear();
		}

	}

	/** A frame that is incomplete is memory, beyond the share of a connection. */
	@Test
	void holds_countsTheFrame_untilItIsComplete() {
		assertThat(this.memory.holds(SHARE + 1000, 0, false)).isTrue();
		assertThat(used()).isEqualTo(1000);
		assertThat(this.memory.holds(SHARE + 9000, 0, false)).isTrue();
		assertThat(used()).isEqualTo(9000);
		assertThat(this.memory.holds(0, 1, false)).isTrue();
		assertThat(used()).isZero();
	}

	/** A peer that was never served may not take what is left for others. */
	@Test
	void holds_isFalse_withoutMemoryAndPool() {
		this.budget.overdraw(Direction.INCOMING, LIMIT);
		assertThat(this.memory.holds(SHARE + 1, 0, false)).isTrue();
		assertThat(this.memory.holds(LIMIT / 16, 0, false)).isTrue();
		assertThat(this.memory.holds(LIMIT / 16 + SHARE + 1, 0, false)).isFalse();
		assertThat(used()).as("the pool is beside the limit").isEqualTo(LIMIT);
		assertThat(this.memory.holds(0, 1, false)).isTrue();
		assertThat(this.memory.holds(LIMIT / 16, 1, false)).as("it was given back").isTrue();
		this.budget.release(Direction.INCOMING, LIMIT);
	}

	/** The pool is that of all connections, and a closed one gives its part back. */
	@Test
	void pool_isThatOfAllConnections() {
		InboundMemory other = new InboundMemory(this.budget, (number) -> {
		}, () -> 0);
		this.budget.overdraw(Direction.INCOMING, LIMIT);
		assertThat(other.holds(LIMIT / 16, 0, false)).isTrue();
		assertThat(this.memory.holds(SHARE + 1, 0, false)).isFalse();
		other.close();
		assertThat(this.memory.holds(SHARE + 1, 0, false)).isTrue();
		this.budget.release(Direction.INCOMING, LIMIT);
	}

	/** An honest peer is not ended because others take the memory, up to a bound. */
	@Test
	void holds_overdraws_upToAnEighthOfTheLimit() {
		this.budget.overdraw(Direction.INCOMING, LIMIT);
		assertThat(this.budget.tryTakeFrame(LIMIT / 16)).isTrue();
		assertThat(this.memory.holds(SHARE + LIMIT / 8 + 1, 0, true)).isTrue();
		assertThat(this.memory.holds(SHARE + LIMIT / 8 + 2, 0, true)).isFalse();
		assertThat(used()).isEqualTo(LIMIT + LIMIT / 8 + 1);
		this.budget.release(Direction.INCOMING, LIMIT);
	}

	/** A frame that stays is found by the least rate, and frames that follow are not. */
	@Test
	void smallBody_isTheFrame_asLongAsItIsTheSame() {
		assertThat(this.memory.smallBody()).isZero();
		this.memory.holds(10, 0, false);
		long first = this.memory.smallBody();
		this.memory.holds(20, 0, false);
		assertThat(this.memory.smallBody()).isEqualTo(first).isPositive();
		this.memory.holds(20, 1, false);
		assertThat(this.memory.smallBody()).isNotEqualTo(first).isPositive();
		this.memory.holds(0, 2, false);
		assertThat(this.memory.smallBody()).isZero();
	}

	/** Frames that come and go do not hide a message that stays. */
	@Test
	void smallBody_isTheMessage_whileFramesComeAndGo() {
		Message message = new Message(0);
		this.memory.holds(10, 0, false);
		this.memory.arrives(message);
		this.memory.holds(10, 1, false);
		long held = this.memory.smallBody();
		this.memory.holds(10, 2, false);
		assertThat(this.memory.smallBody()).isEqualTo(held).isPositive();
		message.end(this.memory);
		assertThat(this.memory.smallBody()).isNotEqualTo(held).isPositive();
	}

}
