package io.rpcboot.engine.context;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Ends and answers at moments that nobody hopes for. */
@Timeout(60)
class ContextRaceIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ContextCallsImpl last = new ContextCallsImpl();

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private RpcServer server(ContextCalls implementation, Dispatch dispatch, RpcServerInterceptor... interceptors) {
		RpcServer server = RpcServer.builder()
			.port(0)
			.maxThreads(8)
			.service(ServiceDescriptor.of(ContextCalls.class), () -> implementation,
					ServiceOptions.defaults().withDispatch(dispatch).withInterceptors(List.of(interceptors)))
			.start();
		this.open.add(server);
		return server;
	}

	private ContextCalls calls(RpcServer server, int maxPendingCalls, Duration timeout) {
		RpcClient client = RpcClient.builder().timeout(timeout).maxPendingCalls(maxPendingCalls).build();
		this.open.add(client);
		return client.reference(ContextCalls.class, ReferenceStates.at(server));
	}

	/** A call that waits for room ends with the one for which it is made. */
	@Test
	void waitingInnerCall_endsUnexecuted_whenOuterCallIsCancelled() throws Exception {
		RpcServer end = server(this.last, Dispatch.POOL);
		ContextCalls further = calls(end, 1, Duration.ofSeconds(20));
		CompletableFuture<String> first = further.hangLater("holds the room");
		assertThat(this.last.hanging.poll(20, TimeUnit.SECONDS)).isEqualTo("holds the room");
		ContextCallsImpl middle = new ContextCallsImpl();
		CompletableFuture<Thread> worker = new CompletableFuture<>();
		CompletableFuture<Throwable> ended = new CompletableFuture<>();
		middle.next = (ContextCalls) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ContextCalls.class }, (self, method, arguments) -> {
					worker.complete(Thread.currentThread());
					try {
						String result = further.count("waits");
						ended.complete(new AssertionError("it returned " + result));
					}
					catch (Throwable ex) {
						ended.complete(ex);
					}
					return CompletableFuture.completedFuture("over");
				});
		ContextCalls outer = calls(server(middle, Dispatch.POOL), 10, Duration.ofSeconds(20));
		CompletableFuture<String> waits = outer.hangLater("outer");
		Thread waiting = worker.get(20, TimeUnit.SECONDS);
		Eventually.until("it waits for room", () -> waiting.getState() == Thread.State.TIMED_WAITING);
		waits.cancel(false);
		assertThat(middle.cancelled.poll(20, TimeUnit.SECONDS)).isEqualTo("outer");
		int before = this.last.runs.get();
		assertThat(ended.get(20, TimeUnit.SECONDS)).as("while the room is taken")
			.isInstanceOf(RpcException.class)
			.matches((ex) -> ((RpcException) ex).status() == RpcStatus.CANCELLED);
		first.cancel(false);
		assertThat(further.count("afterwards")).startsWith("afterwards");
		assertThat(this.last.runs).hasValue(before + 1);
	}

	/** What stands before the arguments may answer later, in place of the method. */
	@Test
	void earlyInterceptor_answersLater_onEventLoop() throws Exception {
		CompletableFuture<String> answer = new CompletableFuture<>();
		AtomicInteger count = new AtomicInteger();
		RpcServerInterceptor early = new RpcServerInterceptor() {

			@Override
			public @Nullable Object intercept(ServerInvocation call) throws Throwable {
				if (call.method().name().equals("hangLater") && count.getAndIncrement() == 0) {
					return answer.thenCompose((word) -> {
						try {
							return (CompletableFuture<?>) call.proceed();
						}
						catch (Throwable ex) {
							return CompletableFuture.failedFuture(ex);
						}
					});
				}
				return call.proceed();
			}

			@Override
			public Position position() {
				return Position.BEFORE_ARGUMENTS;
			}

		};
		ContextCalls echo = (ContextCalls) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ContextCalls.class },
				(self, method, arguments) -> (method.getReturnType() == String.class) ? arguments[0]
						: CompletableFuture.completedFuture(arguments[0]));
		ContextCalls calls = calls(server(echo, Dispatch.EVENT_LOOP, early), 100, Duration.ofSeconds(5));
		CompletableFuture<String> first = calls.hangLater("first-first-first");
		for (int i = 0; i < 20; i++) {
			calls.count("other".repeat(100));
		}
		answer.complete("now");
		assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("first-first-first");
	}

	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void endListenerError_doesNotAffectCalls(Dispatch dispatch) {
		ContextCalls calls = calls(server(this.last, dispatch, (call) -> {
			call.onEnd((outcome) -> {
				throw new AssertionError("x");
			});
			return call.proceed();
		}), 100, Duration.ofSeconds(20));
		for (int i = 0; i < 5; i++) {
			assertThat(calls.count("a")).startsWith("a");
			assertThat(calls.lookLater("a").join()).containsEntry("word", "a");
		}
	}

	/** After its answer a call does not run. */
	@Test
	void proceed_throws_afterCallIsAnswered() throws Exception {
		CompletableFuture<ServerInvocation> kept = new CompletableFuture<>();
		ContextCalls calls = calls(server(this.last, Dispatch.POOL, (call) -> {
			if (kept.complete(call)) {
				throw new RpcException(RpcStatus.RESOURCE_EXHAUSTED, "too late", false);
			}
			return call.proceed();
		}), 100, Duration.ofSeconds(20));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("a"));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> kept.join().proceed());
		assertThat(this.last.runs).hasValue(0);
	}

	/** By the word of an application no other instance is tried, whatever the status. */
	@ParameterizedTest
	@EnumSource(value = RpcStatus.class,
			names = { "NOT_FOUND", "UNAVAILABLE", "FAILED_PRECONDITION", "UNAUTHENTICATED" })
	void interceptorRefusal_isFinal_withEachStatus(RpcStatus status) {
		AtomicInteger asked = new AtomicInteger();
		ContextCalls calls = calls(server(this.last, Dispatch.POOL, (call) -> {
			asked.incrementAndGet();
			throw new RpcException(status, "no such tenant", false, null, null, Map.of("tenant", "x"));
		}), 100, Duration.ofSeconds(20));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.count("a"))
			.matches((ex) -> ex.status() == status && !ex.mayHaveExecuted())
			.satisfies((ex) -> assertThat(ex.replyAttachments()).containsExactly(Map.entry("tenant", "x")));
		assertThat(asked).hasValue(1);
	}

	/** All threads of the pool wait for the word that nobody waits. */
	@Test
	void cancelListeners_run_whenWorkerPoolIsExhausted() throws Exception {
		RpcServer server = RpcServer.builder().port(0).maxThreads(2).service(ContextCalls.class, this.last).start();
		this.open.add(server);
		ContextCalls calls = calls(server, 10, Duration.ofSeconds(3));
		calls.look("connected");
		List<RpcException> failures = new CopyOnWriteArrayList<>();
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			String word = "word " + i;
			Thread caller = new Thread(() -> {
				try {
					calls.hang(word);
				}
				catch (RpcException ex) {
					failures.add(ex);
				}
			});
			caller.start();
			callers.add(caller);
		}
		List<String> told = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			told.add(String.valueOf(this.last.cancelled.poll(20, TimeUnit.SECONDS)));
		}
		assertThat(told).containsExactlyInAnyOrder("word 0", "word 1");
		for (Thread caller : callers) {
			caller.join();
		}
		assertThat(failures).allMatch((ex) -> ex.status() == RpcStatus.DEADLINE_EXCEEDED);
	}

	/** A one-way call has no caller that waits. */
	@Test
	void oneWayCall_makesInnerCalls_afterClientTimeout() throws Exception {
		ContextCalls further = calls(server(this.last, Dispatch.POOL), 10, Duration.ofSeconds(20));
		CompletableFuture<String> result = new CompletableFuture<>();
		ContextCalls middle = (ContextCalls) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ContextCalls.class }, (self, method, arguments) -> {
					Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3200));
					result.complete(further.count("b"));
					return null;
				});
		ContextCalls outer = calls(server(middle, Dispatch.POOL), 10, Duration.ofSeconds(3));
		outer.notice("a");
		assertThat(result.get(20, TimeUnit.SECONDS)).startsWith("b");
	}

	/**
	 * What an interceptor made of the future of the implementation is cancelled with it.
	 */
	@Test
	void implementationFuture_isCancelled_whenInterceptorMapsIt() throws Exception {
		CompletableFuture<Object> implementation = new CompletableFuture<>();
		ContextCalls waits = (ContextCalls) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ContextCalls.class }, (self, method, arguments) -> {
					this.last.hanging.add("a");
					return implementation;
				});
		ContextCalls calls = calls(
				server(waits, Dispatch.POOL,
						(call) -> ((CompletableFuture<?>) call.proceed()).thenApply((result) -> result)),
				10, Duration.ofSeconds(20));
		CompletableFuture<String> result = calls.hangLater("a");
		assertThat(this.last.hanging.poll(20, TimeUnit.SECONDS)).isEqualTo("a");
		result.cancel(true);
		Eventually.until("cancelled", implementation::isCancelled);
	}

	/** A future says who has failed as an exception does. */
	@Test
	void failedFuture_keepsItsStatus_whenInterceptorReturnsIt() {
		RpcException refusal = new RpcException(RpcStatus.UNAUTHENTICATED, "no token", false);
		ContextCalls broken = (ContextCalls) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ContextCalls.class },
				(self, method, arguments) -> CompletableFuture.failedFuture(refusal));
		ContextCalls calls = calls(server(broken, Dispatch.POOL, (call) -> call.method().name().equals("lookLater")
				? CompletableFuture.failedFuture(refusal) : call.proceed()), 100, Duration.ofSeconds(10));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> calls.lookLater("a").join())
			.withCauseInstanceOf(RpcException.class)
			.matches((ex) -> ex.getCause() instanceof RpcException cause && !cause.mayHaveExecuted()
					&& cause.status() == RpcStatus.UNAUTHENTICATED);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> calls.hangLater("b").join())
			.withCauseInstanceOf(RpcException.class)
			.matches((ex) -> ex.getCause() instanceof RpcException cause && cause.mayHaveExecuted()
					&& cause.status() == RpcStatus.UNAUTHENTICATED);
	}

}
