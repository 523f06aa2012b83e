package io.rpcboot.hostile.victim;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.rpcboot.fixture.ChildProcess;

/** A {@link Victim} with a small heap. */
public final class VictimProcess implements AutoCloseable {

	private static final Duration ANSWER = Duration.ofSeconds(60);

	/** Netty catches some of them and says nothing; so the JVM says the first. */
	private static final String SAYS_THE_FIRST = "-XX:OnOutOfMemoryError=echo OutOfMemoryError: the first, as told by the JVM >&2";

	private final ChildProcess process;

	private final int port;

	/** The account has its default, and each result is an object of its own. */
	public VictimProcess(Path log) throws IOException {
		this(256, 0, false, log);
	}

	public VictimProcess(int heapMegabytes, long accountBytes, boolean sharesResults, Path log) throws IOException {
		this.process = ChildProcess.start(
				log, List.of(), List.of("-Xmx" + heapMegabytes + "m", "-XX:MaxDirectMemorySize=" + heapMegabytes + "m",
						"-XX:+UseG1GC", SAYS_THE_FIRST),
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

	@Override
	public void close() {
		this.process.close();
	}

}
