package io.rpcboot.registry.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A worker and its clock, which a test moves. */
final class HandDrivenWorker implements Worker, InstantSource {

	private final List<Task> tasks = new ArrayList<>();

	private Instant now = Instant.parse("2026-01-01T12:00:00Z");

	@Override
	public Instant instant() {
		return this.now;
	}

	@Override
	public void schedule(Runnable task, Duration delay) {
		this.tasks.add(new Task(task, this.now.plus(delay)));
	}

	/** The next process may use it. */
	@Override
	public void finish(Runnable last) {
		last.run();
		this.tasks.clear();
	}

	/** Do what is due until then. */
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
