package io.rpcboot.internal.transport.binary;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.fixture.FlowControlledQueue;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.fixture.Wire;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Senders and their reader together, by chance: frames of any size, some of which are
 * given up while they wait, an account that is too small for all of them, and WINDOWs
 * that are late. The reader never sees a frame, a NEED or a YIELD that it has to refuse,
 * every frame that is wanted arrives, the short ones and the long ones each in their
 * order, and nothing stays reserved.
 */
@Timeout(60)
class SendWindowModelTests {

	private static final int MAX_FRAME = 20_000;

	private static final int SHARE = ReceiveWindow.SHARE;

	private static final int STEPS = 3000;

	/** Of what may come in, half is granted ahead, and that leaves room for a frame. */
	private final MemoryBudget account = new MemoryBudget(3 * MAX_FRAME, 0);

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 })
	void wantedFrames_arrive_underRandomSchedules(long seed) {
		Random random = new Random(seed);
		List<Link> links = new ArrayList<>();
		for (int i = 0; i < 1 + random.nextInt(4); i++) {
			links.add(new Link(seed));
		}
		for (int step = 0; step < STEPS; step++) {
			links.get(random.nextInt(links.size())).step(random);
		}
		for (int round = 0; round < 10_000 && links.stream().anyMatch(Link::isUnderWay); round++) {
			links.forEach(Link::goOn);
		}
		for (Link link : links) {
			assertThat(link.waiting).as("seed %d: frames that wait for ever", seed).hasSize(0);
			link.close();
		}
		assertThat(this.account.used(Direction.INCOMING)).as("seed %d", seed).isZero();
	}

	private record Window(long total, boolean answersNeed) {
	}

	/** A connection: its sender, its reader, and what is on the way. */
	private final class Link {

		private final long seed;

		private final FlowControlledQueue sender = new FlowControlledQueue();

		private final Deque<TestFrame> waiting = new ArrayDeque<>();

		private final Deque<Window> windows = new ArrayDeque<>();

		private final Deque<Integer> unreleased = new ArrayDeque<>();

		private int toAdmit;

		private final ReceiveWindow reader = new ReceiveWindow(SendWindowModelTests.this.account, 8 * MAX_FRAME,
				() -> this.toAdmit++);

		Link(long seed) {
			this.seed = seed;
			this.reader.open();
			announce(false);
		}

		void step(Random random) {
			switch (random.nextInt(8)) {
				case 0, 1, 2 -> this.waiting.add(this.sender.enqueue(size(random)));
				case 3 -> giveUpOne(random);
				case 4 -> hearWindow();
				case 5 -> release();
				case 6 -> {
					if (random.nextInt(10) == 0) {
						this.sender.grant.yieldUnused();
						this.sender.grant.yieldUnused();
					}
				}
				default -> admit();
			}
			read();
		}

		private int size(Random random) {
			return random.nextInt(new int[] { MAX_FRAME + 1, SHARE + 1, 500, 500 }[random.nextInt(4)]);
		}

		/** At most one of those that wait, wherever it stands. */
		private void giveUpOne(Random random) {
			if (this.waiting.isEmpty()) {
				return;
			}
			TestFrame frame = List.copyOf(this.waiting).get(random.nextInt(this.waiting.size()));
			this.waiting.remove(frame);
			if (random.nextBoolean()) {
				this.sender.giveUp(frame);
			}
			else {
				frame.abandoned = true;
			}
			this.sender.grant.blocked.resume();
		}

		/** What the sender has said arrives. */
		private void read() {
			for (Wire.Frame frame : this.sender.sent()) {
				switch (frame.type()) {
					case FrameType.NEED -> {
						assertThat(frame.callId()).as("seed %d: NEED", this.seed).isBetween(1L, (long) MAX_FRAME);
						assertThat(frame.callId() > SHARE && this.reader.hasAsked())
							.as("seed %d: asks twice", this.seed)
							.isFalse();
						announce(this.reader.need((int) frame.callId()));
					}
					case FrameType.YIELD -> {
						assertThat(this.reader.yield(frame.callId())).as("seed %d: YIELD", this.seed).isTrue();
						announce(false);
					}
					default -> onFrame(frame);
				}
			}
		}

		private void onFrame(Wire.Frame frame) {
			int size = frame.body().size();
			TestFrame next = this.waiting.stream()
				.filter((each) -> isLong(each) == size > SHARE)
				.findFirst()
				.orElseThrow();
			assertThat(next.id()).as("seed %d: order", this.seed).isEqualTo(frame.callId());
			this.waiting.remove(next);
			assertThat(this.reader.takes(size)).as("seed %d: a frame beyond the grant", this.seed).isTrue();
			this.unreleased.add(size);
		}

		private static boolean isLong(TestFrame frame) {
			return frame.length > SHARE;
		}

		private void release() {
			Integer size = this.unreleased.poll();
			if (size != null && this.reader.release(size)) {
				this.reader.raise();
				announce(false);
			}
		}

		private void admit() {
			while (this.toAdmit > 0) {
				this.toAdmit--;
				if (this.reader.admit()) {
					announce(true);
				}
			}
		}

		private void announce(boolean answersNeed) {
			this.windows.add(new Window(this.reader.granted(), answersNeed));
		}

		private void hearWindow() {
			Window window = this.windows.poll();
			if (window != null) {
				this.sender.window(window.total(), window.answersNeed());
			}
		}

		boolean isUnderWay() {
			return !this.waiting.isEmpty() || !this.unreleased.isEmpty() || !this.windows.isEmpty();
		}

		/** As time passes, so does what keep-alive does. */
		void goOn() {
			this.sender.grant.yieldUnused();
			hearWindow();
			read();
			release();
			admit();
		}

		void close() {
			this.reader.close();
			this.sender.close();
		}

	}

}
