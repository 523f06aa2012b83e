package io.rpcboot.internal.server.scheduling;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BulkheadTests {

	@Test
	void singleService_isUnlimited() {
		assertThat(Bulkhead.of(1, false, 200, 20_000)).isEqualTo(new Bulkhead(false, 200, 20_000, 20_000));
		assertThat(Bulkhead.of(0, false, 200, 20_000).isShared()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "200, 150", "8, 6", "5, 3", "4, 3", "3, 2", "2, 1", "1, 1" })
	void service_isLimitedToThreeQuartersOfThreads(int threads, int most) {
		assertThat(Bulkhead.of(2, false, threads, 100).threads()).isEqualTo(most);
	}

	@ParameterizedTest
	@CsvSource({ "20000, 10000, 5000", "16, 8, 4", "4, 2, 1", "1, 0, 1" })
	void thresholds_areDerivedFromMaximumOfCallsInFlight(int calls, int plenty, int crowd) {
		Bulkhead share = Bulkhead.of(3, false, 10, calls);
		assertThat(share.countingThreshold()).isEqualTo(plenty);
		assertThat(share.maxOverflow()).isEqualTo(crowd);
	}

}
