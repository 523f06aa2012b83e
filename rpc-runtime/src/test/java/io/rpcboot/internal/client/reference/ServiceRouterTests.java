package io.rpcboot.internal.client.reference;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.fixture.AbstractHandDrivenRouter;
import io.rpcboot.internal.client.fixture.HandDrivenControl;
import io.rpcboot.internal.client.pool.ReconnectBackoff;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.ServiceInstance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests waiting and failing calls without an instance. */
class ServiceRouterTests extends AbstractHandDrivenRouter {

	private static final ServiceId OTHER_VERSION = ServiceId.parse(SERVICE.id() + ":2");

	@Test
	void call_failsAtOnce_afterEveryInstanceRefused() throws Exception {
		int other = freePort();
		Caller caller = new Caller(WAIT, this.port, other);
		this.control.runNext();
		assertWaits(caller.call());
		this.control.runNext();
		int timers = this.control.timers.size();
		assertFailed(caller.call(),
				"no instance takes calls: 127.0.0.1:" + this.port + " is BACKING_OFF (cannot connect",
				"127.0.0.1:" + other + " is BACKING_OFF (cannot connect", "it did not execute");
		assertThat(this.control.timers).as("nothing has to fire").hasSize(timers);
	}

	@Test
	void waitingCall_fails_whenConnectionIsRefused() throws Exception {
		Caller caller = new Caller(WAIT, this.port);
		ClientCall call = caller.call();
		assertWaits(call);
		this.control.runNext();
		assertFailed(call, "BACKING_OFF (cannot connect");
	}

	/** An address that swallows every packet. */
	@Test
	void call_waitsFullTimeout_withoutConnectOutcome() {
		Caller caller = new Caller(WAIT, this.port);
		ClientCall early = caller.call();
		pass(400);
		ClientCall late = caller.call();
		pass(599);
		caller.sweep();
		assertWaits(early);
		pass(1);
		caller.sweep();
		assertFailed(early, "127.0.0.1:" + this.port + " is CONNECTING");
		assertWaits(late);
		pass(400);
		caller.sweep();
		assertFailed(late, "is CONNECTING");
	}

	@Test
	void call_waitsForFirstRegistryAnswer_untilTimeout() throws Exception {
		Caller caller = new Caller(WAIT, new InMemoryRegistry());
		ClientCall first = caller.call();
		pass(999);
		caller.sweep();
		assertWaits(first);
		pass(1);
		caller.sweep();
		assertFailed(first, "no instance of it is known to the in-memory registry");
		ClientCall second = caller.call();
		pass(900);
		serve();
		caller.names(this.port);
		awaitReady(caller);
		assertSent(second);
	}

	@Test
	void calls_fail_afterEmptyRegistryAnswer() {
		InMemoryRegistry registry = new InMemoryRegistry();
		Caller caller = new Caller(WAIT, registry);
		ClientCall call = caller.call();
		registry.register(new ServiceInstance("a", "app", new Endpoint("127.0.0.1", 1), 1, 0,
				Set.of(OTHER_VERSION, ServiceId.parse("c.Greeter:1"))));
		caller.names();
		assertFailed(call, "no instance of it is known to the in-memory registry; known here: " + OTHER_VERSION + ";");
		assertFailed(caller.call(), "no instance of it is known to the in-memory registry");
	}

	@Test
	void failingCalls_triggerConnectAttemptAtMostEvery100ms() throws Exception {
		Caller caller = new Caller(WAIT, this.port);
		this.control.runNext();
		pass(99);
		assertFailed(caller.call());
		assertThat(this.control.hasNext()).as("an attempt").isFalse();
		pass(1);
		assertFailed(caller.call());
		pass(1000);
		assertFailed(caller.call());
		this.control.runNext();
		assertThat(this.control.hasNext()).as("a second one beside the first").isFalse();
		assertFailed(caller.call());
		this.control.runNext(); // the next attempt, after the first has ended
	}

	@Test
	void restartedServer_takesNextCall_withoutBackoff() throws Exception {
		Caller caller = new Caller(WAIT, this.port);
		this.control.runNext();
		pass(100);
		serve();
		assertFailed(caller.call());
		awaitReady(caller);
		assertSent(caller.call());
		assertThat(this.control.timers).as("the attempt that was scheduled is no more")
			.noneMatch((timer) -> timer.nanos() < TimeUnit.SECONDS.toNanos(1) && isRetry(timer));
	}

	private static boolean isRetry(HandDrivenControl.Timer timer) {
		return timer.task().getClass().getName().startsWith(ReconnectBackoff.class.getName());
	}

	@Test
	void attemptsTriggeredByCalls_keepBackoffUnchanged() throws Exception {
		Caller caller = new Caller(WAIT, this.port);
		this.control.runNext();
		for (int i = 0; i < 20; i++) {
			pass(100);
			assertFailed(caller.call());
			this.control.runNext();
		}
		assertThat(this.control.timers.stream().filter(ServiceRouterTests::isRetry)).singleElement()
			.satisfies((timer) -> assertThat(timer.nanos()).isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(120)));
	}

	@Test
	void calls_wait_afterLossUntilTimeout() throws Exception {
		Caller caller = connected(WAIT);
		lose(caller);
		ClientCall first = caller.call();
		pass(900);
		ClientCall second = caller.call();
		caller.sweep();
		assertWaits(first);
		assertWaits(second);
		pass(100);
		caller.sweep();
		assertFailed(first, "no instance takes calls: 127.0.0.1:" + this.port);
		assertFailed(second, "no instance takes calls: 127.0.0.1:" + this.port);
		assertFailed(caller.call());
	}

	@Test
	void waitingCalls_reachRestartedServer_afterReconnectAttempts() throws Exception {
		Caller caller = connected(WAIT);
		lose(caller);
		ClientCall call = caller.call();
		for (int i = 0; i < 7; i++) {
			pass(100);
			caller.sweep();
			this.control.runNext(); // refused
		}
		assertWaits(call);
		serve();
		pass(100);
		caller.sweep();
		awaitReady(caller);
		assertSent(call);
	}

	@Test
	void removedInstance_countsAsLost() throws Exception {
		Caller caller = connected(WAIT);
		caller.names();
		Eventually.until("the connection is closed, so that it cannot serve the call",
				() -> this.server.connections().isEmpty());
		ClientCall call = caller.call();
		pass(999);
		caller.sweep();
		assertWaits(call);
		pass(1);
		caller.sweep();
		assertFailed(call, "no instance of it is known");
	}

	/** As after GO_AWAY, when the registry learns of it a moment later. */
	@Test
	void loss_isRemembered_afterRegistryRemovesInstance() throws Exception {
		Caller caller = connected(WAIT);
		lose(caller);
		ClientCall call = caller.call();
		pass(500);
		caller.names();
		assertWaits(call);
		pass(500);
		caller.sweep();
		assertFailed(call, "no instance of it is known");
	}

	/** A server that drains still answers newcomers, with GO_AWAY. */
	@Test
	void connection_countsAsFailedAttempt_whenItEndsAtOnce() throws Exception {
		Caller caller = connected(WAIT);
		this.server.shutdown(Duration.ZERO);
		while (caller.proxy.hasReady()) {
			this.control.runNext();
		}
		assertFailed(caller.call(), "127.0.0.1:" + this.port);
	}

	@Test
	void zeroTimeout_failsCallsAtOnce() throws Exception {
		assertFailed(new Caller(Duration.ZERO, freePort()).call(), "is CONNECTING");
		assertFailed(new Caller(Duration.ZERO, new InMemoryRegistry()).call(), "no instance of it is known");
		Caller caller = connected(Duration.ZERO);
		lose(caller);
		assertFailed(caller.call(), "no instance takes calls");
	}

	@Test
	void referenceCreatedAfterLoss_waitsUntilTimeout() throws Exception {
		lose(connected(WAIT));
		Caller late = new Caller(WAIT, this.port);
		assertWaits(late.call());
		pass(1000);
		assertFailed(late.call(), "no instance takes calls");
	}

	/** One that has come back pauses before it is sent again. */
	@Test
	void retryPause_ends_withoutInstance() throws Exception {
		Caller caller = connected(Duration.ZERO);
		ClientCall call = new ClientCall(caller.proxy, caller.method, System.nanoTime());
		call.markAdmitted();
		for (int i = 0; i < 3; i++) {
			call.attempts = (call.attempts != null) ? call.attempts : new AttemptHistory(this.clock.get());
			call.attempts.waits();
		}
		caller.directory.await(call);
		this.control.runOwn();
		assertWaits(call);
		lose(caller);
		assertFailed(call, "no instance takes calls");
	}

}
