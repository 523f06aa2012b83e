package io.rpcboot.test;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/** Active faults by interface. Any thread. */
final class ActiveFaults {

	private final Map<Class<?>, Fault> byService = new ConcurrentHashMap<>();

	/**
	 * A fault of the calls of a service.
	 *
	 * @param refusal status at the client, null if the call is sent
	 * @param delay time before the service runs, null for no limit
	 * @param stream fault of the streams that it returns, null if it has none
	 * @param over opens when the fault ends
	 */
	private record Fault(@Nullable RpcStatus refusal, @Nullable Duration delay, @Nullable StreamFault stream,
			CountDownLatch over) {

		/** Waits for the delay. Returns false if the fault ended first. */
		boolean lasts() throws InterruptedException {
			if (this.delay != null) {
				return !this.over.await(this.delay.toNanos(), TimeUnit.NANOSECONDS);
			}
			this.over.await();
			return false;
		}

	}

	void put(Class<?> service, @Nullable RpcStatus refusal, @Nullable Duration delay) {
		end(this.byService.put(service, new Fault(refusal, delay, null, new CountDownLatch(1))));
	}

	void put(Class<?> service, StreamFault stream) {
		end(this.byService.put(service, new Fault(null, null, stream, new CountDownLatch(1))));
	}

	void remove(Class<?> service) {
		end(this.byService.remove(service));
	}

	void clear() {
		this.byService.keySet().forEach(this::remove);
	}

	private static void end(@Nullable Fault fault) {
		if (fault != null) {
			fault.over().countDown();
			if (fault.stream() != null) {
				fault.stream().over().complete(null);
			}
		}
	}

	/** Returns the failure of a call that must not be sent; null if it may be sent. */
	@Nullable RpcException beforeSending(Class<?> service) {
		Fault fault = this.byService.get(service);
		if (fault == null || fault.refusal() == null) {
			return null;
		}
		return new RpcException(fault.refusal(),
				"the test refuses calls of %s; it did not execute".formatted(service.getName()), false, null, null,
				Map.of(), service.getName());
	}

	/**
	 * Delays or drops a call before the service runs. Called on the thread of the call.
	 */
	void beforeRunning(Class<?> service) throws InterruptedException {
		Fault fault = this.byService.get(service);
		if (fault != null && fault.refusal() == null && fault.stream() == null && !fault.lasts()
				&& fault.delay() == null) {
			throw new IllegalStateException("the test dropped this call of " + service.getName());
		}
	}

	/** Returns the result of a method, a stream with its fault. */
	@Nullable Object result(Class<?> service, Class<?> type, @Nullable Object result) {
		Fault fault = this.byService.get(service);
		return (fault == null || fault.stream() == null) ? result : fault.stream().in(type, result);
	}

}
