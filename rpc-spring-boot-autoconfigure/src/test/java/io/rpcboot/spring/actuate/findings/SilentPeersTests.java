package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How long a server has been silent, as looks now and then can tell. */
class SilentPeersTests {

	private static final String REMOTE = "10.0.0.5:9090";

	private final AtomicLong nanos = new AtomicLong();

	private final SilentPeers silences = new SilentPeers(this.nanos::get);

	private static ConnectionInfo connection(int reads, int pending) {
		return new ConnectionInfo(REMOTE, "", Mode.AUTO, 1, 0, 0, 0, 0, 0, pending, 0, Map.of(), 0, reads);
	}

	private Map<String, Duration> look(int afterSeconds, ConnectionInfo... connections) {
		this.nanos.addAndGet(Duration.ofSeconds(afterSeconds).toNanos());
		return this.silences.look(List.of(connections));
	}

	@Test
	void silenceBeginsWithTheFirstLookThatSawIt() {
		assertThat(look(0, connection(7, 1))).containsEntry(REMOTE, Duration.ZERO);
		assertThat(look(5, connection(7, 3))).containsEntry(REMOTE, Duration.ofSeconds(5));
		assertThat(look(1, connection(7, 2))).containsEntry(REMOTE, Duration.ofSeconds(6));
	}

	@Test
	void aReadEndsIt() {
		look(0, connection(7, 1));
		assertThat(look(5, connection(8, 1))).containsEntry(REMOTE, Duration.ZERO);
	}

	@Test
	void withoutPendingCallsThereIsNone() {
		look(0, connection(7, 1));
		assertThat(look(5, connection(7, 0))).isEmpty();
		assertThat(look(5, connection(7, 1))).containsEntry(REMOTE, Duration.ZERO);
	}

	@Test
	void oneOfTwoConnectionsThatReadsIsEnough() {
		look(0, connection(7, 1), connection(20, 1));
		assertThat(look(5, connection(7, 1), connection(21, 1))).containsEntry(REMOTE, Duration.ZERO);
		assertThat(look(5, connection(7, 1), connection(21, 0))).containsEntry(REMOTE, Duration.ofSeconds(5));
	}

}
