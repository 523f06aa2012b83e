package io.rpcboot.internal.server.connection.http2.limits;

import io.rpcboot.internal.server.runtime.CallCreditPool;
import io.rpcboot.internal.server.runtime.CallCreditPools;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** MAX_CONCURRENT_STREAMS, which follows its use. */
class StreamLimitTests {

	private final CallCreditPool pool = CallCreditPools.of(10_000, 1000, 4);

	private final StreamLimit limit = opened(this.pool);

	private static StreamLimit opened(CallCreditPool pool) {
		StreamLimit limit = new StreamLimit(pool, 300);
		limit.open();
		return limit;
	}

	@Test
	void firstLimit_isTakenFromPool() {
		assertThat(this.limit.limit()).isEqualTo(100);
		assertThat(this.pool.granted()).isEqualTo(100);
	}

	@Test
	void limit_doubles_fromThreeQuartersOn() {
		assertThat(this.limit.onRequest(74, 74)).isFalse();
		assertThat(this.limit.limit()).isEqualTo(100);
		assertThat(this.limit.onRequest(75, 75)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(200);
		assertThat(this.limit.onRequest(149, 149)).isFalse();
		assertThat(this.limit.onRequest(150, 150)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(400);
	}

	@Test
	void limit_isNotRaised_forRequestsThatAreIncomplete() {
		assertThat(this.limit.onRequest(1, 100)).isFalse();
		assertThat(this.limit.onRequest(74, 100)).isFalse();
		assertThat(this.limit.onRequest(75, 100)).isTrue();
	}

	@Test
	void limit_endsAtMaximumOfConnection() {
		for (int i = 0; i < 4; i++) {
			this.limit.onRequest((int) this.limit.limit(), (int) this.limit.limit());
		}
		assertThat(this.limit.limit()).isEqualTo(1000);
		assertThat(this.limit.onRequest(1000, 1000)).as("nothing to announce").isFalse();
	}

	@Test
	void limit_endsAtFreeCredits() {
		StreamLimit others = opened(CallCreditPools.of(150, 1000, 4));
		assertThat(others.limit()).isEqualTo(100);
		assertThat(others.onRequest(100, 100)).isTrue();
		assertThat(others.limit()).isEqualTo(150);
		assertThat(others.onRequest(150, 150)).isFalse();
	}

	@Test
	void limit_isMinimum_whenPoolIsExhausted() {
		CallCreditPool small = CallCreditPools.of(100, 1000, 4);
		opened(small);
		assertThat(opened(small).limit()).isEqualTo(4);
	}

	@Test
	void unusedLimit_halves_downToFirst() {
		this.limit.onRequest(100, 100);
		this.limit.onRequest(200, 200);
		assertThat(this.limit.limit()).isEqualTo(400);
		assertThat(this.limit.shrink(0)).as("200 were in use").isFalse();
		this.limit.onRequest(99, 99);
		assertThat(this.limit.shrink(0)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(200);
		assertThat(this.limit.shrink(0)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(100);
		assertThat(this.limit.shrink(0)).isFalse();
		assertThat(this.pool.granted()).isEqualTo(100);
	}

	@Test
	void usedQuarter_keepsLimit() {
		this.limit.onRequest(100, 100);
		this.limit.shrink(0);
		this.limit.onRequest(50, 50);
		assertThat(this.limit.shrink(0)).isFalse();
	}

	@Test
	void streamsOfSeveralMessages_takeNoCredits() {
		assertThat(this.limit.onStream(1)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(116);
		assertThat(this.limit.onStream(11)).isFalse();
		assertThat(this.limit.onStream(12)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(124);
		assertThat(this.limit.onStream(200)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(400);
		assertThat(this.limit.onStream(300)).as("the maximum").isFalse();
		assertThat(this.pool.granted()).isEqualTo(100);
		assertThat(this.limit.onRequest(75, 75)).as("credits alone count for calls").isTrue();
		assertThat(this.limit.limit()).isEqualTo(500);
		assertThat(this.pool.granted()).isEqualTo(200);
	}

	@Test
	void allowance_shrinks_withTheStreams() {
		this.limit.onStream(100);
		assertThat(this.limit.limit()).isEqualTo(300);
		assertThat(this.limit.shrink(100)).isFalse();
		assertThat(this.limit.shrink(20)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(140);
		assertThat(this.limit.shrink(1)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(116);
		assertThat(this.limit.shrink(0)).isTrue();
		assertThat(this.limit.limit()).isEqualTo(100);
	}

	@Test
	void credits_areReturned_once() {
		StreamLimit other = opened(this.pool);
		other.onRequest(100, 100);
		this.limit.close();
		this.limit.close();
		assertThat(this.pool.granted()).isEqualTo(200);
		other.close();
		assertThat(this.pool.granted()).isZero();
	}

	@Test
	void limitThatWasNotOpened_returnsNothing() {
		new StreamLimit(this.pool, 300).close();
		assertThat(this.pool.granted()).isEqualTo(100);
	}

}
