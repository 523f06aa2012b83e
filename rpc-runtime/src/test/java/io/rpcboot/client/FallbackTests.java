package io.rpcboot.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.transport.EventLoopOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Tests fallbacks: which failures they answer, and which calls they never receive. */
class FallbackTests {

	private final List<RpcClientInterceptor> ofClient = new ArrayList<>();

	private final Substitute substitute = new Substitute();

	private @Nullable RpcClient client;

	@AfterEach
	void close() {
		if (this.client != null) {
			this.client.close();
		}
	}

	private Stock stock(RpcClientInterceptor... interceptors) {
		RpcClientBuilder builder = RpcClient.builder()
			.registry(new InMemoryRegistry())
			.waitForInstance(Duration.ZERO)
			.eventLoop(EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS));
		this.ofClient.forEach(builder::interceptor);
		this.client = builder.build();
		return this.client.reference(Stock.class,
				ReferenceOptions.defaults()
					.withFallback(() -> this.substitute)
					.withInterceptors(List.of(interceptors)));
	}

	private static RpcClientInterceptor failing(RpcStatus status, boolean mayHaveExecuted) {
		return (call) -> {
			throw new RpcException(status, "failed", mayHaveExecuted);
		};
	}

	private static RpcClientInterceptor failingLater(Throwable failure) {
		return (call) -> CompletableFuture.supplyAsync(() -> {
			throw new CompletionException(failure);
		});
	}

	@Test
	void fallback_answers_withoutInstance() throws Exception {
		Stock stock = stock();
		assertThat(stock.find("nut")).isEqualTo("perhaps nut");
		assertThat(stock.findLater("nut").get()).isEqualTo("perhaps later");
	}

	@ParameterizedTest
	@EnumSource(names = { "UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "INTERNAL" })
	void fallback_answers_afterInfrastructureFailure(RpcStatus status) throws Exception {
		assertThat(stock(failing(status, true)).find("nut")).isEqualTo("perhaps nut");
		assertThat(stock(failing(status, true)).findLater("nut").get()).isEqualTo("perhaps later");
		assertThat(stock(failingLater(new RpcException(status, "failed", false))).findLater("nut").get())
			.isEqualTo("perhaps later");
		stock(failing(status, false)).count("nut");
		assertThat(this.substitute.counted).containsExactly("nut");
	}

	@ParameterizedTest
	@EnumSource(names = { "NOT_FOUND", "FAILED_PRECONDITION", "UNIMPLEMENTED" })
	void fallback_isSkipped_whenMethodRanAndReturnedStatus(RpcStatus status) {
		assertThat(stock(failing(status, false)).find("nut")).isEqualTo("perhaps nut");
		Stock ran = stock(failing(status, true));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> ran.find("nut"))
			.matches((ex) -> ex.status() == status);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "OK", "UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED",
			"INTERNAL", "NOT_FOUND", "FAILED_PRECONDITION", "UNIMPLEMENTED" })
	void fallback_isSkipped_afterOtherStatuses(RpcStatus status) {
		Stock stock = stock(failing(status, false));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> stock.find("nut"))
			.matches((ex) -> ex.status() == status);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> stock.findLater("nut").get())
			.withCauseInstanceOf(RpcException.class);
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> stock(failingLater(new RpcException(status, "failed", true))).findLater("nut").get())
			.withCauseInstanceOf(RpcException.class);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> stock.count("nut"));
		assertThat(this.substitute.counted).isEmpty();
	}

	@Test
	void fallback_isSkipped_afterDeclaredOrInterceptorException() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> stock((call) -> {
			throw new IOException("declared");
		}).read("nut"));
		assertThatIllegalStateException().isThrownBy(() -> stock((call) -> {
			throw new IllegalStateException("mistake");
		}).find("nut")).withMessage("mistake");
	}

	@Test
	void failureOfFallback_becomesFailureOfCall() {
		Stock stock = stock(failing(RpcStatus.UNAVAILABLE, false));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> stock.read("nut")).withMessage("no file of nut");
		this.substitute.later = CompletableFuture.failedFuture(new IOException("neither"));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> stock.findLater("nut").get())
			.withCauseInstanceOf(IOException.class);
	}

	@Test
	void nullFuture_failsCall_whenFallbackReturnsIt() {
		this.substitute.later = null;
		Stock atOnce = stock(failing(RpcStatus.UNAVAILABLE, false));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> atOnce.findLater("nut").get())
			.withMessageContaining("returned null for");
		Stock later = stock(failingLater(new RpcException(RpcStatus.UNAVAILABLE, "failed", false)));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> later.findLater("nut").get())
			.withMessageContaining("the fallback of " + Stock.class.getName()
					+ ".findLater(java.lang.String) returned null (expected: a future)");
	}

	@Test
	void fallback_receivesOriginalArguments_afterInterceptorChangedThem() {
		assertThat(stock((call) -> {
			call.arguments()[0] = "other";
			throw new RpcException(RpcStatus.UNAVAILABLE, "failed", false);
		}).find("nut")).isEqualTo("perhaps nut");
	}

	@Test
	void fallback_runsBetweenClientAndReferenceInterceptors() {
		List<String> seen = new ArrayList<>();
		this.ofClient.add((call) -> {
			call.onEnd((outcome) -> seen.add("end " + outcome.status()));
			Object result = call.proceed();
			seen.add("client " + result);
			return result;
		});
		RpcClientInterceptor ofReference = (call) -> {
			try {
				return call.proceed();
			}
			catch (RpcException ex) {
				seen.add("reference " + ex.status());
				throw ex;
			}
		};
		stock(ofReference, failing(RpcStatus.UNAVAILABLE, false)).find("nut");
		assertThat(seen).containsExactly("reference UNAVAILABLE", "client perhaps nut", "end OK");
	}

	@Test
	void fallbackFuture_isCancelled_withCall() {
		this.substitute.later = new CompletableFuture<>();
		Stock stock = stock(failingLater(new RpcException(RpcStatus.UNAVAILABLE, "failed", false)));
		CompletableFuture<String> answer = stock.findLater("nut");
		this.substitute.asked.join();
		answer.cancel(true);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(this.substitute.later::join);
	}

	@Test
	void cancelledCall_isNotSubstituted() {
		CompletableFuture<Object> never = new CompletableFuture<>();
		CompletableFuture<String> answer = stock((call) -> never).findLater("nut");
		answer.cancel(true);
		never.completeExceptionally(new RpcException(RpcStatus.UNAVAILABLE, "too late", false));
		assertThat(this.substitute.asked).isNotDone();
	}

	@Test
	void clientInterceptor_runsOnce_whenReferenceNamesItAgain() {
		List<String> seen = new ArrayList<>();
		RpcClientInterceptor counting = (call) -> {
			seen.add("called");
			return call.proceed();
		};
		this.ofClient.add(counting);
		stock(counting, counting, failing(RpcStatus.UNAVAILABLE, false)).find("nut");
		assertThat(seen).hasSize(1);
	}

	@Test
	void referenceOptions_overrideIdempotence() {
		List<Boolean> seen = new ArrayList<>();
		RpcClientInterceptor looking = (call) -> {
			seen.add(call.method().isIdempotent());
			return "";
		};
		this.client = RpcClient.builder().registry(new InMemoryRegistry()).build();
		ReferenceOptions options = ReferenceOptions.defaults().withInterceptors(List.of(looking));
		this.client.reference(Stock.class, options).find("nut");
		this.client.reference(Stock.class, options.withIdempotent("find", false)).find("nut");
		assertThat(seen).containsExactly(true, false);
		assertThat(options.withIdempotent("find", false).idempotence()).containsEntry("find", false);
	}

	@Test
	void interceptor_repeatsCall_whenMethodIsIdempotent() {
		List<Integer> attempts = new ArrayList<>();
		RpcClientInterceptor again = (call) -> {
			for (int i = 0; i < 3; i++) {
				try {
					call.proceed();
				}
				catch (RpcException ex) {
					attempts.add(call.attempts());
				}
			}
			throw new RpcException(RpcStatus.UNAVAILABLE, "three times", true);
		};
		assertThat(stock(again).find("nut")).isEqualTo("perhaps nut");
		assertThat(attempts).containsExactly(1, 2, 3);
	}

	@Test
	void unknownMethod_isRejected_inReferenceOptions() {
		this.client = RpcClient.builder().registry(new InMemoryRegistry()).build();
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(
					() -> this.client.reference(Stock.class, ReferenceOptions.defaults().withIdempotent("seek", true)))
			.withMessage("methods: 'seek' (expected: a method of " + Stock.class.getName()
					+ ": count, find, findLater, read)");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> this.client.reference(Stock.class,
					ReferenceOptions.defaults().withMethodTimeout("seek", Duration.ofSeconds(1))))
			.withMessageContaining("'seek'");
	}

	/** A service. */
	public interface Stock {

		@RpcMethod(idempotent = true)
		String find(String article);

		CompletableFuture<String> findLater(String article);

		String read(String article) throws IOException;

		@RpcMethod(oneWay = true)
		void count(String article);

	}

	private static final class Substitute implements Stock {

		final List<String> counted = new ArrayList<>();

		final CompletableFuture<String> asked = new CompletableFuture<>();

		@Nullable CompletableFuture<String> later = CompletableFuture.completedFuture("perhaps later");

		@Override
		public String find(String article) {
			return "perhaps " + article;
		}

		@Override
		public CompletableFuture<String> findLater(String article) {
			this.asked.complete(article);
			return this.later;
		}

		@Override
		public String read(String article) throws IOException {
			throw new IOException("no file of " + article);
		}

		@Override
		public void count(String article) {
			this.counted.add(article);
		}

	}

}
