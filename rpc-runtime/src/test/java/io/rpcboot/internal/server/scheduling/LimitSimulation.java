package io.rpcboot.internal.server.scheduling;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

import io.rpcboot.transport.LimitInfo;

/**
 * A service with 200 threads, its queue and its callers, in steps of simulated time. The
 * queue is first in, first out, and last in, first out once a call has waited for 100 ms.
 * Calls that cannot end in time do not start.
 */
final class LimitSimulation {

	static final int THREADS = 200;

	private static final long STEP_NANOS = 250_000;

	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	final GradientLimit limit = new GradientLimit();

	final MinServiceTime method = new MinServiceTime();

	/** Limit at the end of each tenth of a second, 200 while it holds nothing back. */
	final List<Integer> limits = new ArrayList<>();

	private final Random random = new Random(1);

	private final List<Call> running = new ArrayList<>();

	private final Deque<Call> waiting = new ArrayDeque<>();

	private final long timeoutNanos;

	private final boolean isLimited;

	/** Calls that progress at the same time; the others wait in their threads. */
	private int atOnce = THREADS;

	/** True if all calls share what atOnce of them could use: the CPU. */
	private boolean shares;

	private DoubleSupplier millis = () -> 20;

	/** Shortest time of a call. */
	private double leastMillis;

	private boolean hangs;

	private double callsPerSecond;

	private int closedCallers;

	private int freeCallers;

	private long now = TimeUnit.SECONDS.toNanos(1000);

	int executed;

	int inTime;

	LimitSimulation(long timeoutMillis, boolean isLimited) {
		this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
		this.isLimited = isLimited;
	}

	/** Of the calls on threads the first ones progress: a pool of connections. */
	LimitSimulation pool(int size, double callMillis) {
		this.atOnce = size;
		this.shares = false;
		this.millis = () -> callMillis;
		this.leastMillis = callMillis;
		return this;
	}

	LimitSimulation processors(int count, double callMillis) {
		this.atOnce = count;
		this.shares = true;
		this.millis = () -> callMillis;
		this.leastMillis = callMillis;
		return this;
	}

	/** Calls that wait for others, for exponentially distributed times. */
	LimitSimulation waits(double meanMillis) {
		this.millis = () -> -meanMillis * Math.log(1 - this.random.nextDouble());
		return this;
	}

	LimitSimulation hangs(boolean on) {
		this.hangs = on;
		return this;
	}

	LimitSimulation open(double rate) {
		this.callsPerSecond = rate;
		return this;
	}

	LimitSimulation closed(int callers) {
		this.closedCallers = callers;
		this.freeCallers = callers;
		return this;
	}

	/** Counts the calls from now on. */
	LimitSimulation run(double seconds) {
		this.executed = 0;
		this.inTime = 0;
		this.limits.clear();
		long steps = Math.round(seconds * 1e9 / STEP_NANOS);
		for (long i = 1; i <= steps; i++) {
			this.now += STEP_NANOS;
			end();
			give();
			arrive();
			start();
			if (i % (SLOW_NANOS / STEP_NANOS) == 0) {
				this.limits.add((int) Math.min(THREADS, this.limit.limit()));
			}
		}
		return this;
	}

	/** Makes one of the calls that end next a late one. */
	void oneIsLate() {
		this.limit.ended(this.method, 1, true, !this.waiting.isEmpty(), this.now);
	}

	private void end() {
		double progress = STEP_NANOS / 1e6;
		if (this.shares) {
			progress *= Math.min(1, (double) this.atOnce / Math.max(1, this.running.size()));
		}
		int left = (this.shares) ? Integer.MAX_VALUE : this.atOnce;
		for (Iterator<Call> each = this.running.iterator(); each.hasNext() && left > 0 && !this.hangs; left--) {
			Call call = each.next();
			call.millisLeft -= progress;
			if (call.millisLeft <= 0) {
				each.remove();
				ended(call);
			}
		}
	}

	private void ended(Call call) {
		boolean late = this.now - call.deadlineNanos > 0;
		this.executed++;
		this.inTime += late ? 0 : 1;
		this.freeCallers++;
		this.limit.ended(this.method, this.now - call.startedNanos, late, !this.waiting.isEmpty(), this.now);
	}

	/** Gives up calls that cannot end in time. */
	private void give() {
		int before = this.waiting.size();
		this.waiting.removeIf((call) -> this.now + this.leastMillis * 1e6 > call.deadlineNanos);
		this.freeCallers += before - this.waiting.size();
	}

	private void arrive() {
		int count = 0;
		double chance = Math.exp(-this.callsPerSecond * STEP_NANOS / 1e9);
		for (double p = this.random.nextDouble(); p > chance; p *= this.random.nextDouble()) {
			count++;
		}
		if (this.closedCallers > 0) {
			count = this.freeCallers;
			this.freeCallers = 0;
		}
		boolean first = this.waiting.isEmpty();
		for (int i = 0; i < count; i++) {
			this.waiting.add(new Call(this.millis.getAsDouble(), this.now, this.now + this.timeoutNanos));
		}
		if (first && count > 0) {
			this.limit.waits(this.now);
		}
	}

	private void start() {
		while (!this.waiting.isEmpty() && this.running.size() < THREADS && admits()) {
			boolean lastIn = this.now - this.waiting.getFirst().arrivedNanos > SLOW_NANOS;
			Call call = lastIn ? this.waiting.removeLast() : this.waiting.removeFirst();
			call.startedNanos = this.now;
			this.limit.begins(this.running.size(), this.now);
			this.running.add(call);
		}
	}

	private boolean admits() {
		return !this.isLimited || this.limit.admits(this.method, this.running.size(), this.now);
	}

	LimitInfo describe() {
		return this.limit.describe("demo.Stock", THREADS, this.running.size(), this.now);
	}

	int running() {
		return this.running.size();
	}

	private static final class Call {

		private double millisLeft;

		private final long arrivedNanos;

		private final long deadlineNanos;

		private long startedNanos;

		private Call(double millisLeft, long arrivedNanos, long deadlineNanos) {
			this.millisLeft = millisLeft;
			this.arrivedNanos = arrivedNanos;
			this.deadlineNanos = deadlineNanos;
		}

	}

}
