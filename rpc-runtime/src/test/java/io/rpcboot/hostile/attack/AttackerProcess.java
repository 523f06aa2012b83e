package io.rpcboot.hostile.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.fixture.ChildProcess;

/** The {@link Attacker}, at a lower priority than all others. */
public final class AttackerProcess implements AutoCloseable {

	/** Beyond the time of an attack. */
	private static final Duration END = Duration.ofSeconds(60);

	private final ChildProcess process;

	private final int mostConnections;

	/**
	 * Start attackers.
	 * @param niceness 19 for the lowest priority that the system has
	 */
	public AttackerProcess(int niceness, Path log) throws IOException {
		List<String> nice = Stream.of("/usr/bin/nice", "/bin/nice")
			.filter((each) -> Files.isExecutable(Path.of(each)))
			.findFirst()
			.map((each) -> List.of(each, "-n", String.valueOf(niceness)))
			.orElse(List.of());
		this.process = ChildProcess.start(log, nice,
				List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dhostile.need=" + Speech.knowsNeed()), Attacker.class);
		this.mostConnections = Integer.parseInt(this.process.firstAnswer("ready"));
	}

	/** Connections that the system gives it. */
	public int mostConnections() {
		return this.mostConnections;
	}

	/** Attack for this time; returns when the last connection is closed. */
	public AttackCounts.Total attack(int port, String scenario, Duration time, int connections) {
		this.process.command("%d %s %d %d".formatted(port, scenario, time.toMillis(), connections));
		AttackCounts.Total total = AttackCounts.Total.decode(this.process.answer("done", time.plus(END)));
		List<String> problems = this.process.logged("Exception");
		if (!problems.isEmpty()) {
			throw new AssertionError("the attackers failed: " + problems);
		}
		return total;
	}

	@Override
	public void close() {
		this.process.close();
	}

}
