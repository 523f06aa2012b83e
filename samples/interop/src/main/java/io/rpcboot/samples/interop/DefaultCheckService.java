package io.rpcboot.samples.interop;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/** The implementation. */
final class DefaultCheckService implements CheckService {

	private final AtomicInteger cancelled = new AtomicInteger();

	private final AtomicInteger counted = new AtomicInteger();

	@Override
	public void pause(int millis) {
		CountDownLatch end = new CountDownLatch(1);
		Objects.requireNonNull(RpcContext.current()).onCancel(end::countDown);
		try {
			if (end.await(millis, TimeUnit.MILLISECONDS)) {
				this.cancelled.incrementAndGet();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public int cancelled() {
		return this.cancelled.get();
	}

	@Override
	public void count() {
		this.counted.incrementAndGet();
	}

	@Override
	public int counted() {
		return this.counted.get();
	}

	@Override
	public void fail(String message) {
		throw new IllegalStateException(message);
	}

	@Override
	public void refuse(String reason, int code) throws Refused {
		throw new Refused(reason, code);
	}

	@Override
	public @Nullable Item echo(@Nullable Item item) {
		return item;
	}

}
