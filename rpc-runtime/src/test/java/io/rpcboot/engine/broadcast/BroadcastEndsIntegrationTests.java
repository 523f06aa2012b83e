package io.rpcboot.engine.broadcast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.BroadcastReport;
import io.rpcboot.client.BroadcastReport.Reply;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry.Registration;
import io.rpcboot.registry.ServiceInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls to every instance that wait for it, lose it, or are given up. */
@Timeout(60)
class BroadcastEndsIntegrationTests extends AbstractBroadcast {

	private static final int ROUNDS = 50;

	/** The call waits for its instance, though another one has room. */
	@Test
	void broadcastCall_waitsForGrant_whenItsInstanceIsFull() {
		Instance full = instance(1);
		instance(1);
		Cache cache = reference(RpcClient.builder(), ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(20)));
		AtomicBoolean blocks = new AtomicBoolean(true);
		full.behaviour = () -> blocks.getAndSet(false) ? blocks() : 1;
		CompletableFuture<BroadcastReport<Integer>> first = Broadcast.to(cache).callLater((each) -> each.evict("a"));
		Eventually.until("it is full", () -> full.calls.get() == 1);
		List<CompletableFuture<BroadcastReport<Integer>>> next = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			next.add(Broadcast.to(cache).callLater((each) -> each.evict("b")));
		}
		Eventually.until("they wait there alone",
				() -> this.instances.get(1).calls.get() == 11 && this.client.references().get(0).waitingCalls() == 10);
		assertThat(cache.evict("c")).as("others go where there is room").isEqualTo(2);
		this.gate.countDown();
		assertThat(first.join().values()).containsExactly(0, 2);
		next.forEach((each) -> assertThat(each.join().values()).containsExactly(1, 2));
	}

	@Test
	void broadcastCall_didNotExecute_whenDeadlineEndsItsWait() throws Exception {
		Instance full = instance(1);
		Cache cache = reference(RpcClient.builder(), ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(20)));
		full.behaviour = this::blocks;
		CompletableFuture<BroadcastReport<Integer>> first = Broadcast.to(cache).callLater((each) -> each.evict("a"));
		Eventually.until("it is full", () -> full.calls.get() == 1);
		BroadcastReport<Integer> second = CallOptions.none()
			.timeout(Duration.ofMillis(100))
			.call(() -> Broadcast.to(cache).call((each) -> each.evict("b")));
		assertThat(second.replies()).extracting(Reply::status).containsExactly(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(second.replies().get(0).mayHaveExecuted()).isFalse();
		this.gate.countDown();
		assertThat(first.join().values()).containsExactly(0);
		assertThat(full.calls).hasValue(1);
	}

	/** What waits for an instance that goes is told so, and goes to no other. */
	@Test
	void waitingCall_fails_whenItsInstanceLeaves() {
		Instance leaves = instance(1);
		instance(100);
		Cache cache = reference(RpcClient.builder(), ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(20)));
		leaves.behaviour = this::blocks;
		CompletableFuture<BroadcastReport<Integer>> first = Broadcast.to(cache).callLater((each) -> each.evict("a"));
		Eventually.until("it is full", () -> leaves.calls.get() == 1);
		CompletableFuture<BroadcastReport<Integer>> second = Broadcast.to(cache).callLater((each) -> each.evict("b"));
		Eventually.until("it waits", () -> this.client.references().get(0).waitingCalls() == 1);
		CompletableFuture<Void> ended = CompletableFuture
			.runAsync(() -> leaves.server.shutdown(Duration.ofSeconds(10)));
		Reply<Integer> reply = second.join().replies().get(0);
		assertThat(reply.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(reply.mayHaveExecuted()).isFalse();
		assertThat(Broadcast.to(cache).call((each) -> each.evict("c")).replies()).extracting(Reply::status)
			.containsExactly(RpcStatus.UNAVAILABLE, RpcStatus.OK);
		this.gate.countDown();
		assertThat(first.join().values()).containsExactly(0, 2);
		ended.join();
		assertThat(leaves.calls).hasValue(1);
	}

	@Test
	void broadcast_callsCurrentInstances_whenInstancesJoinAndLeave() {
		try (InMemoryRegistry registry = new InMemoryRegistry()) {
			for (int i = 0; i < 3; i++) {
				instance(100);
			}
			List<Registration> registrations = new ArrayList<>();
			this.instances.forEach((each) -> registrations.add(registry.register(registered(each))));
			this.client = RpcClient.builder().registry(registry).build();
			Cache cache = this.client.reference(Cache.class,
					ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(10)));
			Eventually.until("all are connected", () -> ReferenceStates.ready(this.client) == 3);
			for (int i = 0; i < ROUNDS; i++) {
				CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
					registrations.remove(2).close();
					registrations.add(registry.register(registered(this.instances.get(2))));
				});
				do {
					assertOnlyTheThirdMayFail(Broadcast.to(cache).call((each) -> each.evict("a7")));
				}
				while (!changes.isDone());
				changes.join();
			}
			assertThat(this.instances.get(0).calls.get()).isEqualTo(this.instances.get(1).calls.get());
			assertThat(Broadcast.to(cache).call((each) -> each.evict("a7")).replies()).extracting(Reply::id)
				.allSatisfy((id) -> assertThat(id).isNotEmpty());
		}
	}

	private void assertOnlyTheThirdMayFail(BroadcastReport<Integer> report) {
		assertThat(report.replies()).extracting(Reply::endpoint)
			.contains(this.instances.get(0).endpoint(), this.instances.get(1).endpoint())
			.doesNotHaveDuplicates()
			.hasSizeBetween(2, 3);
		assertThat(report.failures()).allSatisfy((each) -> {
			assertThat(each.endpoint()).isEqualTo(this.instances.get(2).endpoint());
			assertThat(each.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		});
	}

	private static ServiceInstance registered(Instance instance) {
		return new ServiceInstance("i" + instance.server.port(), "app", instance.endpoint(),
				ServiceInstance.DEFAULT_WEIGHT, 0, Set.of(new ServiceId(Cache.class.getName(), "", "")));
	}

	@Test
	void cancelledReport_cancelsItsCalls() {
		Cache cache = threeInstances();
		this.instances.forEach((each) -> each.behaviour = this::blocks);
		CompletableFuture<BroadcastReport<Integer>> report = Broadcast.to(cache).callLater((each) -> each.evict("a7"));
		Eventually.until("they run", () -> this.instances.stream().allMatch((each) -> each.calls.get() == 1));
		report.cancel(false);
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
	}

	@Test
	void interruptedBroadcast_cancelsItsCallsAndKeepsInterruptFlag() throws Exception {
		Cache cache = threeInstances();
		this.instances.forEach((each) -> each.behaviour = this::blocks);
		CompletableFuture<BroadcastReport<Integer>> report = new CompletableFuture<>();
		AtomicBoolean interrupted = new AtomicBoolean();
		Thread caller = new Thread(() -> {
			BroadcastReport<Integer> made = Broadcast.to(cache).call((each) -> each.evict("a7"));
			interrupted.set(Thread.currentThread().isInterrupted());
			report.complete(made);
		});
		caller.start();
		Eventually.until("they run", () -> this.instances.stream().allMatch((each) -> each.calls.get() == 1));
		caller.interrupt();
		assertThat(report.get().replies()).extracting(Reply::status).containsOnly(RpcStatus.CANCELLED);
		assertThat(report.get().replies()).extracting(Reply::mayHaveExecuted).containsOnly(true);
		assertThat(interrupted).isTrue();
	}

	/** Each of these threads waits for what they all would have to complete. */

}
