package io.rpcboot.engine.access;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcMethod;
import io.rpcboot.context.RpcContext;

/** Tells who calls, and counts what was reached. */
final class GuardedImpl implements Guarded {

	/** Arguments that were created. */
	static final AtomicInteger READ = new AtomicInteger();

	/** Calls that ran. */
	final AtomicInteger run = new AtomicInteger();

	@Override
	public String caller() {
		this.run.incrementAndGet();
		return Objects.requireNonNull(RpcContext.current()).caller().getName();
	}

	@Override
	@RpcMethod(nonBlocking = true)
	public String callerOnLoop(byte[] any) {
		return caller() + " " + any.length;
	}

	@Override
	public String open(Document document) {
		this.run.incrementAndGet();
		return document.title();
	}

}
