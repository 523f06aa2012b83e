package io.rpcboot.benchmarks.sick;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.benchmarks.Launchers;

/**
 * A process that is measured. It ends when this one does, because its standard input ends
 * then.
 */
final class Child implements AutoCloseable {

	/** Where lines go that are for nobody. */
	static final String LOG = "sick.log";

	/** What the last line is. */
	static final String ENDED = "ended";

	private static final int PATIENCE_SECONDS = 30;

	private final Process process;

	private final Writer commands;

	private final Thread reader;

	private Child(Process process, Thread reader) {
		this.process = process;
		this.commands = process.outputWriter(StandardCharsets.UTF_8);
		this.reader = reader;
	}

	/**
	 * Start one.
	 * @param main what it runs
	 * @param args its arguments
	 * @param log where lines go that are for nobody
	 * @param lines takes the others, one after the other
	 */
	static Child start(Class<?> main, List<String> args, Path log, Consumer<String> lines) throws IOException {
		List<String> command = new ArrayList<>(List.of(Launchers.own().toString(), "-Xmx192m", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(args);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		Thread reader = new Thread(() -> read(process, log, lines), "output-of-" + process.pid());
		reader.setDaemon(true);
		reader.start();
		return new Child(process, reader);
	}

	private static void read(Process process, Path log, Consumer<String> lines) {
		try (BufferedReader in = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				if (line.startsWith(Lines.MARK)) {
					lines.accept(line.substring(Lines.MARK.length()));
				}
				else {
					Files.writeString(log, process.pid() + " " + line + "\n", StandardOpenOption.CREATE,
							StandardOpenOption.APPEND);
				}
			}
		}
		catch (IOException ignored) {
			// it was killed
		}
		lines.accept(ENDED);
	}

	/** Let it do something. */
	void say(String command) throws IOException {
		this.commands.write(command + "\n");
		this.commands.flush();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** Kill it, as {@code kill -9} does. */
	void kill() throws InterruptedException {
		this.process.destroyForcibly();
		this.process.waitFor();
		this.reader.join();
	}

	/** Let the operating system suspend it until what is returned is closed. */
	Frozen freeze() throws IOException {
		return new Frozen(this.process.pid());
	}

	/** Let it end, and return when it has and all that it has said was read. */
	@Override
	public void close() {
		try {
			this.commands.close();
		}
		catch (IOException ignored) {
			// it has ended
		}
		try {
			if (!this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				kill();
			}
			this.reader.join();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A suspended process. A shell lets it go on when its own standard input ends, so
	 * that it does not stand for ever if this process is killed meanwhile.
	 */
	static final class Frozen {

		private final Process shell;

		private Frozen(long pid) throws IOException {
			this.shell = new ProcessBuilder("sh", "-c", "kill -STOP $0; read end; kill -CONT $0", String.valueOf(pid))
				.start();
		}

		void close() {
			try {
				this.shell.getOutputStream().close();
				this.shell.waitFor();
			}
			catch (IOException ignored) {
				// it has ended
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
