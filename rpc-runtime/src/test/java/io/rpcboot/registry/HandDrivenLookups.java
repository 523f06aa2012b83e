package io.rpcboot.registry;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Threads of look-ups whose clock stands until a test moves it, and which run what is
 * handed to them when the test says so.
 */
public final class HandDrivenLookups implements InvocationHandler {

	private final List<Timer> timers = new ArrayList<>();

	private final Queue<Runnable> workers = new ArrayDeque<>();

	private long now;

	private record Timer(Runnable task, long due) {
	}

	/** Threads in the hands of the test. */
	public LookupThreads threads() {
		ScheduledExecutorService timer = (ScheduledExecutorService) Proxy.newProxyInstance(
				HandDrivenLookups.class.getClassLoader(), new Class<?>[] { ScheduledExecutorService.class }, this);
		return new LookupThreads(timer, this.workers::add, () -> this.now);
	}

	@Override
	public Object invoke(Object proxy, Method method, Object[] arguments) {
		return switch (method.getName()) {
			case "schedule" -> add(new Timer((Runnable) arguments[0],
					this.now + ((TimeUnit) arguments[2]).toNanos((long) arguments[1])));
			case "shutdownNow" -> {
				this.timers.clear();
				yield List.of();
			}
			default -> throw new UnsupportedOperationException(method.getName());
		};
	}

	private Future<?> add(Timer timer) {
		this.timers.add(timer);
		return (Future<?>) Proxy.newProxyInstance(HandDrivenLookups.class.getClassLoader(),
				new Class<?>[] { ScheduledFuture.class }, (proxy, method, arguments) -> this.timers.remove(timer));
	}

	/** Let time go by, and run what is due, on this thread. */
	public void pass(Duration time) {
		long end = this.now + time.toNanos();
		for (Timer due = due(end); due != null; due = due(end)) {
			this.now = Math.max(this.now, due.due());
			this.timers.remove(due);
			due.task().run();
			runWorkers();
		}
		this.now = end;
	}

	/** Let time go by without a worker that begins anything. */
	public void passWithoutWorkers(Duration time) {
		long end = this.now + time.toNanos();
		for (Timer due = due(end); due != null; due = due(end)) {
			this.now = Math.max(this.now, due.due());
			this.timers.remove(due);
			due.task().run();
		}
		this.now = end;
	}

	private Timer due(long end) {
		return this.timers.stream()
			.filter((timer) -> timer.due() <= end)
			.min(Comparator.comparingLong(Timer::due))
			.orElse(null);
	}

	/** Run what has been handed over. */
	public void runWorkers() {
		for (Runnable task = this.workers.poll(); task != null; task = this.workers.poll()) {
			task.run();
		}
	}

	/** What nobody has begun yet. */
	public int waiting() {
		return this.workers.size();
	}

	/** Times that are set. */
	public int timers() {
		return this.timers.size();
	}

}
