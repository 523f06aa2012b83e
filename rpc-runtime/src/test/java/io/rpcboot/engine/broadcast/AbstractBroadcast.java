package io.rpcboot.engine.broadcast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcMethod;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;

/** Instances that do as each test says, and a client that knows them all. */
abstract class AbstractBroadcast {

	/** What instances offer. */
	public interface Cache {

		@RpcMethod(idempotent = true)
		int evict(String key);

		void clear();

		CompletableFuture<Integer> evictLater(String key);

		@RpcMethod(oneWay = true)
		void forget(String key);

		int evictChecked(String key) throws RefusedException;

		String nothing(String key);

	}

	/** One instance. */
	static final class Instance implements Cache {

		final AtomicInteger calls = new AtomicInteger();

		volatile IntSupplier behaviour;

		final RpcServer server;

		Instance(int number, int grant) {
			this.behaviour = () -> number;
			this.server = RpcServer.builder()
				.port(0)
				.bindAddress("127.0.0.1")
				.maxCallsPerConnection(grant)
				.service(Cache.class, this)
				.start();
		}

		@Override
		public int evict(String key) {
			this.calls.incrementAndGet();
			return this.behaviour.getAsInt();
		}

		@Override
		public void clear() {
			evict("");
		}

		@Override
		public CompletableFuture<Integer> evictLater(String key) {
			return CompletableFuture.completedFuture(evict(key));
		}

		@Override
		public void forget(String key) {
			evict(key);
		}

		@Override
		public int evictChecked(String key) throws RefusedException {
			if (evict(key) == 2) {
				throw new RefusedException("not this one", 7);
			}
			return 1;
		}

		@Override
		public String nothing(String key) {
			return (evict(key) == 2) ? null : key;
		}

		Endpoint endpoint() {
			return new Endpoint("127.0.0.1", this.server.port());
		}

	}

	final List<Instance> instances = new ArrayList<>();

	final CountDownLatch gate = new CountDownLatch(1);

	RpcClient client;

	@AfterEach
	void close() {
		this.gate.countDown();
		if (this.client != null) {
			Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0
					&& this.client.references().stream().allMatch((each) -> each.waitingCalls() == 0));
			this.client.close();
		}
		this.instances.forEach((each) -> each.server.close());
	}

	final Instance instance(int grant) {
		Instance made = new Instance(this.instances.size() + 1, grant);
		this.instances.add(made);
		return made;
	}

	final Cache threeInstances() {
		for (int i = 0; i < 3; i++) {
			instance(100);
		}
		return reference(RpcClient.builder(), ReferenceOptions.defaults());
	}

	final Cache reference(RpcClientBuilder builder, ReferenceOptions options, int... others) {
		List<Endpoint> all = new ArrayList<>(this.instances.stream().map(Instance::endpoint).toList());
		Arrays.stream(others).forEach((port) -> all.add(new Endpoint("127.0.0.1", port)));
		this.client = builder.connectionsPerEndpoint(1).build();
		Cache cache = this.client.reference(Cache.class, options.withEndpoints(all.toArray(Endpoint[]::new)));
		Eventually.until("all are connected", () -> ReferenceStates.ready(this.client) == this.instances.size());
		return cache;
	}

	final int blocks() {
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return 0;
	}

	static int fails() {
		throw new IllegalStateException("sick");
	}

}
