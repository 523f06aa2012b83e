package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.RpcServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests the outcomes of calls: declared exceptions, undeclared exceptions, results that
 * cannot be serialized.
 */
@Timeout(60)
class OutcomesIntegrationTests {

	private final Recorded recorded = new Recorded();

	private final CallsImpl implementation = new CallsImpl() {

		@Override
		public int add(int left, int right) {
			return ((Integer) (Object) null) + left; // a bug
		}

	};

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.metrics(this.recorded)
		.maxFrameSize(64 * 1024)
		.service(Calls.class, this.implementation)
		.start();

	private final RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).metrics(this.recorded).build();

	private final Calls calls = this.client.reference(Calls.class, ReferenceStates.at(this.server));

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
	}

	@Test
	void outcome_tellsStatusAndExceptionType_whenImplementationThrows() {
		expect(() -> this.calls.refuse("sold out"), "sold out");
		assertRecorded("CLIENT DECLARED", "SERVER DECLARED");
		expect(() -> this.calls.refuseLater("sold out").join(), RefusedException.class.getName() + ": sold out");
		assertRecorded("CLIENT DECLARED", "SERVER DECLARED");
		expect(() -> this.calls.breakDown("no paper"),
				"java.lang.IllegalStateException: its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text); it executed");
		assertRecorded("CLIENT APPLICATION", "SERVER APPLICATION", "SERVER threw java.lang.IllegalStateException");
		expect(() -> this.calls.add(1, 1), "it executed");
		assertRecorded("CLIENT APPLICATION", "SERVER APPLICATION", "SERVER threw java.lang.NullPointerException");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					MESSAGE | java.lang.IllegalStateException | APPLICATION after N s: java.lang.IllegalStateException: no paper; it executed
					TYPE    | java.lang.IllegalStateException | APPLICATION after N s: java.lang.IllegalStateException: its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text); it executed
					NOTHING |                                 | APPLICATION after N s: its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text); it executed
					""")
	void exceptionExposure_limitsDetailsOfUndeclaredException(ExceptionExposure exposure, @Nullable String type,
			String words) {
		try (RpcServer other = RpcServer.builder()
			.port(0)
			.exposeExceptions(exposure)
			.service(Calls.class, this.implementation)
			.start()) {
			Calls calls = this.client.reference(Calls.class, ReferenceStates.at(other));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.breakDown("no paper"));
			assertThat(thrown.remoteType()).isEqualTo(type);
			assertThat(thrown.getMessage().replaceAll("after [0-9.]+ s", "after N s")).endsWith(words);
			assertThat(catchThrowable(() -> calls.refuse("sold out"))).hasMessage("sold out");
		}
	}

	@Test
	void metrics_recordEachCallWithItsPeer() {
		this.calls.greet("blocking");
		this.calls.later("future").join();
		this.calls.notice("one-way");
		assertRecorded("CLIENT OK", "CLIENT OK", "CLIENT OK", "SERVER OK", "SERVER OK", "SERVER OK");
		assertThat(this.recorded.peersOfClient).containsExactly("127.0.0.1:" + this.server.port());
		assertThat(this.recorded.peersOfServer).singleElement().isEqualTo(this.server.connections().get(0).remote());
		expect(() -> this.calls.echo(new byte[10_000_000]), "it did not execute");
		assertRecorded("CLIENT failed WRITE", "CLIENT INVALID_ARGUMENT");
		assertThat(this.recorded.peersOfClient).as("no connection took it").contains("");
	}

	@Test
	void oversizedResult_failsCallAsExecuted() {
		expect(() -> this.calls.grow(64 * 1024), "rpc.server.max-frame-size: the result takes more than 65536 bytes;"
				+ " return less, or raise it and rpc.client.max-frame-size; it executed");
		assertRecorded("CLIENT INTERNAL", "SERVER INTERNAL", "SERVER failed WRITE");
	}

	@Test
	void callLog_includesSuccessfulCalls_whenClientIsBuiltAtDebug() {
		Logger logger = (Logger) LoggerFactory.getLogger("rpc.client.calls");
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		logger.setAdditive(false);
		logger.setLevel(Level.DEBUG);
		try (RpcClient logged = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Calls all = logged.reference(Calls.class, ReferenceStates.at(this.server));
			for (Calls each : List.of(all, this.calls)) {
				each.greet("argument");
				each.later("argument").join();
				catchThrowable(() -> each.refuse("sold out"));
				catchThrowable(() -> each.breakDown("no paper"));
				catchThrowable(() -> each.echo(new byte[10_000_000]));
			}
			Eventually.until("the last reply was read", () -> lines.list.size() >= 7);
		}
		finally {
			logger.setLevel(null);
			logger.setAdditive(true);
			logger.detachAppender(lines);
		}
		String calls = Calls.class.getName() + ".";
		assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.map((line) -> line.replaceAll("[0-9]+[.][0-9]{3}", "N").replace(":" + this.server.port(), ""))
			.containsExactlyInAnyOrder(calls + "greet(java.lang.String): OK after N ms",
					calls + "later(java.lang.String): OK after N ms",
					calls + "refuse(java.lang.String): DECLARED after N ms", brokenDown(calls), brokenDown(calls),
					tooLarge(calls), tooLarge(calls));
	}

	private static String brokenDown(String calls) {
		return calls + "breakDown(java.lang.String) at 127.0.0.1: APPLICATION after N s:"
				+ " java.lang.IllegalStateException: its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text); it executed";
	}

	private static String tooLarge(String calls) {
		return calls
				+ "echo(byte[]): INVALID_ARGUMENT: rpc.client.max-frame-size: the arguments take more than 8388608 bytes;"
				+ " send less, or raise it and rpc.server.max-frame-size; it did not execute";
	}

	private static void expect(ThrowingCallable call, String end) {
		assertThat(catchThrowable(call)).hasMessageEndingWith(end);
	}

	private void assertRecorded(String... expected) {
		Eventually.until("both sides have recorded", () -> this.recorded.ends.size() >= expected.length);
		assertThat(List.copyOf(this.recorded.ends)).containsExactlyInAnyOrder(expected);
		this.recorded.ends.clear();
	}

	/** How calls end. */
	private static final class Recorded implements RpcMetrics {

		private final Queue<String> ends = new ConcurrentLinkedQueue<>();

		private final Set<String> peersOfClient = ConcurrentHashMap.newKeySet();

		private final Set<String> peersOfServer = ConcurrentHashMap.newKeySet();

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return new CallRecorder() {

				@Override
				public void record(RpcStatus status, long nanos, String peer) {
					((side == Side.CLIENT) ? Recorded.this.peersOfClient : Recorded.this.peersOfServer).add(peer);
					Recorded.this.ends.add(side + " " + status);
				}

				@Override
				public void threw(String type) {
					Recorded.this.ends.add(side + " threw " + type);
				}

				@Override
				public void failed(Serialization way) {
					Recorded.this.ends.add(side + " failed " + way);
				}

			};
		}

		@Override
		public TransportRecorder transport(Side side) {
			return RpcMetrics.none().transport(side);
		}

		@Override
		public AutoCloseable gauge(RpcMetrics.Gauge level, String subject, LongSupplier value) {
			return () -> {
			};
		}

	}

}
