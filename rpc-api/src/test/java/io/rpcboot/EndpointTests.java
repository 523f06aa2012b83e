package io.rpcboot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EndpointTests {

	@ParameterizedTest
	@CsvSource({ "localhost:1,localhost,1", "10.0.0.1:65535,10.0.0.1,65535", "[::1]:7000,::1,7000",
			"[fe80::1%eth0]:7000,fe80::1%eth0,7000" })
	void endpoint_printsAndParsesAsSameText(String text, String host, int port) {
		assertThat(Endpoint.parse(text)).isEqualTo(new Endpoint(host, port)).hasToString(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "host", "host:", "host:x", "host:1.5", "::1:7000", "host:99999999999" })
	void malformedEndpoint_isRejected_withItsText(String text) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> Endpoint.parse(text))
			.withMessage("endpoint: '%s' (expected: host:port or [ipv6]:port)", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "host:0", "host:-1", "host:65536", ":7000", " :7000", "[]:7000" })
	void endpoint_isRejected_whenHostOrPortIsInvalid(String text) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> Endpoint.parse(text))
			.withMessageEndingWith("(expected: host:port with a port from 1 to 65535)");
	}

	@Test
	void rejectedEndpoint_suggestsAction() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> new Endpoint("host", 0))
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo("Correct the address."));
	}

}
