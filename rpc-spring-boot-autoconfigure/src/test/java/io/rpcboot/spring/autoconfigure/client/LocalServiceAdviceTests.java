package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.lifecycle.RpcServerRegistrar;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of a process to itself that come before its server, or after it. */
class LocalServiceAdviceTests {

	private static final ServiceId GREETER = ServiceId.of(Greeter.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@Test
	void failure_namesLocalService_whenServerHasNotStarted() {
		this.runner.withBean(GreeterService.class).withBean(EarlyCaller.class).run((context) -> {
			RpcException thrown = context.getBean(EarlyCaller.class).thrown;
			assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(thrown).hasMessageContaining("no instance of it is known to the in-memory registry; "
					+ "this process offers it, but its server has not started yet: "
					+ "call from an ApplicationRunner or after ApplicationReadyEvent; it did not execute");
		});
	}

	@Test
	void failure_hasNoLocalAdvice_whenServiceIsRemote() {
		this.runner.withBean(EarlyCaller.class)
			.run((context) -> assertThat(context.getBean(EarlyCaller.class).thrown).message()
				.endsWith("no instance of it is known to the in-memory registry; it did not execute"));
	}

	@Test
	void advice_followsStateOfServer() {
		this.runner.withBean(GreeterService.class).run((context) -> {
			LocalServiceAdvice services = new LocalServiceAdvice(context.getBeanFactory(), false);
			assertThat(services.apply(GREETER))
				.isEqualTo("this process has registered it, and the registry does not name it yet");
			context.getBean(RpcServerRegistrar.class).stop();
			assertThat(services.apply(GREETER)).isEqualTo("this process offered it, and its server is shutting down");
			assertThat(services.apply(ServiceId.parse("other.Service"))).isEmpty();
		});
	}

	/** What export refuses is no reason to fail earlier, with less to say. */
	@Test
	void invalidService_isReportedByServerExport() {
		this.runner.withBean(WrongVersion.class)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("version"));
	}

	static class EarlyCaller implements InitializingBean {

		@RpcReference
		private Greeter greeter;

		private RpcException thrown;

		@Override
		public void afterPropertiesSet() {
			try {
				this.greeter.greet("early");
			}
			catch (RpcException ex) {
				this.thrown = ex;
			}
		}

	}

	@RpcService(version = "a b")
	static class WrongVersion extends GreeterService {

	}

}
