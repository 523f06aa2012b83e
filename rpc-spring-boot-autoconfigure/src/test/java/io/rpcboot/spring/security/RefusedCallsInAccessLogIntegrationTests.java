package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.LogLines;
import io.rpcboot.spring.logging.AccessLogInterceptor;
import io.rpcboot.spring.security.SecuredApplication.VaultService;
import io.rpcboot.spring.security.Vault.Key;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Lines of the access log about calls that no interceptor sees. */
class RefusedCallsInAccessLogIntegrationTests {

	@TempDir
	static Path files;

	private static SecuredApplication application;

	private final LogLines lines = new LogLines(AccessLogInterceptor.LOGGER);

	@BeforeAll
	static void start() {
		application = new SecuredApplication(files,
				Map.of("rpc.server.auth.secret", SecuredApplication.SECRET, "rpc.server.services.Vault.allow", "alpha",
						"rpc.server.access-log.enabled", true, "rpc.server.access-log.sampling", 0),
				VaultService.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@AfterEach
	void close() {
		this.lines.close();
		application.closeClients();
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, '', '', UNAUTHENTICATED", "GRPC, '', '', UNAUTHENTICATED",
			"NATIVE, '', Bearer another-secret-of-24-ch, UNAUTHENTICATED",
			"GRPC, '', Bearer another-secret-of-24-ch, UNAUTHENTICATED", "NATIVE, beta, '', PERMISSION_DENIED",
			"GRPC, beta, '', PERMISSION_DENIED" })
	void refusedCall_hasLine_withCallerAndStatus(Protocol protocol, String certificate, String credentials,
			String status) {
		Vault vault = application.service(Vault.class, protocol, certificate, credentials);
		String caller = certificate.isEmpty() ? "" : " caller=spiffe://test/" + certificate;
		String expected = "peer=127\\.0\\.0\\.1:\\d+%s protocol=%s service=\\S*Vault( method=\\S+)? status=%s.*"
			.formatted(caller, protocol.name().toLowerCase(Locale.ROOT), status);
		Applications.eventually(() -> {
			assertThat(catchThrowable(() -> vault.open(new Key("key")))).isNotNull();
			return this.lines.messages().stream().anyMatch((each) -> each.matches(expected));
		});
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void methodOfRefusedCall_isNamed(Protocol protocol) {
		Vault vault = application.service(Vault.class, protocol, "", "Bearer another-secret-of-24-ch");
		Applications.eventually(() -> {
			catchThrowable(() -> vault.open(new Key("key")));
			return this.lines.messages()
				.stream()
				.anyMatch((each) -> each.toLowerCase(Locale.ROOT).contains("method=open"));
		});
	}

}
