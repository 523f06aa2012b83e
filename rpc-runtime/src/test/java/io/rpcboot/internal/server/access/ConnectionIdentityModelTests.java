package io.rpcboot.internal.server.access;

import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThatCode;

/** The identity of connections against an oracle; see {@link IdentityModel}. */
class ConnectionIdentityModelTests {

	private static final int STEPS = 10_000;

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void identity_isAsOracleSays(Protocol protocol) {
		assertThatCode(() -> IdentityModel.play(protocol, System.nanoTime(), STEPS)).doesNotThrowAnyException();
	}

}
