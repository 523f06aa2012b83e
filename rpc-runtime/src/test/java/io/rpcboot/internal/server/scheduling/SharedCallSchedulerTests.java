package io.rpcboot.internal.server.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.CallSchedulerFixture;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A queue whose threads are shared by services. */
@Tag("races")
class SharedCallSchedulerTests extends CallSchedulerFixture {

	@Test
	void serviceAtItsLimit_leavesThreadsToOtherServices() {
		this.queue = new CallScheduler(this.pool, true, this.clock::get);
		ServerMethod hanging = method(2);
		ServerMethod other = method(2);
		List<ServerCall> hang = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			hang.add(arrives(hanging, FOREVER));
		}
		ServerCall prompt = arrives(other, FOREVER);
		Runnable one = this.queue.take(null);
		Runnable two = this.queue.take(null);
		Runnable three = this.queue.take(null);
		assertThat(one).isSameAs(hang.get(0));
		assertThat(two).isSameAs(hang.get(1));
		assertThat(three).as("a third thread is for others").isSameAs(prompt);
		assertThat(this.queue.isEmpty()).as("nobody need be woken").isTrue();
		assertThat(this.queue.size()).isEqualTo(2);
		ServerCall next = arrives(other, FOREVER);
		Runnable four = this.queue.take(null);
		assertThat(four).isSameAs(next);
		assertThat(this.queue.take(run(three))).isNull();
		assertThat(this.queue.take(run(one))).as("its thread goes on with its service").isSameAs(hang.get(2));
		assertThat(this.queue.take(run(four))).isNull();
		assertThat(this.queue.take(run(two))).isSameAs(hang.get(3));
		assertThat(this.queue.take(run(hang.get(2)))).isNull();
		assertThat(this.queue.take(run(hang.get(3)))).isNull();
		assertThat(hanging.queue.hasFreeThread()).isTrue();
	}

	@Test
	void thread_leavesPlace_whenItChangesService() {
		this.queue = new CallScheduler(this.pool, true, this.clock::get);
		ServerMethod left = method(1);
		ServerMethod right = method(1);
		Runnable first = arrives(left, FOREVER);
		assertThat(this.queue.take(null)).isSameAs(first);
		ServerCall second = arrives(right, FOREVER);
		ServerCall third = arrives(left, FOREVER);
		assertThat(this.queue.take(run(first))).isSameAs(second);
		assertThat(this.queue.take(null)).isSameAs(third);
		ServerCall fourth = arrives(right, FOREVER);
		assertThat(this.queue.take(null)).as("both are full").isNull();
		assertThat(this.queue.take(run(third))).isNull();
		assertThat(this.queue.take(run(second))).isSameAs(fourth);
		assertThat(this.queue.take(run(fourth))).isNull();
	}

	/** A thread goes from call to call of one service without a look at the others. */
	@Test
	void loweredLimit_holds_forThreadsThatGoOnWithTheirService() {
		this.queue = new CallScheduler(this.pool, true, this.clock::get);
		ServerMethod busy = method(2);
		Runnable one = arrives(busy, FOREVER);
		Runnable two = arrives(busy, FOREVER);
		assertThat(this.queue.take(null)).isSameAs(one);
		assertThat(this.queue.take(null)).isSameAs(two);
		this.queue.resize(2, () -> busy.queue.limitTo(1, true));
		ServerCall three = arrives(busy, FOREVER);
		ServerCall four = arrives(busy, FOREVER);
		assertThat(this.queue.take(run(one))).as("the other thread is the only one").isNull();
		assertThat(this.queue.take(run(two))).isSameAs(three);
		assertThat(this.queue.take(null)).isNull();
		assertThat(this.queue.take(run(three))).isSameAs(four);
		assertThat(this.queue.take(run(four))).isNull();
		assertThat(busy.queue.hasFreeThread()).isTrue();
	}

	/**
	 * Two services of one thread each, four workers: no place is lost, none is doubled.
	 */
	@Test
	void concurrentCalls_stayWithinLimitsOfServices() throws Exception {
		WorkerPool workers = new WorkerPool("shared-", 4);
		CallScheduler shared = new CallScheduler(workers, true, System::nanoTime);
		this.clock.set(System.nanoTime());
		List<ServerMethod> methods = new ArrayList<>();
		List<AtomicInteger> running = List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
		AtomicInteger most = new AtomicInteger();
		AtomicInteger ended = new AtomicInteger();
		for (AtomicInteger each : running) {
			methods.add(counting(each, most, ended));
		}
		int rounds = 20_000;
		for (int i = 0; i < rounds; i++) {
			this.server.runtime.inFlight.incrementAndGet();
			// of one-way calls nothing is written, so that no queue of frames is needed
			workers.publish(this.server.connection.newStream(invocation(methods.get(i % methods.size())), true,
					++this.lastId, 0, this.clock.get(), FOREVER).call);
			if (i % 3 == 0) {
				workers.wake();
			}
		}
		workers.wake();
		Eventually.until("all have run", () -> ended.get() == rounds);
		assertThat(most).hasValue(1);
		Eventually.until("all places are free", () -> methods.stream().allMatch((each) -> each.queue.hasFreeThread()));
		assertThat(shared.size()).isZero();
		workers.close();
		Eventually.until("threads end", () -> workers.threads() == 0);
	}

	private ServerMethod counting(AtomicInteger running, AtomicInteger most, AtomicInteger ended) {
		HandDrivenServer.Archive archive = () -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			running.decrementAndGet();
			ended.incrementAndGet();
			return "x";
		};
		return method(line(1), () -> archive);
	}

	@Test
	void waitingCall_isReady_onceShareIsRaised() {
		this.queue = new CallScheduler(this.pool, true, this.clock::get);
		ServiceQueue line = line(1);
		arrives(method(line), FOREVER);
		arrives(method(line), FOREVER);
		Runnable first = this.queue.take(null);
		assertThat(first).isNotNull();
		assertThat(this.queue.take(null)).isNull();
		assertThat(this.queue.isEmpty()).as("none may run").isTrue();
		// no thread of the pool takes the call
		this.queue.resize(0, () -> line.limitTo(2, true));
		assertThat(this.queue.isEmpty()).as("one may run").isFalse();
		Runnable second = this.queue.take(null);
		run(second);
		assertThat(this.queue.take(run(first))).isNull();
		assertThat(this.queue.take(second)).isNull();
	}

}
