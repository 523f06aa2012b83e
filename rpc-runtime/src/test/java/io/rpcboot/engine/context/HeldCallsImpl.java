package io.rpcboot.engine.context;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Last hop, which holds answers until a test lets them go. */
final class HeldCallsImpl implements HeldCalls {

	private final BlockingQueue<CompletableFuture<String>> gates = new LinkedBlockingQueue<>();

	final BlockingQueue<Map<String, String>> seen = new LinkedBlockingQueue<>();

	final BlockingQueue<String> hanging = new LinkedBlockingQueue<>();

	final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();

	private static Map<String, String> look() {
		RpcContext context = RpcContext.current();
		assertThat(context).isNotNull();
		Map<String, String> all = new TreeMap<>(context.attachments().asMap());
		all.put("millis", String.valueOf(context.remaining().toMillis()));
		return all;
	}

	/** Answers the calls of {@code first} that have arrived or will. */
	void open(int calls) throws InterruptedException {
		for (int i = 0; i < calls; i++) {
			CompletableFuture<String> gate = this.gates.poll(20, TimeUnit.SECONDS);
			assertThat(gate).as("call " + i).isNotNull();
			gate.complete("first");
		}
	}

	@Override
	public CompletableFuture<String> first(String word) {
		CompletableFuture<String> gate = new CompletableFuture<>();
		this.gates.add(gate);
		return gate;
	}

	@Override
	public CompletableFuture<String> failing(String word) {
		return first(word).thenApply((any) -> {
			throw new RpcException(RpcStatus.NOT_FOUND, "there is no " + word, true);
		});
	}

	@Override
	public CompletableFuture<Map<String, String>> second(String word) {
		return CompletableFuture.completedFuture(look());
	}

	@Override
	public Map<String, String> secondNow(String word) {
		return look();
	}

	@Override
	public void told(String word) {
		this.seen.add(look());
	}

	@Override
	public CompletableFuture<String> hang(String word) {
		CompletableFuture<String> result = new CompletableFuture<>();
		RpcContext context = RpcContext.current();
		assertThat(context).isNotNull();
		context.onCancel(() -> {
			this.cancelled.add(word);
			result.cancel(false);
		});
		this.hanging.add(word);
		return result;
	}

}
