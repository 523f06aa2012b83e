package io.rpcboot.internal.server.scheduling;

import java.io.IOException;

import io.rpcboot.fixture.HeapHog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A scheduler without memory has its calls and permits again when it has some. */
@Timeout(120)
class StarvedSchedulerIntegrationTests {

	@Test
	@Tag("rounds")
	void scheduler_losesNothing_whenMemoryEnds() throws IOException {
		assertThat(HeapHog.faults(StarvedScheduler.class)).isEmpty();
	}

}
