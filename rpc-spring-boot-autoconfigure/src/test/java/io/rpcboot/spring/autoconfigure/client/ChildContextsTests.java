package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcExceptionHandler;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.RpcAutoConfigurationTests.Counter;
import io.rpcboot.spring.autoconfigure.RpcAutoConfigurationTests.CounterService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests which beans contexts share with their parents. */
class ChildContextsTests {

	private final ApplicationContextRunner runner = Applications.inProcess();

	@Test
	void parentAdvice_handlesExceptions_inChildContext() {
		this.runner.withBean(NotFound.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean(Denied.class)
				.withBean(FailingService.class)
				.withBean(Caller.class)
				.run((child) -> {
					Greeter greeter = child.getBean(Caller.class).greeter;
					assertStatus(greeter, "Ann", RpcStatus.NOT_FOUND);
					assertStatus(greeter, "", RpcStatus.PERMISSION_DENIED);
				}));
	}

	/** A child has the environment of its parent. */
	@Test
	void serviceProperties_mayNameServiceOfParent() {
		this.runner.withBean(CounterService.class)
			.withPropertyValues("rpc.server.services.Counter.max-threads=2")
			.run((parent) -> this.runner.withParent(parent)
				.withBean(FailingService.class)
				.withPropertyValues("rpc.server.services[" + Counter.class.getName() + "].dispatch=pool")
				.run((child) -> assertThat(child).hasNotFailed()));
	}

	@Test
	void serviceProperties_failStartup_withoutMatchingService() {
		this.runner.withBean(CounterService.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean(FailingService.class)
				.withPropertyValues("rpc.server.services.Countr.max-threads=2")
				.run((child) -> assertThat(child).getFailure().rootCause().hasMessageContaining("'Countr'")));
	}

	@Test
	void childReference_inheritsOptionsOfParentClient() {
		this.runner.withPropertyValues("rpc.client.retry.max-attempts=5")
			.run((parent) -> this.runner.withParent(parent)
				.withBean(Caller.class)
				.withPropertyValues("rpc.client.references.greeting.retry.budget=0.5")
				.run((child) -> {
					ResilienceOptions options = child.getBean(ReferencePropertiesCustomizer.class)
						.customize(Greeter.class, "greeting", ReferenceOptions.defaults())
						.resilience();
					assertThat(options.retry().budget()).isEqualTo(0.5);
					assertThat(options.retry().maxAttempts()).isEqualTo(5);
				}));
	}

	@Test
	void reference_inheritsOptionsOfClientBean() {
		ResilienceOptions own = ResilienceOptions.defaults().withRetry(RetryOptions.defaults().withMaxAttempts(4));
		this.runner.withBean(RpcClient.class, () -> RpcClient.builder().resilience(own).build())
			.withBean(Caller.class)
			.withPropertyValues("rpc.client.references.greeting.addresses=127.0.0.1:1",
					"rpc.client.references.greeting.retry.budget=0.5")
			.run((context) -> assertThat(context.getBean(ReferencePropertiesCustomizer.class)
				.customize(Greeter.class, "greeting", ReferenceOptions.defaults())
				.resilience()
				.retry()
				.maxAttempts()).isEqualTo(4));
	}

	private static void assertStatus(Greeter greeter, String name, RpcStatus status) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> greeter.greet(name))
			.extracting(RpcException::status)
			.isEqualTo(status);
	}

	@RpcAdvice
	@Order(1)
	static class NotFound {

		@RpcExceptionHandler
		RpcException handle(IllegalStateException ex) {
			return new RpcException(RpcStatus.NOT_FOUND, "not found", true);
		}

	}

	@RpcAdvice
	@Order(2)
	static class Denied {

		@RpcExceptionHandler
		RpcException handle(RuntimeException ex) {
			return new RpcException(RpcStatus.PERMISSION_DENIED, "denied", true);
		}

	}

	@RpcService
	static class FailingService implements Greeter {

		@Override
		public String greet(String name) {
			throw name.isEmpty() ? new IllegalArgumentException() : new IllegalStateException();
		}

	}

	static class Caller {

		@RpcReference(name = "greeting")
		private Greeter greeter;

	}

}
