package io.rpcboot.internal.memory;

import java.io.IOException;

import io.rpcboot.fixture.HeapHog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A budget admits each reservation once, also when it was made or entered without heap.
 */
@Timeout(120)
class StarvedBudgetIntegrationTests {

	@Test
	@Tag("rounds")
	void reservations_areAdmittedOnce_whenHeapEnds() throws IOException {
		assertThat(HeapHog.faults(StarvedBudget.class)).isEmpty();
	}

}
