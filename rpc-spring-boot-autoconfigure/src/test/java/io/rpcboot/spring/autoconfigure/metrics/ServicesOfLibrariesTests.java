package io.rpcboot.spring.autoconfigure.metrics;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcExceptionHandler;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.actuate.endpoint.RpcEndpointAutoConfiguration;
import io.rpcboot.spring.actuate.health.RpcHealthAutoConfiguration;
import io.rpcboot.spring.actuate.info.RpcInfoAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Services and advice of auto-configurations that say nothing of their order, and whose
 * names come behind ours.
 */
class ServicesOfLibrariesTests {

	@Test
	void servicesAndAdvice_areFound_inLaterAutoConfigurations() {
		Applications.inProcess()
			.withConfiguration(AutoConfigurations.of(RpcMetricsAutoConfiguration.class, RpcJfrAutoConfiguration.class,
					RpcEndpointAutoConfiguration.class, RpcHealthAutoConfiguration.class,
					RpcInfoAutoConfiguration.class, ZServices.class, ZAdvice.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*", "management.info.rpc.enabled=true")
			.withBean(Caller.class)
			.run((context) -> assertThatExceptionOfType(RpcException.class)
				.isThrownBy(() -> context.getBean(Caller.class).greeter.greet("Ann"))
				.extracting(RpcException::status)
				.isEqualTo(RpcStatus.NOT_FOUND));
	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

	@AutoConfiguration
	static class ZServices {

		@Bean
		@RpcService
		Greeter greeter() {
			return (name) -> {
				throw new IllegalStateException();
			};
		}

	}

	@AutoConfiguration
	static class ZAdvice {

		@Bean
		NotFound notFound() {
			return new NotFound();
		}

	}

	@RpcAdvice
	static class NotFound {

		@RpcExceptionHandler
		RpcException handle(IllegalStateException ex) {
			return new RpcException(RpcStatus.NOT_FOUND, "not found", true);
		}

	}

}
