package io.rpcboot.spring.reference;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;

/** Fails twice where calls are repeated, and counts. */
class CatalogService implements Catalog {

	final AtomicInteger calls = new AtomicInteger();

	private final AtomicInteger running = new AtomicInteger();

	final AtomicInteger most = new AtomicInteger();

	@Override
	public String marked(String id) {
		return id;
	}

	@Override
	public String tenant() {
		RpcContext context = RpcContext.current();
		Attachments attachments = (context != null) ? context.attachments() : Attachments.none();
		return attachments.get("tenant");
	}

	@Override
	public String flaky(String id) {
		return repeated(id);
	}

	@Override
	public String repeated(String id) {
		if (this.calls.incrementAndGet() <= 2) {
			throw new RpcException(RpcStatus.UNAVAILABLE, "not yet", true);
		}
		return id + " after 2 failures";
	}

	@Override
	public void limited() {
		int now = this.running.incrementAndGet();
		this.most.accumulateAndGet(now, Math::max);
		Thread.yield();
		this.running.decrementAndGet();
	}

	@Override
	public String cached(String id) {
		return id + " " + this.calls.incrementAndGet();
	}

	@Override
	public CompletableFuture<String> later(String id) {
		return CompletableFuture.completedFuture(id);
	}

	@Override
	public String timed(String id) {
		return id;
	}

	@Override
	public String observed(String id) {
		return id;
	}

}
