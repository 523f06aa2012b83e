package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.client.call.CalledMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.RouteKeys;
import io.rpcboot.internal.client.limits.CallLimit;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.workload.UserService;

/** Calls of a client that has no connections, by a clock that stands still. */
public final class TimedCalls {

	public static final long TIMEOUT_MILLIS = 1000;

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(UserService.class);

	private static final MethodDescriptor METHOD = SERVICE.methods().get(0);

	private static final MethodCodec CODEC = new ProtostuffSerializer().codec(SERVICE).method(0);

	private static final CalledMethod CALLED = new CalledMethod(METHOD, CODEC, null,
			TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS), 0, false, false, false, RouteKeys.NONE);

	private final AtomicLong clock = new AtomicLong(1L << 40);

	/** How many may be under way, of whom nobody waits in the queue. */
	public CallLimit limit(int max, WhenFull whenFull) {
		return new CallLimit(max, whenFull, nobody(), this.clock::get);
	}

	private static ScheduledExecutorService nobody() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(TimedCalls.class.getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, method, arguments) -> null);
	}

	public void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/** A call begins now. */
	public ClientCall begins() {
		return new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
	}

	/** It was under way, and ends by so much after its time. */
	public void endsLate(CallLimit where, ClientCall call, long lateMillis) {
		pass(TIMEOUT_MILLIS + lateMillis);
		fails(where, call, true);
	}

	/**
	 * A call fails.
	 * @param entered whether it was under way
	 */
	public void fails(CallLimit where, ClientCall call, boolean entered) {
		if (entered) {
			where.failed(call.startNanos, call.deadlineNanos());
		}
	}

	/** Answers, each a millisecond after the call, while all room is taken. */
	public void answers(CallLimit where, int calls) {
		for (int i = 0; i < calls; i++) {
			where.room.drainPermits();
			answersAfter(where, 1);
		}
	}

	/** A call and its answer. */
	public void answersAfter(CallLimit where, long millis) {
		pass(1);
		ClientCall call = begins();
		pass(millis);
		where.answered(call.startNanos, 0);
	}

}
