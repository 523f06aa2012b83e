package io.rpcboot.engine.transport;

import java.util.Locale;

import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.TlsOptions;

class MutualTlsEngineIntegrationTests extends AbstractEngineContract {

	private static final TlsOptions TLS = new Authority().here()
		.withEngine(TlsOptions.Engine.valueOf(System.getProperty("test.tls.engine", "jdk").toUpperCase(Locale.ROOT)));

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport
			.valueOf(System.getProperty("test.tls.transport", "nio").toUpperCase(Locale.ROOT));
	}

	@Override
	TlsOptions tls() {
		return TLS;
	}

}
