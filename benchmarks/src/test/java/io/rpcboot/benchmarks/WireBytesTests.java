package io.rpcboot.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link WireBytes}.
 */
class WireBytesTests {

	private static final String CONNECTION = "0 0 [::ffff:127.0.0.1]:1 [::ffff:127.0.0.1]:2\n"
			+ "\t cubic rto:201 bytes_sent:%d bytes_acked:1 bytes_received:%d segs_out:99 segs_in:99 data_segs_out:%d"
			+ " data_segs_in:%d send 1bps\n";

	@Test
	void parse_connections_sums() {
		WireBytes wire = WireBytes.parse(CONNECTION.formatted(10, 20, 3, 4) + CONNECTION.formatted(100, 200, 30, 40));
		assertThat(wire).isEqualTo(new WireBytes(220, 110, 77));
	}

	@Test
	void parse_noConnection_isNotANumber() {
		assertThat(WireBytes.parse("")).isEqualTo(WireBytes.NONE);
		assertThat(WireBytes.NONE.text()).isEqualTo("-");
	}

}
