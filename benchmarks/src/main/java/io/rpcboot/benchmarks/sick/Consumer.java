package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A process of callers, as the measuring process sees it. */
final class Consumer implements AutoCloseable {

	private static final int PATIENCE_SECONDS = 120;

	/** Until a line of an instance has been read, see {@link Lines}. */
	private static final long TOLD_MILLIS = 200;

	/** Calls of different consumers have different numbers. */
	private static final long MOST_CALLS = 100_000_000;

	private static final AtomicLong NUMBERS = new AtomicLong();

	private final List<Call> calls = new ArrayList<>();

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	private final Child child;

	/**
	 * Start one.
	 * @param clients number of its applications
	 * @param directory of the log
	 * @param properties of the applications
	 */
	Consumer(int clients, Path directory, List<String> properties) throws IOException {
		List<String> args = new ArrayList<>(
				List.of(String.valueOf(clients), String.valueOf(NUMBERS.incrementAndGet() * MOST_CALLS)));
		args.addAll(properties);
		this.child = Child.start(ConsumerProcess.class, args, directory.resolve(Child.LOG), this::take);
	}

	private void take(String line) {
		if (line.startsWith(Traffic.CALL)) {
			this.calls.add(Call.parse(line.substring(Traffic.CALL.length())));
		}
		else if (line.equals(ConsumerProcess.READY)) {
			this.ready.complete(null);
		}
		else if (line.equals(ConsumerProcess.DONE)) {
			this.done.complete(null);
		}
		else if (line.equals(Child.ENDED)) {
			this.ready.completeExceptionally(new IllegalStateException("it has ended"));
			this.done.completeExceptionally(new IllegalStateException("it has ended"));
		}
	}

	/**
	 * Begin to call, as soon as it can.
	 * @param rate calls in a second
	 * @param writes share of the calls that are not idempotent
	 */
	void load(int rate, double writes) throws IOException, InterruptedException {
		await(this.ready);
		this.child.say("load " + rate + " " + writes);
	}

	/**
	 * Begin no more calls, and wait for the end of all, and for what instances have seen.
	 * @return all calls
	 */
	List<Call> stop() throws IOException, InterruptedException {
		this.child.say("stop");
		await(this.done);
		TimeUnit.MILLISECONDS.sleep(TOLD_MILLIS);
		return this.calls;
	}

	private static void await(CompletableFuture<Void> word) throws InterruptedException {
		try {
			word.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("a consumer says nothing, see sick.log", ex);
		}
	}

	@Override
	public void close() {
		this.child.close();
	}

}
