package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Arrays and buffers go from call to call. However calls end, none gets the bytes of
 * another.
 */
class UsedAgainIntegrationTests {

	private static final int CALLS = Load.LONG ? 2_000_000 : 60_000;

	private static final int THREADS = 24;

	/** Beside and beyond the bound up to which an array serves both ways. */
	private static final int LARGEST = 400;

	private final CallsImpl implementation = new CallsImpl();

	static Stream<Arguments> threads() {
		return Stream.of(Arguments.of(Dispatch.POOL, CallbackThread.POOL),
				Arguments.of(Dispatch.EVENT_LOOP, CallbackThread.EVENT_LOOP));
	}

	@ParameterizedTest
	@MethodSource("threads")
	void call_getsItsOwnBytes_whileOtherCallsEndEarly(Dispatch dispatch, CallbackThread callbacks) {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.dispatch(dispatch)
			.service(Calls.class, this.implementation)
			.start();
				RpcClient patient = RpcClient.builder().callbacks(callbacks).timeout(Duration.ofSeconds(30)).build();
				RpcClient hasty = RpcClient.builder().callbacks(callbacks).timeout(Duration.ofMillis(2)).build()) {
			Calls calls = patient.reference(Calls.class, ReferenceStates.at(server));
			Calls givenUp = hasty.reference(Calls.class, ReferenceStates.at(server));
			AtomicInteger ended = new AtomicInteger();
			try (Load load = new Load(THREADS, (number) -> {
				switch ((int) (number % 8)) {
					case 0, 1, 2 -> requireEcho(calls.echo(bytes(number)), number);
					case 3 -> giveUp(() -> requireEcho(givenUp.echo(bytes(number)), number));
					case 4 -> requireEcho(calls.echoLater(bytes(number)).get(), number);
					case 5 -> calls.echoLater(bytes(number)).cancel(true);
					case 6 -> {
						Thread.currentThread().interrupt();
						giveUp(() -> requireEcho(calls.echo(bytes(number)), number));
						Thread.interrupted();
					}
					default -> calls.notice("");
				}
				ended.incrementAndGet();
			})) {
				Eventually.until("all calls ended", () -> ended.get() >= CALLS || !load.failures().isEmpty());
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
	}

	private static byte[] bytes(long number) {
		byte[] bytes = new byte[ThreadLocalRandom.current().nextInt(LARGEST)];
		Arrays.fill(bytes, (byte) number);
		return bytes;
	}

	private static void requireEcho(byte[] bytes, long number) {
		for (byte b : bytes) {
			if (b != (byte) number) {
				throw new AssertionError("bytes of call %d hold %s".formatted(number, Arrays.toString(bytes)));
			}
		}
	}

	private static void giveUp(Runnable call) {
		try {
			call.run();
		}
		catch (RpcException ex) {
			// its time was over, or it was interrupted, as was intended
		}
	}

	/** An answer at once leaves no call in flight, but its client could use more room. */
	@Test
	void window_grows_whenCallsAreAnsweredImmediately() throws ExecutionException, InterruptedException {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.dispatch(Dispatch.EVENT_LOOP)
			.service(Calls.class, this.implementation)
			.start(); RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(30)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			calls.nothing();
			Eventually.until("the window grows", () -> {
				CompletableFuture<?>[] burst = new CompletableFuture<?>[2000];
				Arrays.setAll(burst, (index) -> calls.echoLater(new byte[] { 1 }));
				CompletableFuture.allOf(burst).orTimeout(20, TimeUnit.SECONDS).join();
				return client.connections()
					.stream()
					.allMatch((connection) -> connection.grantedCalls() - connection.usedCalls() >= 1000);
			});
		}
	}

}
