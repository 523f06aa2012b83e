package io.rpcboot.spring.actuate.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.actuate.descriptor.CallDescriptor;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Reports of a server about calls whose callers have given up. */
class GivenUpCallsReportTests {

	/** Calls of a finding, and some more. */
	private static final int CALLS = 12;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0",
				"management.endpoints.web.exposure.include=*")
		.withConfiguration(AutoConfigurations.of(RpcMetricsAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcEndpointAutoConfiguration.class))
		.withBean(PatientWaiting.class);

	@ParameterizedTest
	@CsvSource({ "NATIVE, late, DEADLINE_EXCEEDED", "NATIVE, cancelled, CANCELLED", "GRPC, late, DEADLINE_EXCEEDED",
			"GRPC, cancelled, CANCELLED" })
	void callsThatAreGivenUp_areNoSuccess_inHistoryAndEndpointAndFindings(Protocol protocol, String method,
			RpcStatus status) {
		// a reset of HTTP/2 does not say that the time of the caller is over
		List<RpcStatus> expected = List.of(status, (protocol == Protocol.GRPC) ? RpcStatus.CANCELLED : status);
		this.runner.run((context) -> {
			RpcHistory history = context.getBean(RpcHistory.class);
			history.tick();
			giveUp(context, protocol, method.equals("late"));
			RpcEndpoint endpoint = context.getBean(RpcEndpoint.class);
			await("all have ended").atMost(Duration.ofSeconds(60)).until(() -> {
				history.tick();
				return errors(endpoint) == CALLS;
			});
			assertThat(history.failed()).isNotEmpty().extracting(NotedCall::status).isSubsetOf(expected);
			assertThat(((CallDescriptor.Noted) endpoint.part(new String[] { "calls" }, null)).failed()).isNotEmpty()
				.extracting(CallDescriptor::status)
				.isSubsetOf(expected);
			assertThat(endpoint.rpc().findings()).filteredOn((each) -> each.kind().equals("FAILING_METHOD"))
				.singleElement()
				.satisfies((each) -> {
					assertThat(each.severity()).isEqualTo(Severity.WARNING);
					assertThat(each.text()).containsAnyOf((protocol == Protocol.GRPC || status == RpcStatus.CANCELLED)
							? "given up by their callers" : status + ", they expired", status + ", they expired");
				});
		});
	}

	private static long errors(RpcEndpoint endpoint) {
		MethodsReport.All all = (MethodsReport.All) endpoint.part(new String[] { "methods" }, null);
		return all.methods().stream().mapToLong(MethodStatsDescriptor::errors).sum();
	}

	/** Makes calls whose caller is a process of its own, as far as metrics go. */
	private static void giveUp(ApplicationContext context, Protocol protocol, boolean isLate) {
		PatientWaiting implementation = context.getBean(PatientWaiting.class);
		try (RpcClient client = RpcClient.builder().timeout(Duration.ofMinutes(1)).protocol(protocol).build()) {
			Waiting waiting = client.reference(Waiting.class, ReferenceOptions.defaults()
				.withAddresses(List.of("127.0.0.1:" + context.getEnvironment().getProperty("local.rpc.port"))));
			List<CompletableFuture<String>> calls = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				calls.add(isLate ? waiting.late() : waiting.cancelled());
			}
			await("all run").atMost(Duration.ofSeconds(60)).until(() -> implementation.begun.size() == CALLS);
			if (!isLate) {
				calls.forEach((each) -> each.cancel(true));
			}
			calls.forEach((each) -> await("it has ended").atMost(Duration.ofSeconds(60)).until(each::isDone));
			await("all are known to be over").atMost(Duration.ofSeconds(60))
				.until(() -> implementation.begun.stream().allMatch(Future::isDone));
		}
	}

	public interface Waiting {

		@RpcMethod(timeout = "2s")
		CompletableFuture<String> late();

		CompletableFuture<String> cancelled();

	}

	/** Answers once the caller has given up. */
	@RpcService
	static class PatientWaiting implements Waiting {

		private final List<CompletableFuture<String>> begun = Collections.synchronizedList(new ArrayList<>());

		@Override
		public CompletableFuture<String> late() {
			CompletableFuture<String> answer = new CompletableFuture<>();
			this.begun.add(answer);
			RpcContext.current().onCancel(() -> answer.complete("late"));
			return answer;
		}

		@Override
		public CompletableFuture<String> cancelled() {
			return late();
		}

	}

}
