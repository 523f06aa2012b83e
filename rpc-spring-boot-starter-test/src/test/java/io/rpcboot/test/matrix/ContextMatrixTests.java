package io.rpcboot.test.matrix;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallOptions;
import io.rpcboot.server.Dispatch;
import io.rpcboot.test.matrix.MatrixApplication.Client;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests context, deadline and interceptors for each style of call and each dispatch.
 */
@SpringBootTest(classes = MatrixApplication.class,
		properties = { "spring.main.web-application-type=none", "rpc.client.timeout=20s" })
@Timeout(60)
@Tag("jdk25")
class ContextMatrixTests {

	private static final CallOptions ACME = CallOptions.with(ProbeService.TENANT, "acme");

	@Autowired
	private Client client;

	static Stream<Arguments> matrix() {
		return Stream.of(Style.BLOCKING, Style.FUTURE, Style.ONE_WAY)
			.flatMap((style) -> Arrays.stream(Dispatch.values()).map((dispatch) -> Arguments.of(style, dispatch)));
	}

	@BeforeEach
	void forget() {
		ProbeService.told.clear();
		ProbeService.hanging.clear();
		ProbeService.cancelled.clear();
		MatrixApplication.steps.clear();
	}

	private Probe probe(Dispatch dispatch) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		return this.client.probe(dispatch);
	}

	/** What the caller gets, or for a one-way call what the implementation has made. */
	private static @Nullable String send(Style style, Probe probe, String what, CallOptions options) throws Exception {
		return switch (style) {
			case BLOCKING -> options.call(() -> probe.ask(what, null));
			case FUTURE -> options.call(() -> probe.askLater(what, null)).join();
			case ONE_WAY -> {
				options.run(() -> probe.tell(what, null));
				yield ProbeService.told.poll(10, TimeUnit.SECONDS);
			}
			case STREAM -> throw new IllegalArgumentException("no stream");
		};
	}

	private static @Nullable Throwable failure(Style style, Probe probe, String what, CallOptions options) {
		Throwable thrown = catchThrowable(() -> send(style, probe, what, options));
		return (thrown instanceof CompletionException) ? thrown.getCause() : thrown;
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void attachments_areCarriedBothWays(Style style, Dispatch dispatch) throws Exception {
		AtomicReference<String> echo = new AtomicReference<>();
		CallOptions options = ACME.onReply((reply) -> echo.set(reply.get("echo")));
		assertThat(send(style, probe(dispatch), ProbeService.TENANT, options)).isEqualTo("acme");
		assertThat(echo.get()).isEqualTo((style != Style.ONE_WAY) ? "acme" : null);
		assertThat(send(style, probe(dispatch), ProbeService.TENANT, CallOptions.none())).as("the next call")
			.isEqualTo("null");
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void lastHop_receivesRemainingTimeOfFirstCaller(Style style, Dispatch dispatch) throws Exception {
		String left = send(style, probe(dispatch), ProbeService.LEFT,
				CallOptions.none().timeout(Duration.ofSeconds(9)));
		if (style == Style.ONE_WAY) {
			assertThat(Long.parseLong(left)).as("a call of its own").isBetween(9_001L, 20_000L);
		}
		else {
			assertThat(Long.parseLong(left)).isBetween(1L, 9_000L);
		}
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void call_isCancelledAtServer_whenCallerGivesUp(Style style, Dispatch dispatch) throws Exception {
		Probe probe = probe(dispatch);
		probe.ask("connected", null);
		CallOptions brief = CallOptions.none().timeout(Duration.ofSeconds(2));
		if (style == Style.ONE_WAY) {
			// an event loop that stood still drops what had so little time
			assertThat(send(style, probe, ProbeService.HANG, CallOptions.none())).as("nobody waits for it anyway")
				.isEqualTo("not cancelled");
			return;
		}
		if (style == Style.FUTURE) {
			CompletableFuture<String> result = probe.askLater(ProbeService.HANG, null);
			assertThat(ProbeService.hanging.poll(10, TimeUnit.SECONDS)).isEqualTo(ProbeService.HANG);
			result.cancel(true);
		}
		else {
			Throwable thrown = failure(style, probe, ProbeService.HANG, brief);
			if (thrown != null) { // the word that nobody waits may be here before that
				assertThat(thrown).isInstanceOfSatisfying(RpcException.class,
						(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
			}
		}
		assertThat(ProbeService.cancelled.poll(10, TimeUnit.SECONDS)).isEqualTo(ProbeService.HANG);
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void interceptors_runInOrder(Style style, Dispatch dispatch) throws Exception {
		assertThat(send(style, probe(dispatch), "hello", CallOptions.none())).isEqualTo("hello");
		assertThat(MatrixApplication.steps).containsExactly("client 1", "client 2", "server 1", "server 2");
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void interceptor_answersWithoutCall(Style style, Dispatch dispatch) throws Exception {
		CallOptions options = CallOptions.with(MatrixApplication.NOWHERE, "");
		Probe probe = probe(dispatch);
		if (style == Style.ONE_WAY) {
			options.run(() -> probe.tell("hello", null));
			assertThat(send(style, probe, "after", CallOptions.none())).as("the other has not run").isEqualTo("after");
		}
		else {
			assertThat(send(style, probe, "hello", options)).isEqualTo("by itself");
		}
		assertThat(MatrixApplication.steps).containsSubsequence("client 1", "client 2", "server 1");
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void advice_determinesFailureOfCall(Style style, Dispatch dispatch) {
		Probe probe = probe(dispatch);
		if (style == Style.ONE_WAY) {
			ACME.run(() -> probe.tell(ProbeService.FAIL, null)); // nobody hears of it
			return;
		}
		assertThat(failure(style, probe, ProbeService.FAIL, ACME)).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.NOT_FOUND);
			assertThat(ex).hasMessageContaining("nothing of acme");
			assertThat(ex.replyAttachments()).containsEntry("whose", "acme");
		});
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void fallback_answers_whenCallIsRefused(Style style, Dispatch dispatch) throws Exception {
		assertThat(probe(dispatch)).isNotNull();
		Probe probe = this.client.probeWithFallback(dispatch);
		CallOptions refused = CallOptions.with(MatrixApplication.REFUSE, "");
		if (style == Style.ONE_WAY) {
			refused.run(() -> probe.tell("hello", null));
			assertThat(send(style, probe, "after", CallOptions.none())).as("no fallback").isEqualTo("after");
			return;
		}
		assertThat(send(style, probe, "hello", refused)).isEqualTo("instead of hello");
		assertThat(send(style, probe, "hello", CallOptions.none())).isEqualTo("hello");
		assertThat(failure(style, probe, ProbeService.FAIL, ACME)).as("a verdict of the application")
			.isInstanceOfSatisfying(RpcException.class, (ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.NOT_FOUND));
	}

	@ParameterizedTest
	@MethodSource("matrix")
	void context_isPropagatedToAnotherThread(Style style, Dispatch dispatch) throws Exception {
		assertThat(send(style, probe(dispatch), ProbeService.THREAD, ACME)).isEqualTo("null acme");
	}

}
