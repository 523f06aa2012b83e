package io.rpcboot.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.fork.ForkMain;
import org.jspecify.annotations.Nullable;

/**
 * The driver's end of one measured process: a line goes in, a line comes out.
 */
final class Fork implements AutoCloseable {

	private static final Duration START_PATIENCE = Duration.ofSeconds(60);

	private static final int END_PATIENCE_SECONDS = 10;

	private static final String END = "";

	private final Path log;

	private final Process process;

	private final Writer in;

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private String ready = "";

	private Fork(Path log, Process process) {
		this.log = log;
		this.process = process;
		this.in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
		Thread reader = new Thread(this::read, "reader of " + log.getFileName());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * The process, which has to be there.
	 * @throws BenchmarkException if it was not started
	 */
	static Fork started(@Nullable Fork fork) {
		if (fork == null) {
			throw new BenchmarkException("was not started");
		}
		return fork;
	}

	/**
	 * Start a process.
	 * @param log what to call the file of what it prints
	 * @param role server or client
	 * @param args what it is told beside the system
	 */
	static Fork start(Environment environment, MeasuredSystem system, String log, String role, String... args)
			throws IOException {
		return start(ForkMain.class, environment, system, log, role, args);
	}

	/**
	 * Start a process with another main class, which speaks as {@link ForkMain} does.
	 * @param main the main class
	 * @param log what to call the file of what it prints
	 * @param role server or client
	 * @param args what it is told beside the system
	 */
	static Fork start(Class<?> main, Environment environment, MeasuredSystem system, String log, String role,
			String... args) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(environment.java().toString());
		command.addAll(environment.jvmArgs());
		command.addAll(system.jvmArgs());
		command.addAll(List.of("-classpath", system.classPath(role), main.getName(), role, system.implementation()));
		command.addAll(List.of(args));
		Path file = environment.output().resolve(system.name() + "-" + log + ".log");
		Process process = new ProcessBuilder(command).redirectError(file.toFile()).start();
		return new Fork(file, process);
	}

	private void read() {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			String line;
			while ((line = reader.readLine()) != null) {
				this.lines.add(line);
			}
		}
		catch (IOException ignored) {
			// the same as the end
		}
		this.lines.add(END);
	}

	/**
	 * Wait until the process can be used.
	 * @return what it says of itself
	 * @throws BenchmarkException if it ends before or takes too long
	 */
	String awaitReady() throws InterruptedException {
		this.ready = answer(START_PATIENCE, ForkMain.READY);
		return this.ready;
	}

	/** What it said when it was ready. */
	String ready() {
		return this.ready;
	}

	long pid() {
		return this.process.pid();
	}

	String ask(String line, Duration patience) throws InterruptedException {
		tell(line);
		return answer(patience);
	}

	/** Let the process begin what {@link #answer(Duration)} waits for. */
	void tell(String line) {
		try {
			this.in.write(line + "\n");
			this.in.flush();
		}
		catch (IOException ex) {
			throw new BenchmarkException("process has ended, see " + this.log);
		}
	}

	String answer(Duration patience) throws InterruptedException {
		return answer(patience, ForkMain.RESULT);
	}

	private String answer(Duration patience, String expected) throws InterruptedException {
		@Nullable String line = this.lines.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
		if (line == null) {
			this.process.destroyForcibly(); // a late answer would be taken for the next
											// one
			throw new BenchmarkException("no answer in " + patience.toSeconds() + " s, see " + this.log);
		}
		if (line.equals(END)) {
			this.lines.add(END);
			throw new BenchmarkException("process has ended, see " + this.log);
		}
		String[] parts = line.split(" ", 2);
		if (!parts[0].equals(expected)) {
			throw new BenchmarkException(parts[1] + ", see " + this.log);
		}
		return parts[1];
	}

	@Override
	public void close() {
		try {
			this.in.close();
			if (this.process.waitFor(END_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				return;
			}
		}
		catch (IOException ignored) {
			// it has ended by itself
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.process.destroyForcibly();
	}

}
