package io.rpcboot.registry.snapshot;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The thread of a snapshot and its clock, which a test moves. */
final class HandDrivenThread implements InstantSource {

	private final List<Task> tasks = new ArrayList<>();

	private Instant now = Instant.parse("2026-01-01T12:00:00Z");

	@Override
	public Instant instant() {
		return this.now;
	}

	/** An executor that another process may use after its end. */
	ScheduledExecutorService executor() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(HandDrivenThread.class.getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "schedule" -> {
						this.tasks.add(new Task((Runnable) arguments[0],
								this.now.plusNanos(((TimeUnit) arguments[2]).toNanos((long) arguments[1]))));
						yield null;
					}
					case "submit" -> {
						((Runnable) arguments[0]).run();
						yield CompletableFuture.completedFuture(null);
					}
					case "shutdown" -> {
						this.tasks.clear();
						yield null;
					}
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

	/** Let time go by, and run what is due, on this thread. */
	void pass(Duration time) {
		Instant end = this.now.plus(time);
		while (true) {
			Task next = this.tasks.stream()
				.filter((task) -> !task.at.isAfter(end))
				.min(Comparator.comparing(Task::at))
				.orElse(null);
			if (next == null) {
				this.now = end;
				return;
			}
			this.tasks.remove(next);
			this.now = next.at.isAfter(this.now) ? next.at : this.now;
			next.task.run();
		}
	}

	private record Task(Runnable task, Instant at) {
	}

}
