package io.rpcboot.engine.broadcast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.BroadcastReport;
import io.rpcboot.client.BroadcastReport.Reply;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.engine.fixture.ServerProcess;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** One call at every instance, at instances that do as each test says. */
@Timeout(60)
class BroadcastIntegrationTests extends AbstractBroadcast {

	@Test
	void broadcast_callsAndReportsEachInstanceOnce() {
		Cache cache = threeInstances();
		BroadcastReport<Integer> report = Broadcast.to(cache).call((each) -> each.evict("a7"));
		assertThat(report.replies()).extracting(Reply::endpoint)
			.containsExactlyElementsOf(this.instances.stream().map(Instance::endpoint).toList());
		assertThat(report.throwIfFailed().values()).containsExactly(1, 2, 3);
		assertThat(report).hasToString(
				"%s.evict(java.lang.String) at every instance: 3 of 3 succeeded".formatted(Cache.class.getName()));
		assertThat(Broadcast.to(cache).run(Cache::clear).failures()).isEmpty();
		assertThat(Broadcast.to(cache).callLater((each) -> each.evict(null)).join().values()).containsExactly(1, 2, 3);
		assertThat(Broadcast.to(cache).runLater(Cache::clear).join().values()).containsExactly(null, null, null);
		assertThat(Broadcast.to(cache).callFuture((each) -> each.evictLater("x")).join().values()).containsExactly(1, 2,
				3);
		assertThat(Broadcast.to(cache).call((each) -> each.nothing("k")).values()).containsExactly("k", null, "k");
		assertThat(this.instances).extracting((each) -> each.calls.get()).containsExactly(6, 6, 6);
	}

	@Test
	void report_hasStatusOfEachInstance_withMixedOutcomes() throws Exception {
		int nobody = Ports.free();
		for (int i = 0; i < 3; i++) {
			instance(100);
		}
		Cache cache = reference(RpcClient.builder(), ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(3)),
				nobody);
		this.instances.get(0).behaviour = AbstractBroadcast::fails;
		this.instances.get(1).behaviour = this::blocks;
		BroadcastReport<Integer> report = Broadcast.to(cache).call((each) -> each.evict("a7"));
		assertThat(report.values()).containsExactly(3);
		assertThat(report.replies()).extracting(Reply::status)
			.containsExactly(RpcStatus.APPLICATION, RpcStatus.DEADLINE_EXCEEDED, RpcStatus.OK, RpcStatus.UNAVAILABLE);
		assertThat(report.replies()).extracting(Reply::mayHaveExecuted).containsExactly(true, true, true, false);
		assertThat(report.failures().get(2).failure()).hasMessageContaining("BACKING_OFF: cannot connect");
		assertThat(this.instances).extracting((each) -> each.calls.get())
			.as("idempotent, and yet made once")
			.containsExactly(1, 1, 1);
		assertThatExceptionOfType(RpcException.class).isThrownBy(report::throwIfFailed)
			.matches((ex) -> ex.status() == RpcStatus.APPLICATION && ex.mayHaveExecuted())
			.matches((ex) -> ex.getCause() == report.replies().get(0).failure() && ex.getSuppressed().length == 2)
			.withMessageContaining("1 of 4 succeeded")
			.withMessageContaining("127.0.0.1:" + nobody + ": ");
	}

	@Test
	void declaredException_isReportedUnchanged() {
		BroadcastReport<Integer> report = Broadcast.to(threeInstances()).call((each) -> each.evictChecked("a7"));
		assertThat(report.replies()).extracting(Reply::status)
			.containsExactly(RpcStatus.OK, RpcStatus.DECLARED, RpcStatus.OK);
		assertThat(report.failures().get(0).failure()).isInstanceOfSatisfying(RefusedException.class,
				(ex) -> assertThat(ex.code()).isEqualTo(7));
	}

	@Test
	void oneWayBroadcast_completes_afterHandingOverEachCall() throws Exception {
		instance(100);
		Cache cache = reference(RpcClient.builder(), ReferenceOptions.defaults(), Ports.free());
		BroadcastReport<Void> report = Broadcast.to(cache).run((each) -> each.forget("a7"));
		assertThat(report.replies()).extracting(Reply::status).containsExactly(RpcStatus.OK, RpcStatus.UNAVAILABLE);
		Eventually.until("it ran", () -> this.instances.get(0).calls.get() == 1);
		assertThat(Broadcast.to(cache)
			.runLater((each) -> each.forget("b"))
			.thenApply((any) -> Thread.currentThread().getName())
			.join()).as("no event loop runs what follows").matches("main|rpc-callback-\\d+");
	}

	@Test
	void frozenInstance_isReportedByEachBroadcast() throws Exception {
		try (ServerProcess frozen = new ServerProcess("", 0);
				RpcServer other = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start()) {
			this.client = RpcClient.builder().timeout(Duration.ofSeconds(3)).build();
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(frozen.port(), other.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(this.client) == 2);
			frozen.suspend(true);
			Eventually.until("it is noticed", () -> {
				BroadcastReport<String> report = Broadcast.to(calls).call((each) -> each.greet("x"));
				assertThat(report.replies()).extracting(Reply::status)
					.containsExactly(RpcStatus.DEADLINE_EXCEEDED, RpcStatus.OK);
				return ReferenceStates.ready(this.client) == 1;
			});
			assertThat(Broadcast.to(calls).call((each) -> each.greet("x")).replies()).extracting(Reply::status)
				.containsExactly(RpcStatus.DEADLINE_EXCEEDED, RpcStatus.OK);
			frozen.suspend(false);
		}
	}

	@Test
	void callbackThread_mayBlockOnBroadcast() {
		for (int i = 0; i < 2; i++) {
			instance(100);
		}
		Cache cache = reference(RpcClient.builder().callbackThreads(1), ReferenceOptions.defaults());
		BroadcastReport<Integer> report = cache.evictLater("a")
			.thenApply((any) -> Broadcast.to(cache).call((each) -> each.evict("b")))
			.join();
		assertThat(report.values()).containsExactly(1, 2);
	}

	@Test
	void broadcast_callsAllInstances_whenPendingCallsAreLimited() {
		Cache cache;
		for (int i = 0; i < 5; i++) {
			instance(100);
		}
		cache = reference(RpcClient.builder().maxPendingCalls(2), ReferenceOptions.defaults());
		for (int i = 0; i < 50; i++) {
			assertThat(Broadcast.to(cache).call((each) -> each.evict("a7")).throwIfFailed().values()).hasSize(5);
		}
	}

	@Test
	void broadcast_ends_whenClientCloses() {
		Cache cache = threeInstances();
		this.instances.forEach((each) -> each.behaviour = this::blocks);
		CompletableFuture<BroadcastReport<Integer>> under = Broadcast.to(cache).callLater((each) -> each.evict("a7"));
		Eventually.until("they run", () -> this.instances.stream().allMatch((each) -> each.calls.get() == 1));
		this.gate.countDown();
		this.client.close();
		assertThat(under.join().replies()).hasSize(3);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> Broadcast.to(cache).run(Cache::clear))
			.withMessageContaining("the client is closed")
			.matches((ex) -> !ex.mayHaveExecuted());
		this.client = null;
	}

}
