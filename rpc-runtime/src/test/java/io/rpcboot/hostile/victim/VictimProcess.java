package io.rpcboot.hostile.victim;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.fixture.ChildProcess;

/** A {@link Victim} with a small heap. */
public final class VictimProcess implements AutoCloseable {

	private static final Duration ANSWER = Duration.ofSeconds(60);

	/** Says it in the log before the JVM ends. */
	private static final String SAYS_WHY_IT_ENDS = "-XX:OnOutOfMemoryError=echo OutOfMemoryError: the JVM ends >&2";

	/** A line each second; its time is taken a little later than that of the limit. */
	public static final long MOST_LINES = 2;

	private final ChildProcess process;

	private final int port;

	/** The account has its default, and each result is an object of its own. */
	public VictimProcess(Path log) throws IOException {
		this(256, 0, false, log);
	}

	public VictimProcess(int heapMegabytes, long accountBytes, boolean sharesResults, Path log) throws IOException {
		this.process = ChildProcess.start(log, List.of(),
				List.of("-Xmx" + heapMegabytes + "m", "-XX:MaxDirectMemorySize=" + heapMegabytes + "m", "-XX:+UseG1GC",
						"-XX:+ExitOnOutOfMemoryError", SAYS_WHY_IT_ENDS),
				Victim.class, String.valueOf(accountBytes), String.valueOf(sharesResults));
		this.port = Integer.parseInt(this.process.firstAnswer("port"));
	}

	public int port() {
		return this.port;
	}

	/** Collect garbage and look. */
	public Figures figures() {
		this.process.command("gc");
		return Figures.decode(this.process.answer("figures", ANSWER));
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** What it said of memory that it did not get. */
	public List<String> outOfMemory() {
		return this.process.logged("OutOfMemoryError");
	}

	/**
	 * The most lines about closed and refused connections, by reason, or of Netty, in one
	 * second.
	 */
	public long mostLines() {
		return Stream.concat(this.process.logged(" - Connection ").stream(), this.process.logged("] i.n.").stream())
			.map((line) -> line.substring(0, "00:00:00".length())
					+ line.replaceFirst(".*(\\] i\\.n\\.| - Connection \\w+:).*", "$1"))
			.collect(Collectors.groupingBy((second) -> second, Collectors.counting()))
			.values()
			.stream()
			.max(Long::compare)
			.orElse(0L);
	}

	@Override
	public void close() {
		this.process.close();
	}

}
