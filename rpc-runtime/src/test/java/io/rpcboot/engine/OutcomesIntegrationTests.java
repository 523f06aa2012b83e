package io.rpcboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.server.RpcServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** How declared exceptions, others and results that cannot be carried are told apart. */
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

	private final Calls calls = this.client.reference(Calls.class, References.at(this.server));

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
	}

	@Test
	void statusAndClassTellWhatAnImplementationThrew() {
		expect(() -> this.calls.refuse("sold out"), "sold out");
		assertRecorded("CLIENT DECLARED", "SERVER DECLARED");
		expect(() -> this.calls.refuseLater("sold out").join(), RefusedException.class.getName() + ": sold out");
		assertRecorded("CLIENT DECLARED", "SERVER DECLARED");
		expect(() -> this.calls.breakDown("no paper"), "java.lang.IllegalStateException: no paper; it executed");
		assertRecorded("CLIENT APPLICATION", "SERVER APPLICATION", "SERVER threw java.lang.IllegalStateException");
		expect(() -> this.calls.add(1, 1), "it executed");
		assertRecorded("CLIENT APPLICATION", "SERVER APPLICATION", "SERVER threw java.lang.NullPointerException");
	}

	@Test
	void resultThatCannotBeCarriedHasExecuted() {
		expect(() -> this.calls.grow(64 * 1024),
				"the result cannot be carried: max-frame-size: it takes more than 65536 bytes;"
						+ " return less or raise it on both sides; it executed");
		assertRecorded("CLIENT INTERNAL", "SERVER INTERNAL");
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

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return new CallRecorder() {

				@Override
				public void record(RpcStatus status, int calls, long totalNanos, long maxNanos) {
					Recorded.this.ends.add(side + " " + status);
				}

				@Override
				public void threw(String type) {
					Recorded.this.ends.add(side + " threw " + type);
				}

			};
		}

		@Override
		public TransportRecorder transport(Side side) {
			return RpcMetrics.none().transport(side);
		}

		@Override
		public AutoCloseable level(Level level, LongSupplier value) {
			return () -> {
			};
		}

	}

}
