package io.rpcboot.benchmarks.streams;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.system.BenchServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of every {@link StreamSystem}: each element arrives, in each direction.
 */
class StreamSystemsIntegrationTests {

	/** More than any window has space for. */
	private static final int COUNT = 3_000;

	private static final int BYTES = 4_096;

	static Stream<String> systems() {
		return StreamSystem.all().stream().map(StreamSystem::name);
	}

	@ParameterizedTest
	@MethodSource("systems")
	void elements_arriveAll(String name) throws Exception {
		StreamSystem system = StreamSystem.of(name);
		assertThat(system.settings()).isNotBlank();
		try (BenchServer server = system.startServer(); StreamClient client = system.connect(server.port())) {
			for (Direction direction : Direction.values()) {
				if (system.supports(direction)) {
					assertThat(client.open(direction, BYTES, COUNT).get(30, TimeUnit.SECONDS)).as(direction.word())
						.isEqualTo((long) BYTES * COUNT);
				}
			}
		}
	}

}
