package io.rpcboot.spring.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests the observations of calls of every style. */
@Timeout(120)
@Tag("jdk25")
class CallObservationsIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ObservationRegistry registry = ObservationRegistry.create();

	/** Contexts of observations that were stopped. */
	private final BlockingQueue<Observation.Context> stopped = new LinkedBlockingQueue<>();

	/** Names of what was current in the implementation. */
	private final Queue<String> current = new ConcurrentLinkedQueue<>();

	private @Nullable RpcClientObservationConvention ofClient;

	private @Nullable RpcServerObservationConvention ofServer;

	private Supplier<@Nullable String> currentTraceId = () -> "trace";

	private RpcServerInterceptor inner = ServerInvocation::proceed;

	/** Code that the next implementation calls from a callback; null for none. */
	private @Nullable Things next;

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private class Handler implements ObservationHandler<Observation.Context> {

		@Override
		public void onStop(Observation.Context context) {
			CallObservationsIntegrationTests.this.stopped.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	private final class Implementation implements Things {

		private final @Nullable Things next;

		Implementation(@Nullable Things next) {
			this.next = next;
		}

		private String see(String word) {
			Observation observation = CallObservationsIntegrationTests.this.registry.getCurrentObservation();
			if (observation != null && observation.getContext() instanceof RpcServerObservationContext context) {
				CallObservationsIntegrationTests.this.current.add(context.getInvocation().method().name());
			}
			if (word.equals("fail")) {
				throw new IllegalStateException("broken");
			}
			return word;
		}

		@Override
		public String now(String word) {
			return see(word);
		}

		@Override
		public CompletableFuture<String> later(String word) {
			see(word);
			Things further = this.next;
			if (further != null) {
				return further.later(word).thenCompose(further::later);
			}
			return new CompletableFuture<String>().completeOnTimeout(word, 20, TimeUnit.MILLISECONDS);
		}

		@Override
		public void told(String word) {
			see(word);
		}

		@Override
		public String declared(String word) throws Declared {
			throw new Declared(word);
		}

	}

	private Things things(Dispatch dispatch) {
		return things(dispatch, ReferenceOptions.defaults());
	}

	private Things things(Dispatch dispatch, ReferenceOptions options) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		Things further = this.next;
		RpcServer server = RpcServer.builder()
			.port(0)
			.maxThreads(1)
			.interceptor(new RpcServerObservationInterceptor(this.registry, this.ofServer, this.currentTraceId))
			.interceptor(this.inner)
			.service(ServiceDescriptor.of(Things.class), () -> new Implementation(further),
					ServiceOptions.defaults().withDispatch(dispatch))
			.start();
		this.open.add(server);
		RpcClient client = RpcClient.builder()
			.interceptor(new RpcClientObservationInterceptor(this.registry, this.ofClient, this.currentTraceId))
			.build();
		this.open.add(client);
		return client.reference(Things.class, options.withEndpoints(new Endpoint("127.0.0.1", server.port())));
	}

	private List<Observation.Context> stopped(int count) {
		await().atMost(Duration.ofSeconds(20)).until(() -> this.stopped.size() == count);
		List<Observation.Context> all = new ArrayList<>();
		this.stopped.drainTo(all);
		return all;
	}

	private static <T> T of(List<Observation.Context> all, Class<T> type) {
		return all.stream().filter(type::isInstance).map(type::cast).reduce((one, other) -> {
			throw new AssertionError("two");
		}).orElseThrow();
	}

	@ParameterizedTest
	@EnumSource(Dispatch.class)
	void call_isObservedOnBothSides_inEveryStyle(Dispatch dispatch) throws Exception {
		this.registry.observationConfig().observationHandler(new Handler());
		Things things = things(dispatch);
		String name = Things.class.getName();
		assertThat(things.now("a")).isEqualTo("a");
		assertEnds("rpc.client.call.duration", "rpc.server.call.duration", name + "/now");
		assertThat(things.later("b").get(10, TimeUnit.SECONDS)).isEqualTo("b");
		assertEnds("rpc.client.call.duration", "rpc.server.call.duration", name + "/later");
		things.told("c");
		assertEnds("rpc.client.call.duration", "rpc.server.call.duration", name + "/told");
		assertThat(this.current).containsExactly("now", "later", "told");
		assertThat(this.registry.getCurrentObservation()).as("the caller's thread").isNull();
	}

	private void assertEnds(String client, String server, String method) {
		List<Observation.Context> both = stopped(2);
		RpcClientObservationContext calls = of(both, RpcClientObservationContext.class);
		RpcServerObservationContext serves = of(both, RpcServerObservationContext.class);
		assertThat(calls.getName()).isEqualTo(client);
		assertThat(serves.getName()).isEqualTo(server);
		KeyValues low = KeyValues.of("rpc.system.name", "rpcboot", "rpc.method", method, "rpc.status_code", "OK");
		assertThat(both).allSatisfy((each) -> {
			assertThat(each.getContextualName()).isEqualTo(method);
			assertThat(each.getLowCardinalityKeyValues()).isEqualTo(low);
			assertThat(each.getError()).isNull();
		});
		assertThat(calls.getHighCardinalityKeyValues()).extracting("key")
			.containsExactly("server.address", "server.port");
		assertThat(serves.getHighCardinalityKeyValues()).extracting("key")
			.containsExactly("network.peer.address", "network.peer.port");
		assertThat(calls.getInvocation().traceId()).isEqualTo("trace");
		assertThat(serves.getInvocation().traceId()).isEqualTo("trace");
		assertThat(serves.getParentObservation()).as("another thread").isNull();
	}

	@Test
	void failure_isErrorUnlessExceptionIsDeclared() {
		this.registry.observationConfig().observationHandler(new Handler());
		Things things = things(Dispatch.POOL);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> things.now("fail"));
		List<Observation.Context> failed = stopped(2);
		assertThat(of(failed, RpcClientObservationContext.class).getError()).isInstanceOf(RpcException.class);
		assertThat(of(failed, RpcServerObservationContext.class).getError()).isInstanceOf(IllegalStateException.class);
		assertThat(failed).allSatisfy((each) -> assertThat(each.getHighCardinalityKeyValue("error.type")).isNotNull()
			.extracting("value")
			.isEqualTo("APPLICATION"));
		assertThatExceptionOfType(Things.Declared.class).isThrownBy(() -> things.declared("x"));
		assertThat(stopped(2)).allSatisfy((each) -> {
			assertThat(each.getError()).isNull();
			assertThat(each.getLowCardinalityKeyValue("rpc.status_code")).isNotNull()
				.extracting("value")
				.isEqualTo("DECLARED");
		});
	}

	@Test
	void applicationConvention_replacesDefault() {
		this.registry.observationConfig().observationHandler(new Handler());
		this.ofServer = new DefaultRpcServerObservationConvention() {

			@Override
			public String getName() {
				return "acme.calls";
			}

			@Override
			public boolean isError(CallOutcome outcome) {
				return outcome.status() == RpcStatus.DECLARED;
			}

		};
		Things things = things(Dispatch.POOL);
		assertThatExceptionOfType(Things.Declared.class).isThrownBy(() -> things.declared("x"));
		RpcServerObservationContext served = of(stopped(2), RpcServerObservationContext.class);
		assertThat(served.getName()).isEqualTo("acme.calls");
		assertThat(served.getError()).isInstanceOf(Things.Declared.class);
	}

	@Test
	void call_succeeds_whenConventionOrHandlerFails() throws Exception {
		this.ofClient = new DefaultRpcClientObservationConvention() {

			@Override
			public KeyValues getHighCardinalityKeyValues(RpcClientObservationContext context) {
				throw new IllegalStateException("a convention");
			}

		};
		this.registry.observationConfig().observationHandler(new Handler() {

			@Override
			public void onScopeOpened(Observation.Context context) {
				throw new IllegalStateException("a handler");
			}

			@Override
			public void onScopeClosed(Observation.Context context) {
				throw new IllegalStateException("a handler");
			}

		});
		Things things = things(Dispatch.POOL);
		assertThat(things.now("a")).isEqualTo("a");
		assertThat(things.later("b").get(10, TimeUnit.SECONDS)).isEqualTo("b");
		assertThat(this.registry.getCurrentObservation()).isNull();
		assertThat(stopped(2)).allMatch(RpcServerObservationContext.class::isInstance);
	}

	/** The next call on the same thread would belong to it. */
	@ParameterizedTest
	@ValueSource(strings = { "open", "close", "trace" })
	void observation_isRemovedFromThread_whenHandlerOrTracerFails(String what) {
		this.registry.observationConfig().observationHandler(new Handler() {

			@Override
			public void onScopeOpened(Observation.Context context) {
				fail("open");
			}

			@Override
			public void onScopeClosed(Observation.Context context) {
				fail("close");
			}

			private void fail(String where) {
				if (where.equals(what)) {
					throw new IllegalStateException("a handler");
				}
			}

		});
		this.currentTraceId = () -> {
			if (what.equals("trace")) {
				throw new IllegalStateException("a tracer");
			}
			return "trace";
		};
		Things things = things(Dispatch.POOL); // which has one thread
		for (int i = 0; i < 3; i++) {
			assertThat(things.now("a")).isEqualTo("a");
			assertThat(this.registry.getCurrentObservation()).as("the caller's thread").isNull();
		}
		assertThat(stopped(6)).extracting(Observation.Context::getParentObservation).containsOnlyNulls();
	}

	/** What was begun is stopped: somebody may count what is under way. */
	@Test
	void observation_isStopped_whenConventionFailsAtEnd() {
		this.registry.observationConfig().observationHandler(new Handler());
		this.ofClient = new DefaultRpcClientObservationConvention() {

			@Override
			public boolean isError(CallOutcome outcome) {
				throw new IllegalStateException("a convention");
			}

			@Override
			public KeyValues getHighCardinalityKeyValues(RpcClientObservationContext context) {
				return KeyValues.empty();
			}

		};
		assertThat(things(Dispatch.POOL).now("a")).isEqualTo("a");
		assertThat(of(stopped(2), RpcClientObservationContext.class).getName()).isEqualTo("rpc.client.call.duration");
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void tracingHeaders_becomeOptionalAttachments_whenValid(Protocol protocol) {
		this.registry.observationConfig().observationHandler(new Handler() {

			@Override
			public void onStart(Observation.Context context) {
				if (context instanceof RpcClientObservationContext client) {
					client.getSetter().set(client.getCarrier(), "traceparent", "00-1");
					client.getSetter().set(client.getCarrier(), "a name that may not be", "x");
					client.getSetter().set(client.getCarrier(), "rpc-reserved", "x");
					client.getSetter().set(client.getCarrier(), "half", "\ud83d");
				}
				else if (context instanceof RpcServerObservationContext server && server.getCarrier() != null) {
					CallObservationsIntegrationTests.this.current.add(server.getCarrier().asMap() + " "
							+ server.getGetter().get(server.getCarrier(), "TraceParent"));
				}
			}

		});
		Things things = things(Dispatch.POOL, ReferenceOptions.defaults().withProtocol(protocol));
		assertThat(things.now("a")).isEqualTo("a");
		assertThat(this.current).contains("{traceparent=00-1} 00-1");
		RpcClientObservationContext client = of(stopped(2), RpcClientObservationContext.class);
		assertThat(client.getInvocation().attachments().isOptional("traceparent")).isTrue();
	}

	@ParameterizedTest
	@EnumSource(CallbackThread.class)
	void callInCallback_hasObservationOfCallerAsParent(CallbackThread callbacks) throws Exception {
		this.registry.observationConfig().observationHandler(new Handler());
		Things things = things(Dispatch.POOL, ReferenceOptions.defaults().withCallbacks(callbacks));
		Observation around = Observation.start("around", this.registry);
		CompletableFuture<String> second = around.scoped(() -> things.later("a").thenCompose((any) -> {
			assertThat(this.registry.getCurrentObservation()).isSameAs(around);
			return things.later("b");
		}));
		assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("b");
		around.stop();
		assertThat(stopped(5)).filteredOn(RpcClientObservationContext.class::isInstance)
			.hasSize(2)
			.extracting(Observation.Context::getParentObservation)
			.allMatch((parent) -> parent == around);
		CompletableFuture<Boolean> outside = things.later("c")
			.thenApply((any) -> this.registry.getCurrentObservation() == null);
		assertThat(outside.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void callInCallbackOfServedCall_hasItsObservationAsParent() throws Exception {
		this.registry.observationConfig().observationHandler(new Handler());
		this.next = things(Dispatch.POOL);
		Things middle = things(Dispatch.POOL);
		assertThat(middle.later("b").get(10, TimeUnit.SECONDS)).isEqualTo("b");
		List<Observation.Context> all = stopped(6);
		assertThat(all).filteredOn((each) -> parentOf(each) instanceof RpcServerObservationContext)
			.hasSize(2)
			.allMatch(RpcClientObservationContext.class::isInstance)
			.extracting(CallObservationsIntegrationTests::parentOf)
			.satisfies((parents) -> assertThat(parents.get(0)).isSameAs(parents.get(1)));
	}

	private static @Nullable Object parentOf(Observation.Context context) {
		return (context.getParentObservation() != null) ? context.getParentObservation().getContextView() : null;
	}

	@Test
	void endListener_isInScopeOfObservationThatStopsAfterIt() {
		this.registry.observationConfig().observationHandler(new Handler() {

			@Override
			public void onStop(Observation.Context context) {
				CallObservationsIntegrationTests.this.current
					.add("stop in " + (CallObservationsIntegrationTests.this.registry.getCurrentObservation() != null));
				super.onStop(context);
			}

		});
		this.inner = (call) -> {
			call.onEnd((outcome) -> see("end"));
			return call.proceed();
		};
		assertThat(things(Dispatch.POOL).now("a")).isEqualTo("a");
		stopped(2);
		assertThat(this.current).containsSubsequence("now", "end in now", "stop in false")
			.doesNotContain("stop in true");
	}

	private void see(String where) {
		Observation observation = this.registry.getCurrentObservation();
		if (observation != null && observation.getContext() instanceof RpcServerObservationContext context) {
			this.current.add(where + " in " + context.getInvocation().method().name());
		}
	}

	@Test
	void context_isNotCreated_withoutObservationHandler() {
		assertThat(things(Dispatch.POOL).now("a")).isEqualTo("a");
		assertThat(this.current).isEmpty();
	}

}
