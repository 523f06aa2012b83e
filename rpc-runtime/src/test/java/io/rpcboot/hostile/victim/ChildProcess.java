package io.rpcboot.hostile.victim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A Java process that takes commands on its input and answers them by lines that begin
 * with {@link Victim#MARK}. What it prints to its standard error is kept in a file.
 */
public final class ChildProcess implements AutoCloseable {

	private static final String END_OF_OUTPUT = "ended";

	private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

	private final Process process;

	private final PrintStream commands;

	private final Path log;

	/**
	 * Start a process.
	 * @param prefix what runs the command, such as nice
	 * @param options of the JVM
	 * @param main class that runs
	 * @param arguments of it
	 * @param log where its standard error goes
	 */
	public ChildProcess(List<String> prefix, List<String> options, Class<?> main, List<String> arguments, Path log)
			throws IOException {
		List<String> command = new ArrayList<>(prefix);
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		command.add("-cp");
		command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
		command.add(main.getName());
		command.addAll(arguments);
		Files.createDirectories(log.getParent());
		this.log = log;
		this.process = new ProcessBuilder(command).redirectError(log.toFile()).start();
		this.commands = new PrintStream(this.process.getOutputStream(), true, StandardCharsets.UTF_8);
		Thread reader = new Thread(this::read, "answers-of-" + main.getSimpleName());
		reader.setDaemon(true);
		reader.start();
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith(Victim.MARK)) {
					this.answers.add(line.substring(Victim.MARK.length()));
				}
			}
		}
		catch (IOException ignored) {
			// killed
		}
		this.answers.add(END_OF_OUTPUT);
	}

	/** Forgets answers that came too late for an earlier command. */
	public void command(String command) {
		this.answers.clear();
		this.commands.println(command);
	}

	/** The next answer, without its first word, which has to be this one. */
	public String answer(String what, Duration longest) {
		try {
			String line = this.answers.poll(longest.toMillis(), TimeUnit.MILLISECONDS);
			if (line == null || !line.startsWith(what + " ")) {
				throw new AssertionError("a child process says '%s' (expected: '%s' within %s); its log is %s"
					.formatted(line, what, longest, this.log));
			}
			return line.substring(what.length() + 1);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** Lines of its standard error that hold a text. */
	public List<String> logged(String text) {
		try {
			// a log may be cut in the middle of a character
			return new String(Files.readAllBytes(this.log), StandardCharsets.ISO_8859_1).lines()
				.filter((line) -> line.contains(text))
				.toList();
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/** As the machine's end. */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
