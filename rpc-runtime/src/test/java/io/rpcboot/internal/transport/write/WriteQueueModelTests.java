package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.rpcboot.engine.fixture.Load;
import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hundreds of short lives of a connection, made up by chance: frames of every kind and
 * size, enqueued or written at once, a peer that stops reading and begins again, grants,
 * cancelled frames, and every way to end at any moment. Whatever happens, each frame that
 * was taken ends once, each one that was to be written learns once whether it was, and
 * every buffer is released. Held frames that were abandoned may go without a word.
 */
@Tag("rounds")
@Tag("races")
class WriteQueueModelTests {

	private static final int LIVES = Load.LONG ? 400 : 100;

	private static final int STEPS = 60;

	private static final int[] SIZES = { 0, 1, 100, 5000, OutboundFrame.LARGE_BODY + 1, 40_000 };

	@ParameterizedTest
	@EnumSource
	void frames_endOnce_underRandomSchedules(Mode mode) {
		for (int seed = 0; seed < LIVES; seed++) {
			new Life(mode, seed).live();
		}
	}

	/** The ways in which a connection ends. */
	private enum End {

		QUEUE, CHANNEL, CHANNEL_OF_ANOTHER_THREAD, LOOP, PEER

	}

	private static final class Life {

		private final Random random;

		private final String name;

		private final HandDrivenChannel channel;

		private final List<TestFrame> taken = new ArrayList<>();

		private final List<TestFrame> refused = new ArrayList<>();

		private final Set<Long> plain = new HashSet<>();

		private long granted;

		private boolean ended;

		Life(Mode mode, int seed) {
			this.random = new Random(seed);
			this.name = mode + " with seed " + seed;
			this.channel = new HandDrivenChannel(BatchingOptions.defaults()
				.withMode(mode)
				.withMaxMessages(1 + this.random.nextInt(20))
				.withMaxBytes(1024 << this.random.nextInt(8)));
		}

		void live() {
			int end = this.random.nextInt(STEPS);
			for (int i = 0; i < STEPS; i++) {
				if (i == end) {
					end();
				}
				step(i);
			}
			this.channel.queue.end();
			this.channel.close();
			this.channel.loop.runToTheEnd();
			judge();
		}

		private void step(int number) {
			switch (this.random.nextInt(12)) {
				case 0, 1, 2, 3, 4, 5 -> enqueue(number);
				case 6, 7 -> this.channel.loop.runTasks();
				case 8 -> this.channel.peerStopsReading();
				case 9 -> this.channel.peerReadsAgain();
				case 10 -> {
					this.granted = number;
					this.channel.queue.blocked.resume();
				}
				default -> cancelOne();
			}
		}

		private void enqueue(int number) {
			int burst = 1 + this.random.nextInt(6);
			for (int i = 0; i < burst; i++) {
				TestFrame frame = frame(number * 100L + i);
				if (this.random.nextInt(3) == 0 && this.channel.queue.writeNow(frame, frame.body)) {
					this.taken.add(frame);
				}
				else {
					enqueue(frame);
				}
			}
		}

		private void enqueue(TestFrame frame) {
			(this.channel.queue.enqueue(frame) ? this.taken : this.refused).add(frame);
		}

		private TestFrame frame(long id) {
			TestFrame frame = new TestFrame(id, SIZES[this.random.nextInt(SIZES.length)]);
			frame.admitted((writable) -> frame.abandoned ? WriteDecision.SKIP
					: writable ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET);
			switch (this.random.nextInt(8)) {
				case 0 -> frame.admitted((writable) -> WriteDecision.SKIP);
				case 1 -> frame.admitted(
						(writable) -> frame.abandoned ? WriteDecision.SKIP : (writable && this.granted * 100L >= id)
								? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET);
				case 2 -> frame.onEnd = () -> enqueue(new TestFrame(id + 50, 1));
				case 3 -> frame.onEnd = () -> this.channel.queue.blocked.resume();
				default -> this.plain.add(id);
			}
			return frame;
		}

		private void cancelOne() {
			if (!this.taken.isEmpty()) {
				this.taken.get(this.random.nextInt(this.taken.size())).abandoned = true;
			}
		}

		private void end() {
			this.ended = true;
			switch (End.values()[this.random.nextInt(End.values().length)]) {
				case QUEUE -> this.channel.queue.end();
				case CHANNEL -> this.channel.close();
				case CHANNEL_OF_ANOTHER_THREAD -> this.channel.loop.execute(this.channel::close);
				case LOOP -> {
					this.channel.close();
					this.channel.loop.end();
				}
				case PEER -> this.channel.peerResets();
			}
		}

		private void judge() {
			assertThat(this.ended).isTrue();
			assertThat(this.taken.stream().filter((frame) -> !isRight(frame)).map(Life::describe)).as(this.name)
				.isEmpty();
			assertThat(this.refused).as(this.name).allMatch((frame) -> frame.ends() == 0);
			List<Long> succeeded = this.taken.stream()
				.filter((frame) -> frame.succeeded.get() == 1)
				.map(TestFrame::id)
				.toList();
			assertThat(this.channel.sent).as("%s: what the peer got", this.name).doesNotHaveDuplicates();
			assertThat(this.channel.sent).as("%s: what the peer got", this.name).containsAll(succeeded);
			assertThat(this.channel.sent.stream().filter(this.plain::contains)).as("%s: order", this.name).isSorted();
			assertThat(this.channel.usedMemory()).as("%s: bytes leaked", this.name).isZero();
		}

		private static boolean isRight(TestFrame frame) {
			return (frame.ends() == 1 || (frame.ends() == 0 && frame.abandoned))
					&& frame.succeeded.get() + frame.failed.get() == frame.written.get();
		}

		private static String describe(TestFrame frame) {
			return "frame %d: written %s, skipped %s, rejected %s, succeeded %s, failed %s".formatted(frame.id(),
					frame.written, frame.skipped, frame.rejected, frame.succeeded, frame.failed);
		}

	}

}
