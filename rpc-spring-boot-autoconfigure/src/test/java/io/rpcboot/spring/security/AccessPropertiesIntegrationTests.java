package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.spring.security.SecuredApplication.VaultService;
import io.rpcboot.spring.security.Vault.Key;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Access by properties alone. */
class AccessPropertiesIntegrationTests {

	@TempDir
	Path files;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class))
		.withBean(VaultService.class);

	private static RpcStatus status(Vault vault) {
		Key key = new Key("key");
		RpcException failure = catchThrowableOfType(RpcException.class, () -> vault.open(key));
		return (failure != null) ? failure.status() : RpcStatus.OK;
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	@PropertyEffect("rpc.server.auth.secret")
	void secret_opensServer(Protocol protocol) {
		try (SecuredApplication application = new SecuredApplication(this.files,
				Map.of("rpc.server.auth.secret", SecuredApplication.SECRET), VaultService.class)) {
			assertThat(status(application.service(Vault.class, protocol, "", "Bearer " + SecuredApplication.SECRET)))
				.isEqualTo(RpcStatus.OK);
			assertThat(status(application.service(Vault.class, protocol, "", "Bearer another-secret-of-24-ch")))
				.isEqualTo(RpcStatus.UNAUTHENTICATED);
			assertThat(status(application.service(Vault.class, protocol, "", ""))).isEqualTo(RpcStatus.UNAUTHENTICATED);
			assertThat(status(application.service(Vault.class, protocol, "alpha", ""))).isEqualTo(RpcStatus.OK);
			assertThat(application.context.getBean(RpcServerProperties.class).toString())
				.doesNotContain(SecuredApplication.SECRET);
		}
	}

	@Test
	@PropertyEffect("rpc.server.services.<name>.allow")
	void listOfCallers_isKept() {
		try (SecuredApplication application = new SecuredApplication(this.files,
				Map.of("rpc.server.services.Vault.allow", "alpha,gamma"), VaultService.class)) {
			assertThat(status(application.service(Vault.class, Protocol.NATIVE, "alpha", ""))).isEqualTo(RpcStatus.OK);
			assertThat(status(application.service(Vault.class, Protocol.NATIVE, "beta", "")))
				.isEqualTo(RpcStatus.PERMISSION_DENIED);
			assertThat(status(application.service(Vault.class, Protocol.GRPC, "", "")))
				.isEqualTo(RpcStatus.UNAUTHENTICATED);
			assertThat(application.service(Vault.Archive.class, Protocol.NATIVE, "beta", "").open(new Key("key")))
				.isEqualTo("key");
		}
	}

	@Test
	@PropertyEffect("rpc.server.auth.allow-clear-text")
	void credentials_endStartOverClearText_unlessAllowed() {
		ApplicationContextRunner secret = this.runner
			.withPropertyValues("rpc.server.auth.secret=" + SecuredApplication.SECRET);
		FailureAnalysis analysis = StartFailure.of(secret);
		assertThat(analysis.getDescription())
			.startsWith("rpc.server.auth.allow-clear-text: false, but credentials would travel without TLS");
		assertThat(analysis.getAction()).startsWith("Set rpc.server.ssl.bundle; or, ")
			.endsWith(" rpc.server.auth.allow-clear-text=true.");
		secret.withPropertyValues("rpc.server.auth.allow-clear-text=true")
			.run((context) -> assertThat(context).hasSingleBean(RpcServer.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "short", "sixteen-or-more-ü" })
	void unusableSecret_endsStart_withoutItsText(String secret) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues("rpc.server.auth.secret=" + secret));
		assertThat(analysis.getDescription())
			.startsWith("rpc.server.auth.secret: %d characters (expected: at least 16 visible characters of ASCII)"
				.formatted(secret.length()));
		assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain(secret);
	}

	@Test
	void listOfCallers_endsStart_ifNobodyCanProveAName() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("rpc.server.services.Vault.allow=shop"));
		assertThat(analysis.getDescription())
			.startsWith("rpc.server.services.Vault.allow: [shop], but no client can prove who it is");
		assertThat(analysis.getAction()).startsWith("Ask for certificates with rpc.server.ssl.client-auth=need, or ");
	}

}
