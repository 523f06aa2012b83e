package io.rpcboot.engine.access;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcMethod;
import io.rpcboot.context.RpcContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Tells who calls, and counts what was reached. */
final class GuardedImpl implements Guarded {

	/** Arguments that were created. */
	static final AtomicInteger READ = new AtomicInteger();

	/** Ends the wait of {@link #callerTwice}. */
	final CountDownLatch released = new CountDownLatch(1);

	/** Has a permit for each call that waits. */
	final Semaphore waiting = new Semaphore(0);

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
	@RpcMethod(nonBlocking = true)
	public String callerAtOnce() {
		return caller();
	}

	@Override
	public String callerTwice() {
		String first = caller();
		try {
			this.waiting.release();
			assertThat(this.released.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return first + " " + caller();
	}

	@Override
	public String open(Document document) {
		this.run.incrementAndGet();
		return document.title();
	}

}
