package io.rpcboot.internal.server.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.CallSchedulerFixture;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A queue in which services and methods have limits of their own. */
class LimitedServiceQueueTests extends CallSchedulerFixture {

	private void counted() {
		this.queue = new CallScheduler(this.pool, true, this.clock::get);
	}

	@Test
	void methodAtItsLimit_leavesThreadsOfServiceToOtherMethods() {
		counted();
		ServiceQueue service = line(4);
		ServiceQueue limited = service.ofMethod(2);
		ServerMethod hanging = method(limited);
		ServerMethod other = method(service);
		List<ServerCall> hang = List.of(arrives(hanging, FOREVER), arrives(hanging, FOREVER),
				arrives(hanging, FOREVER));
		ServerCall prompt = arrives(other, FOREVER);
		Runnable one = this.queue.take(null);
		Runnable two = this.queue.take(null);
		Runnable three = this.queue.take(null);
		assertThat(List.of(one, two)).isEqualTo(hang.subList(0, 2));
		assertThat(three).as("another method passes the third").isSameAs(prompt);
		assertThat(service.threadsOfService()).isEqualTo(3);
		assertThat(service.threads()).as("without those of the method").isOne();
		assertThat(this.queue.take(null)).isNull();
		assertThat(this.queue.isEmpty()).as("nobody need be woken").isTrue();
		assertThat(this.queue.take(run(three))).as("a thread of the service is none of the method").isNull();
		assertThat(this.queue.take(run(one))).isSameAs(hang.get(2));
		assertThat(this.queue.take(run(two))).isNull();
		assertThat(this.queue.take(run(hang.get(2)))).isNull();
		assertNobodyIsIn(service, limited);
	}

	@Test
	void serviceLimit_appliesToLimitedMethods() {
		counted();
		ServiceQueue service = line(2);
		ServiceQueue limited = service.ofMethod(2);
		ServerMethod method = method(limited);
		ServerMethod other = method(service);
		ServerMethod stranger = method(line(1));
		Runnable first = arrives(other, FOREVER);
		ServerCall second = arrives(method, FOREVER);
		ServerCall third = arrives(method, FOREVER);
		ServerCall fourth = arrives(stranger, FOREVER);
		assertThat(this.queue.take(null)).isSameAs(first);
		assertThat(this.queue.take(null)).isSameAs(second);
		assertThat(this.queue.take(null)).as("another service passes").isSameAs(fourth);
		assertThat(limited.threads()).as("no place is kept where there is none in the service").isOne();
		assertThat(this.queue.take(run(first))).as("a place of the service is free").isSameAs(third);
		assertThat(service.threadsOfService()).isEqualTo(2);
		assertThat(this.queue.take(run(second))).isNull();
		assertThat(this.queue.take(run(third))).isNull();
		assertThat(this.queue.take(run(fourth))).isNull();
		assertNobodyIsIn(service, limited);
	}

	/** It takes no second place and loses none. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void thread_keepsPlaceInService_whenItChangesMethod(int places) {
		counted();
		ServiceQueue service = line(places);
		ServiceQueue left = service.ofMethod(1);
		ServiceQueue right = service.ofMethod(1);
		List<ServiceQueue> lines = List.of(service, left, right, service, right, left, left);
		Runnable last = null;
		for (ServiceQueue line : lines) {
			ServerCall next = arrives(method(line), FOREVER);
			assertThat(this.queue.take(run(last))).isSameAs(next);
			assertThat(service.threadsOfService()).isOne();
			assertThat(left.threads() + right.threads()).isEqualTo((line == service) ? 0 : 1);
			last = next;
		}
		assertThat(this.queue.take(run(last))).isNull();
		assertNobodyIsIn(service, left, right);
	}

	@Test
	void thread_leavesService_whenMethodLimitIsReached() {
		counted();
		ServiceQueue service = line(4);
		ServiceQueue limited = service.ofMethod(1);
		Runnable first = arrives(method(limited), FOREVER);
		Runnable other = arrives(method(service), FOREVER);
		assertThat(this.queue.take(null)).isSameAs(first);
		assertThat(this.queue.take(null)).isSameAs(other);
		ServerCall second = arrives(method(limited), FOREVER);
		assertThat(this.queue.take(run(other))).isNull();
		assertThat(service.threadsOfService()).isOne();
		assertThat(limited.threads()).isOne();
		assertThat(this.queue.take(run(first))).isSameAs(second);
		assertThat(this.queue.take(run(second))).isNull();
		assertNobodyIsIn(service, limited);
	}

	@Test
	void place_isTakenInServiceAndMethodOrInNeither() {
		ServiceQueue service = line(1);
		ServiceQueue limited = service.ofMethod(1);
		assertThat(service.enter(null)).isTrue();
		assertThat(limited.hasFreeThread()).isFalse();
		assertThat(limited.enter(null)).isFalse();
		assertThat(limited.threads()).isZero();
		service.leave(null);
		assertThat(limited.enter(null)).isTrue();
		assertThat(service.hasFreeThread()).isFalse();
		assertThat(service.enter(null)).isFalse();
		assertThat(limited.enter(null)).isFalse();
		assertThat(service.threadsOfService()).isOne();
		limited.leave(null);
		assertNobodyIsIn(service, limited);
	}

	@Test
	void waitingCallsOfMethod_runInOrder() {
		counted();
		ServiceQueue service = line(3);
		ServerMethod limited = method(service.ofMethod(1));
		Runnable first = arrives(limited, FOREVER);
		assertThat(this.queue.take(null)).isSameAs(first);
		ServerCall second = arrives(limited, FOREVER);
		pass(1);
		ServerCall third = arrives(limited, FOREVER);
		assertThat(this.queue.take(null)).isNull();
		assertThat(this.queue.size()).isEqualTo(2);
		pass(1);
		ServerCall other = arrives(method(service), FOREVER);
		assertThat(this.queue.take(run(first))).as("it waits for longest").isSameAs(second);
		assertThat(this.queue.take(null)).isSameAs(other);
		assertThat(this.queue.take(run(second))).isSameAs(third);
		assertThat(this.queue.take(run(third))).isNull();
		assertThat(this.queue.take(run(other))).isNull();
	}

	/** Methods that are late themselves do not make those of their service wait. */
	@Test
	void slowMethod_doesNotLimitOtherMethods() {
		counted();
		ServiceQueue service = line(8);
		ServerMethod slow = method(service.ofMethod(2));
		ServerMethod other = method(service);
		List<Runnable> late = List.of(arrives(slow, 100), arrives(slow, 100));
		late.forEach((each) -> assertThat(this.queue.take(null)).isSameAs(each));
		late.forEach((each) -> ((ServerCall) each).started = true);
		ServerCall third = arrives(slow, 10_000);
		assertThat(this.queue.take(null)).as("from here on calls are chosen").isNull();
		pass(5000);
		assertThat(this.queue.take(run(late.get(0)))).isSameAs(third);
		assertThat(this.queue.take(run(late.get(1)))).isNull();
		assertThat(slow.queue.limit.isArmed(this.clock.get())).isTrue();
		assertThat(other.queue.limit.isArmed(this.clock.get())).isFalse();
		List<Runnable> running = new ArrayList<>(List.of(third));
		for (int i = 0; i < 7; i++) {
			ServerCall call = arrives(other, 100);
			assertThat(this.queue.take(null)).as("call %d", i).isSameAs(call);
			running.add(call);
		}
		assertThat(other.queue.threads()).isEqualTo(7);
		running.forEach((each) -> assertThat(this.queue.take(run(each))).isNull());
	}

	@Test
	void callsWaitingForLimit_areReportedOnlyForConfiguredLimits() {
		counted();
		ServiceQueue service = line(2);
		ServerMethod limited = method(service.ofMethod(1));
		ServerMethod other = method(service);
		Runnable first = arrives(limited, FOREVER);
		Runnable second = arrives(limited, FOREVER);
		assertThat(this.queue.take(null)).isSameAs(first);
		assertThat(this.queue.waitsForLimits()).as("one has not been looked at").isFalse();
		assertThat(this.queue.take(null)).isNull();
		assertThat(this.queue.waitsForLimits()).isTrue();
		Runnable third = arrives(other, FOREVER);
		Runnable fourth = arrives(other, FOREVER);
		assertThat(this.queue.take(null)).isSameAs(third);
		assertThat(this.queue.take(null)).isNull();
		assertThat(this.queue.waitsForLimits()).as("nobody has set the threads of the service").isFalse();
		assertThat(this.queue.take(run(first))).isSameAs(second);
		assertThat(this.queue.take(run(third))).isSameAs(fourth);
		assertThat(this.queue.take(run(second))).isNull();
		assertThat(this.queue.take(run(fourth))).isNull();
	}

	@Test
	void serviceLimit_isReported_whenConfiguredByApplication() {
		assertThat(atItsLimit(true)).isTrue();
		assertThat(atItsLimit(false)).isFalse();
	}

	private static boolean atItsLimit(boolean isLimited) {
		ServiceQueue service = new ServiceQueue(new Bulkhead(true, 1, 1, 1), isLimited);
		ServiceQueue method = service.ofMethod(2);
		assertThat(method.isAtLimit()).isFalse();
		assertThat(service.enter(null)).isTrue();
		assertThat(method.isAtLimit()).isEqualTo(service.isAtLimit());
		return service.isAtLimit();
	}

	@Test
	void callsInFlight_areCountedForWholeService() {
		ServiceQueue service = new ServiceQueue(new Bulkhead(true, 4, 1, 2), false);
		ServiceQueue limited = service.ofMethod(1);
		assertThat(service.tryJoinOverflow()).isTrue();
		assertThat(limited.tryJoinOverflow()).isTrue();
		assertThat(limited.tryJoinOverflow()).isFalse();
		assertThat(service.tryJoinOverflow()).isFalse();
		limited.leaveOverflow();
		assertThat(service.tryJoinOverflow()).isTrue();
		service.leaveOverflow();
		service.leaveOverflow();
	}

	/** What runs at once of a service or a method. */
	private static final class Running {

		private final AtomicInteger now = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		void begins() {
			this.most.accumulateAndGet(this.now.incrementAndGet(), Math::max);
		}

		void ends() {
			this.now.decrementAndGet();
		}

	}

	/** Workers that change lines all the time: no place is lost, none is doubled. */
	@Test
	void concurrentCalls_stayWithinLimitsOfMethodsAndServices() throws Exception {
		WorkerPool workers = new WorkerPool("limited-", 5);
		CallScheduler limited = new CallScheduler(workers, true, System::nanoTime);
		this.clock.set(System.nanoTime());
		ServiceQueue service = line(2);
		ServiceQueue one = service.ofMethod(1);
		ServiceQueue two = service.ofMethod(2);
		ServiceQueue stranger = line(1);
		Running ofService = new Running();
		Running ofOne = new Running();
		Running ofStranger = new Running();
		AtomicInteger ended = new AtomicInteger();
		List<ServerMethod> methods = List.of(counting(service, ended, ofService),
				counting(one, ended, ofService, ofOne), counting(two, ended, ofService),
				counting(stranger, ended, ofStranger));
		int rounds = 40_000;
		for (int i = 0; i < rounds; i++) {
			this.server.runtime.inFlight.incrementAndGet();
			// of one-way calls nothing is written, so that no queue of frames is needed
			workers.publish(this.server.connection.newStream(invocation(methods.get(i % methods.size())), true,
					++this.lastId, 0, this.clock.get(), FOREVER).call);
			if (i % 3 == 0) {
				workers.wake();
			}
			if (i % 1000 == 0) { // from empty lines on workers take without the lock
				int published = i;
				Eventually.until("those before have run", () -> ended.get() > published);
			}
		}
		workers.wake();
		Eventually.until("all have run", () -> ended.get() == rounds);
		assertThat(ofService.most).hasValue(2);
		assertThat(ofOne.most).hasValue(1);
		assertThat(ofStranger.most).hasValue(1);
		Eventually.until("all places are free", () -> service.threadsOfService() + stranger.threads() == 0);
		assertNobodyIsIn(service, one, two, stranger);
		assertThat(limited.size()).isZero();
		workers.close();
		Eventually.until("threads end", () -> workers.threads() == 0);
	}

	private ServerMethod counting(ServiceQueue line, AtomicInteger ended, Running... running) {
		HandDrivenServer.Archive archive = () -> {
			for (Running each : running) {
				each.begins();
			}
			Thread.yield();
			for (Running each : running) {
				each.ends();
			}
			ended.incrementAndGet();
			return "x";
		};
		return method(line, () -> archive);
	}

	private static void assertNobodyIsIn(ServiceQueue... lines) {
		for (ServiceQueue line : lines) {
			assertThat(line.threads()).isZero();
			assertThat(line.threadsOfService()).isZero();
			assertThat(line.hasFreeThread()).isTrue();
		}
	}

}
