package io.rpcboot.internal.server.scheduling;

import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import io.rpcboot.MethodDescriptor;

/**
 * Estimates the size of the responses of a method, so that memory is reserved before a
 * call runs: expected = the largest response of this second and of the one before, a
 * windowed maximum. Time lowers it, never the number of short responses: a client that
 * asks for them in between cannot hide how long the next ones are. Any thread; a lost
 * update does no harm.
 * <p>
 * The size is unknown until eight calls are answered, and again after a response of more
 * than twice the estimate. Until it is known few calls run at the same time, because the
 * application allocates each result before the engine sees its size.
 */
public final class ResponseSizeEstimator implements IntConsumer {

	/**
	 * Responses up to this size in bytes are built in the buffer of their thread; one of
	 * unknown size reserves as much.
	 */
	private static final int MIN_SIZE = 64 * 1024;

	/** Number of answers after which the size is known. */
	private static final int ANSWERS = 8;

	/** Time without a reserved response after which all responses count as small. */
	private static final long SMALL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Time after which the largest response of a period is the estimate. */
	private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Estimate in bytes; 0 while all responses are small. */
	public volatile int expected;

	/** Estimate from complete responses. */
	private volatile int made = MIN_SIZE;

	/** Number of answers until the size is known. */
	private volatile int unknown;

	/** Instant from which responses count as small, as {@link System#nanoTime()}. */
	private volatile long smallFrom = System.nanoTime();

	/** Largest response of this period in bytes. */
	private volatile int largest;

	/** Begin of this period, as {@link System#nanoTime()}. */
	private volatile long periodStart = System.nanoTime();

	/** Number of calls that run and have reserved memory. Guarded by this object. */
	private int running;

	/** Calls that wait until another one is answered. Guarded by this object. */
	private final Set<ScheduledCall> waiting = new LinkedHashSet<>();

	/**
	 * Creates an estimator without responses.
	 * @param areSmall true if all responses are small whatever the application does
	 */
	public ResponseSizeEstimator(boolean areSmall) {
		this.unknown = areSmall ? 0 : ANSWERS;
		this.expected = areSmall ? 0 : MIN_SIZE;
	}

	/**
	 * Returns an estimator for a method. Numbers, enums and nothing are small. Streams
	 * last, and have a window for each element.
	 */
	public static ResponseSizeEstimator of(MethodDescriptor method) {
		Type type = method.method().getGenericReturnType();
		if (type instanceof ParameterizedType future && method.style() == MethodDescriptor.Style.FUTURE) {
			type = future.getActualTypeArguments()[0];
		}
		boolean isFixed = type instanceof Class<?> plain
				&& (plain.isEnum() || MethodType.methodType(plain).unwrap().returnType().isPrimitive());
		return new ResponseSizeEstimator(isFixed || method.isStreaming());
	}

	/** Records a response that was reserved in the memory budget. */
	public void entered() {
		this.smallFrom = System.nanoTime() + SMALL_AFTER_NANOS;
	}

	/** Returns true if responses need no memory of the budget. */
	public boolean areSmall() {
		return System.nanoTime() - this.smallFrom >= 0;
	}

	/** Raises the estimate while a response is being built. */
	@Override
	public void accept(int bytes) {
		if (bytes > MIN_SIZE && bytes > this.expected) {
			this.expected = bytes;
			if (bytes / 2 > this.made) {
				this.unknown = ANSWERS;
			}
		}
	}

	/**
	 * Updates the estimate by a complete response.
	 * @param bytes its length, 0 for a failure
	 * @param isCalm true if memory is plenty. Else the estimate is not lowered: small
	 * responses between large ones would admit calls for whose responses there is no
	 * memory, each with a thread and the objects of the implementation
	 * @param now {@link System#nanoTime()}
	 */
	public void made(int bytes, boolean isCalm, long now) {
		accept(bytes);
		this.largest = Math.max(bytes, this.largest);
		this.made = Math.max(bytes, this.made);
		int missing = this.unknown;
		if (missing > 0) {
			this.unknown = missing - 1;
		}
		if (missing == 1 || (missing == 0 && now - this.periodStart >= PERIOD_NANOS)) {
			if (missing == 1 || isCalm) {
				lower();
			}
			this.largest = bytes;
			this.periodStart = now;
		}
	}

	private void lower() {
		int next = this.largest;
		this.made = Math.max(MIN_SIZE, next);
		this.expected = (next > MIN_SIZE) ? next : 0;
	}

	/**
	 * Counts a call that is about to run.
	 * @param most largest number of calls while the size is unknown
	 * @return false if it has to wait
	 */
	public synchronized boolean begin(long most) {
		boolean begins = this.unknown == 0 || this.running < most;
		this.running += begins ? 1 : 0;
		return begins;
	}

	/**
	 * Adds a call that has to wait.
	 * @param most largest number of calls while the size is unknown
	 * @return false if it may run meanwhile
	 */
	public synchronized boolean await(ScheduledCall call, long most) {
		return this.unknown > 0 && this.running >= most && this.waiting.add(call);
	}

	/** Removes a call that waits. Returns false if it does not. */
	public synchronized boolean leave(ScheduledCall call) {
		return this.waiting.remove(call);
	}

	/** Ends a call that has begun. Returns the calls that wait no more. */
	public synchronized List<ScheduledCall> end() {
		this.running--;
		List<ScheduledCall> next = this.waiting.stream().limit((this.unknown == 0) ? Long.MAX_VALUE : 1).toList();
		next.forEach(this.waiting::remove);
		return next;
	}

}
