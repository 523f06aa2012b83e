package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcService;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The guarded method of docs/security.md. */
@Tag("jdk25")
class GuardedMethodIntegrationTests {

	@TempDir
	Path files;

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void method_isOpenToOneCertificate(Protocol protocol) {
		try (SecuredApplication application = new SecuredApplication(this.files,
				Map.of("rpc.server.ssl.client-auth", "need"), SecurityConfiguration.class, OrdersService.class)) {
			Orders shop = application.service(Orders.class, protocol, "shop", "");
			assertThat(shop.find(7)).startsWith("order 7 for ").endsWith("shop");
			assertThat(catchThrowableOfType(RpcException.class, () -> shop.cancel(7)).status())
				.isEqualTo(RpcStatus.PERMISSION_DENIED);
			application.service(Orders.class, protocol, "backoffice", "").cancel(7);
		}
	}

	public interface Orders {

		String find(long id);

		void cancel(long id);

	}

	@RpcService
	public static class OrdersService implements Orders {

		@Override
		public String find(long id) {
			return "order " + id + " for " + RpcContext.current().caller().getName();
		}

		@Override
		public void cancel(long id) {
			// nothing to do
		}

	}

	@Configuration
	static class SecurityConfiguration {

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity.authorizeCalls((calls) -> {
				calls.services(Orders.class).methods("cancel").hasCertificate("backoffice");
				calls.services(Orders.class).authenticated();
				calls.services("grpc.health.v1.Health").permitAll();
			});
		}

	}

}
