package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The application's own code throws where nobody expects it. Public, for so must be what
 * is carried.
 */
@Tag("jdk25")
public class AwkwardApplicationIntegrationTests {

	private final AwkwardImpl implementation = new AwkwardImpl();

	private RpcServer server;

	private RpcClient client;

	private Awkward awkward;

	/** Waits on the only connection: it is lost if the connection is. */
	private CompletableFuture<String> witness;

	@BeforeEach
	void start() throws Exception {
		RpcServerBuilder builder = RpcServer.builder().port(0).exposeExceptions(ExceptionExposure.MESSAGE);
		this.server = builder.service(Awkward.class, this.implementation).start();
		this.client = RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.connectionsPerEndpoint(1)
			.maxFrameSize(4096)
			.build();
		this.awkward = this.client.reference(Awkward.class, ReferenceStates.at(this.server));
		this.witness = this.awkward.hang();
		assertThat(this.implementation.hanging.poll(10, TimeUnit.SECONDS)).isNotNull();
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	/** The connection is the same, and no call is left at the server. */
	private void assertUnharmed() throws Exception {
		assertThat(this.witness).isNotDone();
		Eventually.until("only the witness is in flight", () -> this.server.inFlightCalls() == 1);
		this.implementation.first.complete("alive");
		assertThat(this.witness.get(10, TimeUnit.SECONDS)).isEqualTo("alive");
		Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
		assertThat(this.client.pendingCalls()).isZero();
	}

	private static RpcException fail(ThrowingCallable call) {
		RpcException thrown = catchThrowableOfType(RpcException.class, call);
		assertThat(thrown).isNotNull();
		return thrown;
	}

	private static RpcException fail(CompletableFuture<?> call) {
		ExecutionException thrown = catchThrowableOfType(ExecutionException.class,
				() -> call.get(10, TimeUnit.SECONDS));
		assertThat(thrown).isNotNull();
		return (RpcException) thrown.getCause();
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCEPTION", "STACK_OVERFLOW" })
	void argument_isRefused_whenItsSerializationFails(How how) throws Exception {
		List<RpcException> failures = List.of(fail(() -> this.awkward.record(new Fragile(how))),
				fail(() -> this.awkward.bean((how == How.EXCEPTION) ? new ThrowingBean("x") : null,
						(how == How.EXCEPTION) ? null : new DeepBean("x"))),
				fail(() -> this.awkward.keys(Set.of(new Key(how)))));
		assertThat(failures).allSatisfy((failure) -> {
			assertThat(failure.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(failure.mayHaveExecuted()).isFalse();
		});
		assertUnharmed();
	}

	@Test
	void call_failsAsInternal_whenArgumentThrowsError() throws Exception {
		assertThat(fail(() -> this.awkward.record(new Fragile(How.ERROR))).status()).isEqualTo(RpcStatus.INTERNAL);
		assertUnharmed();
	}

	@Test
	void call_failsAsInternal_whenGetMessageThrows() throws Exception {
		assertThat(fail(() -> this.awkward.throwMute()).status()).isEqualTo(RpcStatus.INTERNAL);
		assertThat(fail(this.awkward.throwMuteLater()).status()).isEqualTo(RpcStatus.INTERNAL);
		assertUnharmed();
	}

	@ParameterizedTest
	@EnumSource
	void future_failsAsInternal_whenResultIsNotSerializable(How how) throws Exception {
		assertThat(fail(this.awkward.unreadable(how)).status()).isEqualTo(RpcStatus.INTERNAL);
		assertUnharmed();
	}

	@Test
	void dependents_runOnHookThread_afterFutureIsCancelled() throws Exception {
		CompletableFuture<String> call = this.awkward.hang();
		CompletableFuture<String> inside = this.implementation.hanging.poll(10, TimeUnit.SECONDS);
		BlockingQueue<String> threads = new LinkedBlockingQueue<>();
		inside.whenComplete((result, failure) -> threads.add(Thread.currentThread().getName()));
		call.cancel(true);
		assertThat(threads.poll(10, TimeUnit.SECONDS)).startsWith("rpc-hook-");
		assertThat(inside).isCancelled();
		assertUnharmed();
	}

	@Test
	void uncancellableStage_isLogged_whenItsCallIsCancelled() throws Exception {
		CompletableFuture<String> call = this.awkward.hangMinimal().toCompletableFuture();
		CompletableFuture<String> inside = this.implementation.hanging.poll(10, TimeUnit.SECONDS);
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			call.cancel(true);
			Eventually.until("the server has tried", () -> log.messages().size() == 1);
		}
		assertThat(this.awkward.ping()).isEqualTo("pong");
		inside.complete("too late");
		assertUnharmed();
	}

	@Test
	void errorMessage_isTruncated_whenLargerThanClientFrame() throws Exception {
		RpcException undeclared = fail(() -> this.awkward.breakDown(100_000));
		assertThat(undeclared.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(undeclared.remoteType()).isEqualTo(IllegalStateException.class.getName());
		assertThat(undeclared.getMessage()).contains("x".repeat(1000)).hasSizeLessThan(5000);
		RpcException declared = fail(() -> this.awkward.refuse(100_000));
		assertThat(declared.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(declared.remoteType()).isEqualTo(RefusedException.class.getName());
		assertUnharmed();
	}

	@ParameterizedTest
	@ValueSource(ints = { 99, -1, Integer.MIN_VALUE })
	void call_succeeds_whenLoadBalancerReturnsInvalidIndex(int choice) {
		assertServed((candidates) -> choice, "chose index " + choice + " (expected: 0 to ");
	}

	@Test
	void call_succeeds_whenLoadBalancerThrows() {
		assertServed((candidates) -> {
			throw new IllegalStateException("broken on purpose");
		}, "Load balancer failed: ");
	}

	private static void assertServed(LoadBalancer loadBalancer, String message) {
		CallsImpl one = new CallsImpl();
		CallsImpl other = new CallsImpl();
		try (LogRecorder log = new LogRecorder("rpc.client");
				RpcServer first = RpcServer.builder().port(0).service(Calls.class, one).start();
				RpcServer second = RpcServer.builder().port(0).service(Calls.class, other).build().start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(10))
					.loadBalancer(() -> loadBalancer)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(first.port(), second.port()));
			assertThat(calls.greet("x")).isEqualTo("hello x");
			Eventually.until("both take calls", () -> ReferenceStates.ready(client) == 2);
			for (int i = 0; i < 25; i++) {
				assertThat(calls.greet("x")).isEqualTo("hello x");
				assertThat(calls.echoLater(new byte[] { 1 }).join()).containsExactly((byte) 1);
			}
			assertThat(one.executed.get() + other.executed.get()).isEqualTo(51);
			assertThat(log.messages())
				.anySatisfy((each) -> assertThat(each).startsWith("Load balancer ")
					.contains(message)
					.endsWith("; an instance is chosen at random"))
				.as("a line a second, not one a call")
				.hasSizeLessThan(51);
			assertThat(client.pendingCalls()).isZero();
		}
	}

	/** How code of the application ends. */
	public enum How {

		EXCEPTION, STACK_OVERFLOW, ERROR;

		int end() {
			return switch (this) {
				case EXCEPTION -> throw new IllegalStateException("on purpose");
				case STACK_OVERFLOW -> 1 + end();
				case ERROR -> throw new AssertionError("on purpose");
			};
		}

		int endAtServer() {
			return Thread.currentThread().getName().startsWith("rpc-worker-") ? end() : 0;
		}

	}

	/** A record that a server cannot make. */
	public record Fragile(How how) {

		public Fragile {
			how.endAtServer();
		}

	}

	/** A member of a set that has no hash code at a server. */
	public record Key(How how) {

		@Override
		public boolean equals(Object other) {
			return other instanceof Key key && key.how == this.how;
		}

		@Override
		public int hashCode() {
			return this.how.endAtServer();
		}

	}

	/** Its constructor without arguments, which a server uses, throws. */
	public static class ThrowingBean {

		private String text;

		public ThrowingBean() {
			How.EXCEPTION.end();
		}

		public ThrowingBean(String text) {
			this.text = text;
		}

		public String getText() {
			return this.text;
		}

	}

	/** Its constructor without arguments, which a server uses, never ends. */
	public static class DeepBean {

		private String text;

		public DeepBean() {
			How.STACK_OVERFLOW.end();
		}

		public DeepBean(String text) {
			this.text = text;
		}

		public String getText() {
			return this.text;
		}

	}

	/** A service whose implementation does all that is not done. */
	public interface Awkward {

		String ping();

		void record(Fragile fragile);

		void bean(ThrowingBean throwing, DeepBean deep);

		void keys(Set<Key> keys);

		String throwMute();

		CompletableFuture<String> throwMuteLater();

		CompletableFuture<List<String>> unreadable(How how);

		CompletableFuture<String> hang();

		CompletionStage<String> hangMinimal();

		String breakDown(int chars);

		String refuse(int chars) throws RefusedException;

	}

	private static final class AwkwardImpl implements Awkward {

		private final CompletableFuture<String> first = new CompletableFuture<>();

		private final BlockingQueue<CompletableFuture<String>> hanging = new LinkedBlockingQueue<>();

		private boolean started;

		@Override
		public String ping() {
			return "pong";
		}

		@Override
		public void record(Fragile fragile) {
		}

		@Override
		public void bean(ThrowingBean throwing, DeepBean deep) {
		}

		@Override
		public void keys(Set<Key> keys) {
		}

		@Override
		public String throwMute() {
			throw new MuteException();
		}

		@Override
		public CompletableFuture<String> throwMuteLater() {
			return CompletableFuture.failedFuture(new MuteException());
		}

		@Override
		public CompletableFuture<List<String>> unreadable(How how) {
			return CompletableFuture.completedFuture(new AbstractList<>() {

				@Override
				public String get(int index) {
					return String.valueOf(how.end());
				}

				@Override
				public int size() {
					return 1;
				}

			});
		}

		@Override
		public synchronized CompletableFuture<String> hang() {
			CompletableFuture<String> future = this.started ? new CompletableFuture<>() : this.first;
			this.started = true;
			this.hanging.add(future);
			return future;
		}

		@Override
		public CompletionStage<String> hangMinimal() {
			return hang().minimalCompletionStage();
		}

		@Override
		public String breakDown(int chars) {
			throw new IllegalStateException("x".repeat(chars));
		}

		@Override
		public String refuse(int chars) throws RefusedException {
			throw new RefusedException("x".repeat(chars), 42);
		}

	}

	private static final class MuteException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new IllegalStateException("no message on purpose");
		}

	}

}
