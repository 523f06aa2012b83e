package io.rpcboot.internal.transport.write;

import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.HandDrivenLoop;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Producers against the event loop of one connection: whatever the race, a frame that was
 * taken ends once, those that are written keep the order of their producer, and no buffer
 * is left. Producers and loop are one actor each; what the loop has not run when both are
 * done, the arbiter runs.
 */
public class WriteQueueStress {

	/** What all races share. */
	abstract static class Race {

		final HandDrivenChannel channel;

		/** Whether every frame has to arrive. */
		private final boolean ends;

		private final Producer first = new Producer(100);

		private final Producer second = new Producer(200);

		volatile boolean granted = true;

		Race(Mode mode, boolean ends) {
			this.channel = new HandDrivenChannel(
					BatchingOptions.defaults().withMode(mode).withMaxMessages(2).withMaxBytes(1024));
			this.ends = ends;
		}

		void produceFirst() {
			this.first.run();
		}

		void produceSecond() {
			this.second.run();
		}

		/** On the loop. */
		void writeSecondNow() {
			this.second.writeNow();
		}

		final HandDrivenLoop loop() {
			this.channel.loop.adopt();
			return this.channel.loop;
		}

		final void judge(L_Result result) {
			loop().runToTheEnd();
			if (this.ends) {
				this.channel.queue.end();
				loop().runToTheEnd();
			}
			result.r1 = verdict();
			this.channel.close();
			loop().runToTheEnd();
			if (this.channel.usedMemory() != 0) {
				result.r1 = result.r1 + ", " + this.channel.usedMemory() + " bytes leaked";
			}
		}

		private String verdict() {
			List<Long> sent = this.channel.sent;
			if (!this.ends && sent.size() != 6) {
				return "only written: " + sent;
			}
			for (Producer producer : List.of(this.first, this.second)) {
				String fault = producer.fault(sent);
				if (fault != null) {
					return fault;
				}
			}
			return "right";
		}

		/** Three frames in their order; the second waits for a grant. */
		private final class Producer {

			private final TestFrame[] frames = new TestFrame[3];

			private final boolean[] taken = new boolean[3];

			Producer(long firstId) {
				for (int i = 0; i < this.frames.length; i++) {
					this.frames[i] = new TestFrame(firstId + i, 1);
				}
				this.frames[1]
					.admitted((writable) -> Race.this.granted ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET);
			}

			void run() {
				for (int i = 0; i < this.frames.length; i++) {
					this.taken[i] = Race.this.channel.queue.enqueue(this.frames[i]);
				}
			}

			void writeNow() {
				WriteQueue queue = Race.this.channel.queue;
				for (int i = 0; i < this.frames.length; i++) {
					TestFrame frame = this.frames[i];
					this.taken[i] = queue.writeNow(frame, frame.body) || queue.enqueue(frame);
				}
			}

			String fault(List<Long> sent) {
				for (int i = 0; i < this.frames.length; i++) {
					TestFrame frame = this.frames[i];
					long count = sent.stream().filter((id) -> id == frame.id()).count();
					boolean right = frame.ends() == (this.taken[i] ? 1 : 0) && frame.succeeded.get() == count
							&& frame.succeeded.get() + frame.failed.get() == frame.written.get();
					if (!right) {
						return "frame %d: taken %b, ends %d, written %d, succeeded %d, failed %d, sent %d".formatted(
								frame.id(), this.taken[i], frame.ends(), frame.written.get(), frame.succeeded.get(),
								frame.failed.get(), count);
					}
				}
				long[] order = sent.stream().mapToLong(Long::longValue).filter(this::isUnheld).toArray();
				return (order.length == 2 && order[0] > order[1]) ? "order: " + sent : null;
			}

			private boolean isUnheld(long id) {
				return Stream.of(this.frames[0], this.frames[2]).anyMatch((frame) -> frame.id() == id);
			}

		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame written once, in order")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame or a wake-up was lost")
	@State
	public static class EnqueueAgainstDrain extends Race {

		public EnqueueAgainstDrain() {
			super(Mode.AUTO, false);
		}

		@Actor
		public void producer() {
			produceFirst();
			produceSecond();
		}

		@Actor
		public void drain() {
			loop().runTasks();
			loop().runTasks();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame written once, in order")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame or a wake-up was lost")
	@State
	public static class EnqueueAgainstWriteNow extends Race {

		public EnqueueAgainstWriteNow() {
			super(Mode.AUTO, false);
		}

		@Actor
		public void producer() {
			produceFirst();
		}

		@Actor
		public void writeAndDrain() {
			HandDrivenLoop loop = loop();
			writeSecondNow();
			loop.runTasks();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame written once, in order")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame or a wake-up was lost")
	@State
	public static class ProducersAgainstEachOther extends Race {

		public ProducersAgainstEachOther() {
			super(Mode.ALWAYS, false);
		}

		@Actor
		public void firstProducer() {
			produceFirst();
		}

		@Actor
		public void secondProducer() {
			produceSecond();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame written once, in order")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame or a wake-up was lost")
	@State
	public static class ProducersAgainstDrain extends Race {

		public ProducersAgainstDrain() {
			super(Mode.ALWAYS, false);
		}

		@Actor
		public void firstProducer() {
			produceFirst();
		}

		@Actor
		public void secondProducer() {
			produceSecond();
		}

		@Actor
		public void drain() {
			loop().runTasks();
			loop().runTasks();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame written once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a held frame was forgotten")
	@State
	public static class EnqueueAgainstGrant extends Race {

		public EnqueueAgainstGrant() {
			super(Mode.AUTO, false);
			this.granted = false;
		}

		@Actor
		public void producer() {
			produceFirst();
			produceSecond();
		}

		@Actor
		public void grant() {
			HandDrivenLoop loop = loop();
			loop.runTasks();
			this.granted = true;
			this.channel.queue.blocked.resume();
			loop.runTasks();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame ended once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame was lost or ended twice")
	@State
	public static class EnqueueAgainstEnd extends Race {

		public EnqueueAgainstEnd() {
			super(Mode.AUTO, true);
			this.granted = false;
		}

		@Actor
		public void producer() {
			produceFirst();
			produceSecond();
		}

		@Actor
		public void end() {
			loop().runTasks();
			this.channel.queue.end();
			loop().runTasks();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame ended once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame was lost or ended twice")
	@State
	public static class ProducersAgainstEnd extends Race {

		public ProducersAgainstEnd() {
			super(Mode.AUTO, true);
			this.granted = false;
		}

		@Actor
		public void firstProducer() {
			produceFirst();
		}

		@Actor
		public void secondProducer() {
			produceSecond();
		}

		@Actor
		public void end() {
			loop().runTasks();
			this.channel.queue.end();
			loop().runTasks();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** As a loop of Netty ends: it closes its channels, then takes no more tasks. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each frame ended once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a frame was lost or ended twice")
	@State
	public static class EnqueueAgainstEndOfLoop extends Race {

		public EnqueueAgainstEndOfLoop() {
			super(Mode.AUTO, true);
		}

		@Actor
		public void producer() {
			produceFirst();
			produceSecond();
		}

		@Actor
		public void endLoop() {
			HandDrivenLoop loop = loop();
			loop.runTasks();
			this.channel.close();
			loop.runTasks();
			loop.end();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

}
