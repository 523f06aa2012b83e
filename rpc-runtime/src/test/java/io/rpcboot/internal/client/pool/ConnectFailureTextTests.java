package io.rpcboot.internal.client.pool;

import java.net.ConnectException;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the text about an instance that cannot be reached. */
class ConnectFailureTextTests {

	@ParameterizedTest
	@CsvSource({ "Connection refused: /127.0.0.1:9090, Connection refused",
			"finishConnect(..) failed with error(-111): Connection refused: /127.0.0.1:9090, Connection refused",
			"connect(..) failed: Network is unreachable: stock.local/10.0.0.5:9090, Network is unreachable",
			"connection timed out after 3000 ms: /[0:0:0:0:0:0:0:1]:9090, connection timed out after 3000 ms",
			"unknown host stock, unknown host stock" })
	void failureText_omitsSystemCallAndAddress(String message, String problem) {
		assertThat(ConnectFailureText.of(new ConnectException(message))).isEqualTo(problem);
	}

	@Test
	void failureText_isClassName_withoutMessage() {
		assertThat(ConnectFailureText.of(new UnknownHostException())).isEqualTo("UnknownHostException");
	}

}
