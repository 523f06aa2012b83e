package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests fallbacks while a server is lost, too slow, or refuses calls. */
@Timeout(60)
class FallbackIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.service(ContextCalls.class, new ContextCallsImpl())
		.start();

	FallbackIntegrationTests() {
		this.open.add(this.server);
	}

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private ContextCalls calls(UnaryOperator<ReferenceOptions> options) {
		RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build();
		this.open.add(client);
		return client.reference(ContextCalls.class,
				options.apply(ReferenceStates.at(this.server).withFallback(Spare::new)));
	}

	@ParameterizedTest
	@CsvSource({ "POOL, rpc-callback-", "EVENT_LOOP, rpc-client-loop-" })
	void fallback_answers_whenServerIsLost(CallbackThread callbacks, String thread) throws Exception {
		ContextCalls calls = calls((options) -> options.withCallbacks(callbacks));
		assertThat(calls.count("a")).isNotEqualTo("spare a");
		CompletableFuture<String> later = calls.hangLater("a");
		CompletableFuture<String> blocking = CompletableFuture.supplyAsync(() -> calls.hang("b"));
		Eventually.until("both run", () -> this.server.inFlightCalls() == 2);
		this.server.close();
		assertThat(later.get(10, TimeUnit.SECONDS)).startsWith("spare a on " + thread);
		assertThat(blocking.get(10, TimeUnit.SECONDS)).isEqualTo("spare b");
	}

	@Test
	void fallback_answers_afterTimeout() {
		ContextCalls calls = calls((options) -> options.withMethodTimeout("count", Duration.ofNanos(1)));
		assertThat(calls.count("a")).isEqualTo("spare a");
	}

	@Test
	void fallback_doesNotReplaceImplementationExceptions() {
		ContextCalls calls = calls((options) -> options);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> calls.refuse("a"));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.breakDown("a"))
			.matches((ex) -> ex.status() == RpcStatus.APPLICATION);
	}

	/** Knows nothing. */
	private static final class Spare implements ContextCalls {

		@Override
		public Map<String, String> look(String word) {
			return Map.of();
		}

		@Override
		public CompletableFuture<Map<String, String>> lookLater(String word) {
			return CompletableFuture.completedFuture(Map.of());
		}

		@Override
		public void notice(String word) {
		}

		@Override
		public String hang(String word) {
			return "spare " + word;
		}

		@Override
		public CompletableFuture<String> hangLater(String word) {
			return CompletableFuture
				.completedFuture("spare %s on %s".formatted(word, Thread.currentThread().getName()));
		}

		@Override
		public String refuse(String word) {
			return "spare " + word;
		}

		@Override
		public String breakDown(String word) {
			return "spare " + word;
		}

		@Override
		public String count(String word) {
			return "spare " + word;
		}

	}

}
