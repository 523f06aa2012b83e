package io.rpcboot.internal.protocol.grpc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class UserAgentTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "shop", "my shop", "Bäckerei", "100 %", " x ", "grpc-java-rpcboot" })
	void nameOfApplication_isReadBack(String name) {
		assertThat(UserAgent.of(name)).matches("[\\x20-\\x7e]+").endsWith("grpc-java-rpcboot");
		assertThat(UserAgent.application(UserAgent.of(name))).isEqualTo(name);
	}

	@Test
	void longNames_areCut() {
		assertThat(UserAgent.application(UserAgent.of("x".repeat(10_000)))).isEqualTo("x".repeat(128) + "...");
		assertThat(UserAgent.application("y".repeat(10_000))).isEqualTo("y".repeat(128) + "...");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "grpc-python/1.76.0 grpc-c/50.0.0 (linux; chttp2)", "shop grpc-java-netty/1.83.1", "curl" })
	void foreignLibrary_isPartOfName(String value) {
		assertThat(UserAgent.application(value)).isEqualTo(value);
	}

	@Test
	void textThatBreaksLines_isCleaned() {
		assertThat(UserAgent.application("a%0Ab%E2%80%AEc grpc-java-rpcboot")).isEqualTo("a b?c");
	}

}
