package io.rpcboot.spring.autoconfigure.client;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static io.rpcboot.spring.autoconfigure.fixture.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests that the properties for retries and routing reach the references. */
class ResiliencePropertiesTests {

	private final ApplicationContextRunner runner = Applications.inProcess()
		.withBean(FlakyStore.class)
		.withBean(Caller.class);

	@Test
	void failedCall_isRetried() {
		this.runner.run((context) -> {
			assertThat(context.getBean(Caller.class).store.read()).isEqualTo("call 2");
			assertThat(context.getBean(Caller.class).named.read()).isEqualTo("call 3");
		});
	}

	@Test
	@PropertyEffect({ "rpc.client.retry.max-attempts", "rpc.client.references.users.retry.max-attempts" })
	void retry_isSkipped_whenMaxAttemptsIsOneUnlessReferenceSetsMore() {
		this.runner
			.withPropertyValues("rpc.client.retry.max-attempts=1", "rpc.client.references.named.retry.max-attempts=2")
			.run((context) -> {
				Caller caller = context.getBean(Caller.class);
				assertFails(caller.store, context, 1);
				context.getBean(FlakyStore.class).calls.set(0);
				assertThat(caller.named.read()).isEqualTo("call 2");
			});
	}

	@Test
	@PropertyEffect("rpc.client.retry.statuses")
	void retry_isSkipped_whenStatusIsNotListed() {
		this.runner.withPropertyValues("rpc.client.retry.statuses=unavailable,deadline-exceeded")
			.run((context) -> assertFails(context.getBean(Caller.class).store, context, 1));
	}

	@Test
	void retry_isSkipped_whenServiceBudgetIsZero() {
		this.runner.withPropertyValues("rpc.client.services.Store.retry.budget=0")
			.run((context) -> assertFails(context.getBean(Caller.class).store, context, 1));
	}

	@Test
	void reference_inheritsOptionsOfClientCustomizer() {
		this.runner.withPropertyValues("rpc.client.references.named.retry.max-attempts=4")
			.withBean(RpcClientBuilderCustomizer.class,
					() -> (builder) -> builder.resilience(builder.resilience()
						.withRetry(RetryOptions.defaults().withStatuses(Set.of(RpcStatus.UNAVAILABLE)))))
			.run((context) -> {
				Caller caller = context.getBean(Caller.class);
				assertFails(caller.store, context, 1);
				context.getBean(FlakyStore.class).calls.set(0);
				assertFails(caller.named, context, 1);
			});
	}

	@Test
	@PropertyEffect("rpc.client.routing.tag")
	void taggedCall_fallsBackOrFails_withoutMatchingInstance() {
		this.runner.withPropertyValues("rpc.client.routing.tag=canary", "rpc.client.retry.max-attempts=1",
				"rpc.client.references.named.routing.strict=true", "rpc.client.references.named.wait-for-instance=0")
			.run((context) -> {
				Caller caller = context.getBean(Caller.class);
				context.getBean(FlakyStore.class).calls.set(1);
				assertThat(caller.store.read()).as("goes to one without").isEqualTo("call 2");
				assertThatExceptionOfType(RpcException.class).as("or fails").isThrownBy(caller.named::read);
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rpc.client.routing.zone | eu west | 'eu west' | at most 64 letters, digits, '.', '_' and '-'
					rpc.client.routing.tag | a/b | 'a/b' | at most 64 letters, digits, '.', '_' and '-'
					rpc.client.routing.slow-start | -1s | PT-1S | 0 (none) or more
					rpc.client.ejection.failures-in-a-row | 1 | 1 | 2 or more
					rpc.client.ejection.slowness | 1 | 1.0 | more than 1, such as 3
					rpc.client.ejection.least-slowness | -1ms | PT-0.001S | 0 or more
					rpc.client.ejection.most-percent | 101 | 101 | 1 to 100
					rpc.client.ejection.min-pause | 0 | PT0S | a positive duration such as 3s
					rpc.client.ejection.max-pause | 1ms | PT0.001S | at least ejection.min-pause
					rpc.client.retry.max-attempts | 0 | 0 | 1 (no retries) to 10
					rpc.client.retry.min-backoff | 0 | PT0S | a positive duration such as 3s
					rpc.client.retry.max-backoff | 1ms | PT0.001S | at least retry.min-backoff
					rpc.client.retry.statuses | cancelled | CANCELLED | unavailable, application, internal, resource-exhausted, deadline-exceeded, unknown or aborted
					rpc.client.retry.budget | 1.5 | 1.5 | 0 (none) to 1
					rpc.client.references.named.routing.tag | a/b | 'a/b' | at most 64 letters, digits, '.', '_' and '-'
					rpc.client.references.named.retry.max-attempts | 11 | 11 | 1 (no retries) to 10
					rpc.client.references.named.methods.read.hedge-after | 1ns | PT0.000000001S | 1ms or more, or 0 (by recent calls)
					rpc.client.references.named.retry.budget | -1 | -1.0 | 0 (none) to 1
					""",
			quoteCharacter = '`')
	void invalidValue_isRejectedWithPropertyRuleAndOrigin(String property, String value, String shown, String rule) {
		this.runner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(analyze(context, property, value).getDescription())
				.startsWith("%s: %s (expected: %s)".formatted(property, shown, rule))
				.contains("Set in: "));
	}

	@Test
	void serverZone_isValidated_whenServerIsDisabled() {
		this.runner.withPropertyValues("rpc.server.enabled=false", "rpc.server.zone=eu west")
			.run((context) -> assertThat(analyze(context, "rpc.server.zone", "eu west").getDescription())
				.startsWith("rpc.server.zone: 'eu west' (expected: at most 64 letters"));
	}

	private static void assertFails(Store store, ApplicationContext context, int calls) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(store::read)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.APPLICATION));
		assertThat(context.getBean(FlakyStore.class).calls).hasValue(calls);
	}

	/** What is called. */
	public interface Store {

		@RpcMethod(idempotent = true)
		String read();

	}

	@RpcService
	static class FlakyStore implements Store {

		final AtomicInteger calls = new AtomicInteger();

		@Override
		public String read() {
			if (this.calls.incrementAndGet() == 1) {
				throw new IllegalStateException("cold");
			}
			return "call " + this.calls.get();
		}

	}

	static class Caller {

		@RpcReference
		Store store;

		@RpcReference(name = "named")
		Store named;

	}

}
