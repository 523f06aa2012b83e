package io.rpcboot.benchmarks.tls;

import java.util.Arrays;

import io.rpcboot.benchmarks.tls.RecordCounter.RecordHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link RecordHeaders}: a stream is cut anywhere.
 */
class RecordHeadersTests {

	/** Of 3, 0 and 300 bytes. */
	private static final byte[] RECORDS = new byte[3 * 5 + 303];

	static {
		RECORDS[4] = 3;
		RECORDS[5 + 3 + 5 + 3] = 1;
		RECORDS[5 + 3 + 5 + 4] = 300 - 256;
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 100, 318, 1_000 })
	void read_partsOfAnySize_countsRecords(int size) {
		RecordHeaders headers = new RecordHeaders();
		int records = 0;
		for (int at = 0; at < RECORDS.length; at += size) {
			byte[] part = Arrays.copyOfRange(RECORDS, at, Math.min(at + size, RECORDS.length));
			records += headers.read(part, part.length);
		}
		assertThat(records).isEqualTo(3);
	}

}
