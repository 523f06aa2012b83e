package io.rpcboot.internal.stream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.ServiceId;
import io.rpcboot.transport.StreamInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Open streams of one side, by age. */
class OpenStreamsTests {

	private final AtomicInteger described = new AtomicInteger();

	private StreamInfo describe(long number) {
		this.described.incrementAndGet();
		return new StreamInfo(number, ServiceId.parse("demo.Feeds"), "silent()", "10.0.0.5:40000", Duration.ZERO, null,
				null);
	}

	@Test
	void streams_areListedByAge_withoutClosedOnes() {
		OpenStreams streams = new OpenStreams(10);
		long first = streams.open(this::describe);
		streams.open(this::describe);
		streams.open(this::describe);
		streams.closed(first);
		assertThat(streams.oldest(10)).extracting(StreamInfo::number).containsExactly(2L, 3L);
		assertThat(streams.oldest(1)).extracting(StreamInfo::number).containsExactly(2L);
		assertThat(streams.oldest(0)).isEmpty();
		assertThat(streams.count()).isEqualTo(2);
	}

	@Test
	void stream_isRefused_aboveTheLimit() {
		OpenStreams streams = new OpenStreams(2);
		long first = streams.open(this::describe);
		assertThat(streams.open(this::describe)).isPositive();
		assertThat(streams.open(this::describe)).isZero();
		assertThat(streams.count()).isEqualTo(2);
		streams.closed(first);
		assertThat(streams.open(this::describe)).isPositive();
	}

	@Test
	void stream_isCountedOutOnce_ifItEndsTwice() {
		OpenStreams streams = new OpenStreams(2);
		long first = streams.open(this::describe);
		streams.open(this::describe);
		streams.closed(first);
		streams.closed(first);
		streams.closed(0);
		assertThat(streams.count()).isEqualTo(1);
	}

	@Test
	void look_touchesFewStreams_of100000() {
		OpenStreams streams = new OpenStreams(100_000);
		for (int i = 0; i < 100_000; i++) {
			streams.open(this::describe);
		}
		assertThat(streams.oldest(500)).hasSize(500).first().extracting(StreamInfo::number).isEqualTo(1L);
		assertThat(this.described).hasValue(500);
	}

}
