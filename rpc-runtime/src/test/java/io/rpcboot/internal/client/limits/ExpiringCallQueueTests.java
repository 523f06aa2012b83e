package io.rpcboot.internal.client.limits;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.RoutingKeys;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The clock of a call is its own start; now is what the tests say. */
@Timeout(30)
@Tag("races")
class ExpiringCallQueueTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final int ANY = Integer.MAX_VALUE;

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(UserService.class);

	private static final MethodDescriptor METHOD = SERVICE.methods().get(0);

	private static final MethodCodec CODEC = new ProtostuffSerializer().codec(SERVICE).method(0);

	private final HandDrivenClient client = new HandDrivenClient(ANY);

	private final long now = System.nanoTime();

	private final List<Runnable> sweeps = new ArrayList<>();

	private int shown;

	private final AtomicInteger size = new AtomicInteger();

	private final ExpiringCallQueue<ClientCall> queue = new ExpiringCallQueue<>(this.size, control(),
			() -> this.shown++);

	/** Runs nothing by itself. */
	private ScheduledExecutorService control() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, method, arguments) -> {
					this.sweeps.add((Runnable) arguments[0]);
					return null;
				});
	}

	/** A call that began some seconds ago. */
	private ClientCall call(double secondsAgo, double timeoutSeconds) {
		return call(secondsAgo, timeoutSeconds, 0);
	}

	private ClientCall call(double secondsAgo, double timeoutSeconds, int number) {
		BoundMethod called = new BoundMethod(METHOD, CODEC, null, (long) (timeoutSeconds * SECOND), Long.MAX_VALUE,
				number, false, false, false, RoutingKeys.NONE);
		ClientCall call = new ClientCall(this.client.proxy, called, this.now - (long) (secondsAgo * SECOND));
		call.markAdmitted();
		return call;
	}

	private ClientCall added(double secondsAgo, double timeoutSeconds) {
		return added(secondsAgo, timeoutSeconds, 0);
	}

	private ClientCall added(double secondsAgo, double timeoutSeconds, int number) {
		ClientCall call = call(secondsAgo, timeoutSeconds, number);
		assertThat(this.queue.add(call, ANY)).isTrue();
		return call;
	}

	@Test
	void queue_isFifo_untilOldestUsesHalfItsTimeout() {
		ClientCall oldest = added(1.4, 3);
		ClientCall middle = added(1, 3);
		ClientCall newest = added(0, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(oldest);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(middle);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(newest);
		assertThat(this.queue.poll(this.now, (any) -> true)).isNull();
		assertThat(this.size).hasValue(0);
	}

	@Test
	void queue_isLifo_whenOldestUsedOverHalfItsTimeout() {
		ClientCall oldest = added(1.6, 3);
		ClientCall middle = added(1.4, 3);
		ClientCall newest = added(0, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(newest);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(middle);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(oldest);
	}

	@Test
	void queue_isFifoAgain_afterOldestCallsEnd() {
		ClientCall late = added(2.9, 3);
		ClientCall first = added(1, 3);
		ClientCall second = added(0, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(second);
		late.fail(RpcStatus.DEADLINE_EXCEEDED, "over");
		ClientCall third = added(0, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(first);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(third);
		assertThat(this.queue.poll(this.now, (any) -> true)).isNull();
	}

	/** It began long ago, but whoever came before it has waited here for longer. */
	@Test
	void returningCall_isQueuedAsNewest() {
		added(1.6, 3);
		ClientCall back = added(2, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(back);
	}

	@Test
	void callsOfRefusedMethods_keepTheirPlace() {
		ClientCall refused = added(1, 3);
		ClientCall other = added(0, 3, 1);
		assertThat(this.queue.poll(this.now, (call) -> call.method.number != 0)).isSameAs(other);
		assertThat(this.queue.poll(this.now, (call) -> call.method.number != 0)).isNull();
		assertThat(this.queue.poll(this.now, (call) -> call.method.number != 1)).isSameAs(refused);
		assertThat(this.size).hasValue(0);
	}

	@Test
	void requeuedCall_keepsItsPlace() {
		ClientCall oldest = added(1, 3);
		ClientCall middle = added(0.5, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(oldest);
		this.queue.requeue(oldest);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(oldest);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(middle);
		added(1.6, 3);
		ClientCall newest = added(0, 3);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(newest);
		this.queue.requeue(newest);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(newest);
		assertThat(this.size).hasValue(1);
	}

	@Test
	void endedCalls_areSkipped() {
		ClientCall cancelled = added(0, 3);
		ClientCall wanted = added(0, 3);
		cancelled.fail(RpcStatus.CANCELLED, "not wanted");
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(wanted);
		assertThat(this.size).hasValue(0);
	}

	@Test
	void sweep_checksAllCalls_whenQueueIsShort() {
		ClientCall wanted = added(0, 3);
		ClientCall impatient = added(0.5, 0.4);
		assertThat(this.queue.removeEnded(this.now)).containsExactly(impatient);
		assertThat(this.queue.removeIf((call) -> true)).containsExactly(wanted);
	}

	private void manyAreAdded() {
		for (int i = 0; i < 8200; i++) {
			added(0, 3);
		}
	}

	@Test
	void earlySweep_removesOldestEndedCalls_whenQueueIsLong() {
		ClientCall over = added(3, 3);
		ClientCall cancelled = added(1, 3);
		cancelled.fail(RpcStatus.CANCELLED, "not wanted");
		manyAreAdded();
		ClientCall impatient = added(0.5, 0.4);
		assertThat(this.queue.removeEnded(this.now)).containsExactly(over, cancelled);
		assertThat(this.size).hasValue(8201);
		assertThat(this.queue.removeIf((call) -> true)).contains(impatient);
	}

	/** Methods have timeouts of their own, and calls come back. */
	@Test
	void everyTenthSweep_checksAllCalls_whenQueueIsLong() {
		manyAreAdded();
		ClientCall impatient = added(0.5, 0.4);
		for (int i = 0; i < 9; i++) {
			assertThat(this.queue.removeEnded(this.now)).isEmpty();
		}
		assertThat(this.queue.removeEnded(this.now)).containsExactly(impatient);
		assertThat(this.size).hasValue(8200);
	}

	@Test
	void sweeps_repeat_whileCallsWait() {
		ClientCall call = added(0, 3);
		assertThat(this.sweeps).as("one for all").hasSize(1);
		added(0, 3);
		assertThat(this.sweeps).hasSize(1);
		this.sweeps.remove(0).run();
		assertThat(this.shown).as("those that take are told").isOne();
		assertThat(this.sweeps).as("calls wait still").hasSize(1);
		assertThat(this.queue.poll(this.now, (any) -> true)).isSameAs(call);
		assertThat(this.queue.poll(this.now, (any) -> true)).isNotNull();
		this.sweeps.remove(0).run();
		assertThat(this.sweeps).as("nothing waits").isEmpty();
	}

	@Test
	void queue_rejectsCallAtItsBound() {
		assertThat(this.queue.add(call(0, 3), 1)).isTrue();
		assertThat(this.queue.add(call(0, 3), 1)).isFalse();
		assertThat(this.size).hasValue(1);
	}

	@Test
	void queuedCalls_fail_whenQueueCloses() {
		ClientCall call = added(0, 3);
		this.queue.close();
		assertThat(call.failure).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(ex.mayHaveExecuted()).isFalse();
		});
		assertThat(this.size).hasValue(0);
	}

	/** Many add, many take: every call comes out once. */
	@Test
	void concurrentCalls_leaveQueueOnce() throws Exception {
		int threads = 4;
		int each = 20_000;
		List<ClientCall> calls = new ArrayList<>();
		for (int i = 0; i < threads * each; i++) {
			calls.add(call((i % 3 == 0) ? 2 : 0, 3));
		}
		AtomicInteger taken = new AtomicInteger();
		CountDownLatch done = new CountDownLatch(2 * threads);
		for (int i = 0; i < threads; i++) {
			List<ClientCall> mine = calls.subList(i * each, (i + 1) * each);
			new Thread(() -> {
				mine.forEach((call) -> this.queue.add(call, ANY));
				done.countDown();
			}).start();
			new Thread(() -> {
				while (taken.get() < threads * each) {
					ClientCall call = this.queue.poll(this.now, (any) -> true);
					if (call != null && call.claim() >= 0) { // twice would be -1
						taken.incrementAndGet();
					}
				}
				done.countDown();
			}).start();
		}
		assertThat(done.await(25, TimeUnit.SECONDS)).as("%s of %s were taken", taken, threads * each).isTrue();
		assertThat(this.queue.poll(this.now, (any) -> true)).isNull();
		assertThat(this.size).hasValue(0);
	}

}
