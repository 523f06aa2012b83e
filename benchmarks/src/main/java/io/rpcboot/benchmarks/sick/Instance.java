package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** An instance, as the measuring process sees it. */
final class Instance implements AutoCloseable {

	private static final int PATIENCE_SECONDS = 60;

	private static final String LEDGER = "ledger-";

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	private final Arrivals arrivals = new Arrivals();

	private final CompletableFuture<Integer> port = new CompletableFuture<>();

	private final Path ledger;

	private final Child child;

	/**
	 * Start one.
	 * @param directory of its ledger and the log
	 * @param properties its arguments
	 */
	Instance(Path directory, List<String> properties) throws IOException {
		this.ledger = directory.resolve(LEDGER + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet());
		List<String> args = new ArrayList<>(properties);
		args.add("--sick.ledger=" + this.ledger);
		this.child = Child.start(InstanceProcess.class, args, directory.resolve(Child.LOG), this::take);
	}

	private void take(String line) {
		if (line.startsWith(InstanceProcess.BEGUN)) {
			this.arrivals.add(line.substring(InstanceProcess.BEGUN.length()));
		}
		else if (line.startsWith(InstanceProcess.PORT)) {
			this.port.complete(Integer.parseInt(line.substring(InstanceProcess.PORT.length())));
		}
		else if (line.equals(Child.ENDED)) {
			this.port.completeExceptionally(new IllegalStateException("it has ended"));
		}
	}

	/** Its port, when it serves. */
	int port() throws InterruptedException {
		try {
			return this.port.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("an instance did not start, see sick.log", ex);
		}
	}

	Arrivals arrivals() {
		return this.arrivals;
	}

	Child child() {
		return this.child;
	}

	/** Tell it what is wrong with it. */
	void become(String illness) throws IOException {
		this.child.say(illness);
	}

	/** The writes that began here, in their order, also after the process was killed. */
	List<Long> ledger() throws IOException {
		List<Long> numbers = new ArrayList<>();
		ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(this.ledger));
		while (bytes.remaining() >= Long.BYTES) {
			numbers.add(bytes.getLong());
		}
		return numbers;
	}

	@Override
	public void close() {
		this.child.close();
	}

	/** Delete what runs have left behind that were killed. */
	static void deleteLedgers(Path directory) throws IOException {
		try (DirectoryStream<Path> ledgers = Files.newDirectoryStream(directory, LEDGER + "*")) {
			for (Path ledger : ledgers) {
				Files.delete(ledger);
			}
		}
	}

	/** Delete what it has written. */
	void forget() throws IOException {
		Files.deleteIfExists(this.ledger);
	}

}
