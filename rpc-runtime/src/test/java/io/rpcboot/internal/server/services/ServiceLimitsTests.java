package io.rpcboot.internal.server.services;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.BuiltOptions;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

/** The limits of threads that a service and its methods have. */
@Tag("jdk25")
class ServiceLimitsTests {

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Store.class);

	private static final String PREFIX = "services." + Store.class.getName() + ".";

	/** A contract. */
	public interface Store {

		@RpcMethod(nonBlocking = true)
		int size();

		int slow();

		int slow(int number);

		int fast();

	}

	/** A contract of which no method takes a thread. */
	public interface Quick {

		@RpcMethod(nonBlocking = true)
		int size();

	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1 })
	void limitBelowOne_isRejected(int threads) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ServiceOptions.defaults().withMaxThreads(threads))
			.withMessage("max-threads: %d (expected: 1 or more)".formatted(threads));
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ServiceOptions.defaults().withMaxThreads("slow", threads))
			.withMessage("methods.slow.max-threads: %d (expected: 1 or more)".formatted(threads));
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ServiceOptions.defaults().withMaxStreams(threads))
			.withMessage("max-streams: %d (expected: 1 or more)".formatted(threads));
	}

	@Test
	void limitOfStreams_isRejected_withoutStreams() {
		ServiceOptions options = ServiceOptions.defaults().withMaxStreams(2);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> build(options, Dispatch.POOL))
			.withMessage(PREFIX + "max-streams: 2 (expected: none, because no method takes or returns a stream)")
			.satisfies((ex) -> assertThat(ex.action())
				.isEqualTo("Remove " + PREFIX + "max-streams, or set max-threads to limit calls."));
	}

	@Test
	void unknownMethod_isRejected_inLimits() {
		ServiceOptions options = ServiceOptions.defaults().withMaxThreads("slo", 2);
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> RpcServer.builder().service(SERVICE, Object::new, options))
			.withMessage(PREFIX + "methods: 'slo' (expected: a method of the interface: fast, size, slow)");
	}

	@Test
	void limits_areKept_whenOtherOptionsChange() {
		ServiceOptions options = ServiceOptions.defaults()
			.withMaxThreads(8)
			.withMaxThreads("slow", 2)
			.withMaxThreads("fast", 3)
			.withDispatch(Dispatch.POOL)
			.withDispatch("size", Dispatch.EVENT_LOOP)
			.withSerializers(List.of(new ProtostuffSerializer()))
			.withImplementation(String.class);
		assertThat(options.maxThreads()).isEqualTo(8);
		assertThat(options.methodMaxThreads()).containsOnly(entry("slow", 2), entry("fast", 3));
		assertThat(options.dispatch()).isEqualTo(Dispatch.POOL);
		assertThat(options.methodDispatch()).containsOnly(entry("size", Dispatch.EVENT_LOOP));
		assertThat(options.serializers()).hasSize(1);
	}

	@Test
	void methodLimit_isRejected_withoutPoolThreads() {
		ServiceOptions options = ServiceOptions.defaults().withMaxThreads("size", 2);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> build(options, Dispatch.POOL))
			.withMessage(PREFIX + "methods.size.max-threads: 2 (expected: none with dispatch event-loop,"
					+ " because it limits threads of the pool)")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo("Set " + PREFIX + "methods.size.max-threads"
					+ " only for calls on the pool: choose dispatch pool for them, or remove the limit."));
		build(options.withDispatch("size", Dispatch.POOL), Dispatch.EVENT_LOOP).close();
	}

	@Test
	void serviceLimit_isRejected_withoutPoolThreads() {
		ServiceOptions options = ServiceOptions.defaults().withMaxThreads(4);
		String message = PREFIX + "max-threads: 4 (expected: none with dispatch event-loop,"
				+ " because it limits threads of the pool)";
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> build(options, Dispatch.EVENT_LOOP))
			.withMessage(message);
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> build(options.withDispatch(Dispatch.EVENT_LOOP), Dispatch.POOL))
			.withMessage(message);
		assertThatExceptionOfType(InvalidOptionException.class).as("a limit of the service is not meant for one method")
			.isThrownBy(() -> build(options.withDispatch("slow", Dispatch.POOL), Dispatch.EVENT_LOOP))
			.withMessage(message);
		build(options, Dispatch.POOL).close();
		build(options.withDispatch(Dispatch.POOL), Dispatch.EVENT_LOOP).close();
	}

	@Test
	void serviceLimit_isRejected_whenAllMethodsAreNonBlocking() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> RpcServer.builder()
				.service(ServiceDescriptor.of(Quick.class), Object::new, ServiceOptions.defaults().withMaxThreads(4))
				.build())
			.withMessage(("services.%s.max-threads: 4 (expected: none where no method has dispatch pool,"
					+ " because it limits threads of the pool)")
				.formatted(Quick.class.getName()));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void limit_isRejected_withVirtualThreads() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> build(ServiceOptions.defaults().withMaxThreads("slow", 2), Dispatch.VIRTUAL))
			.withMessage(PREFIX + "methods.slow.max-threads: 2 (expected: none with dispatch virtual,"
					+ " because it limits threads of the pool)");
	}

	@Test
	void serviceInfo_showsLimits() {
		try (RpcServer server = build(ServiceOptions.defaults().withMaxThreads(8).withMaxThreads("slow", 2),
				Dispatch.POOL)) {
			assertThat(server.services()).singleElement().satisfies((service) -> {
				assertThat(service.maxThreads()).isEqualTo(8);
				assertThat(service.methodMaxThreads()).containsOnly(entry("slow", 2));
			});
		}
	}

	@Test
	void serviceInfo_showsDispatchOfMethods() {
		try (RpcServer server = build(ServiceOptions.defaults().withDispatch("slow", Dispatch.EVENT_LOOP),
				Dispatch.POOL)) {
			assertThat(server.services()).singleElement().satisfies((service) -> {
				Map<String, Dispatch> shown = new HashMap<>();
				for (int i = 0; i < service.methods().size(); i++) {
					shown.put(service.methods().get(i), service.dispatch().get(i));
				}
				assertThat(shown).containsEntry("slow()", Dispatch.EVENT_LOOP)
					.containsEntry("slow(int)", Dispatch.EVENT_LOOP)
					.containsEntry("fast()", Dispatch.POOL);
			});
		}
	}

	@Test
	void overloads_shareMethodQueue_withinServiceQueue() {
		Map<String, ServiceQueue> lines = lines(ServiceOptions.defaults().withMaxThreads(8).withMaxThreads("slow", 2),
				1);
		ServiceQueue slow = lines.get("slow()");
		assertThat(slow).isSameAs(lines.get("slow(int)")).isNotSameAs(lines.get("fast()"));
		assertThat(lines.get("fast()")).isSameAs(lines.get("size()")).isSameAs(slow.service());
		assertThat(places(slow)).isEqualTo(2);
		assertThat(places(slow.service())).as("two of eight are taken").isEqualTo(6);
	}

	@Test
	void serviceThreads_areLimitedBySmallerOfShareAndLimit() {
		assertThat(places(lines(ServiceOptions.defaults().withMaxThreads(8), 2).get("fast()"))).isEqualTo(8);
		assertThat(places(lines(ServiceOptions.defaults().withMaxThreads(19), 2).get("fast()"))).isEqualTo(15);
		assertThat(places(lines(ServiceOptions.defaults().withMaxThreads(19), 1).get("fast()"))).isEqualTo(19);
		assertThat(places(lines(ServiceOptions.defaults(), 2).get("fast()"))).isEqualTo(15);
		assertThat(places(lines(ServiceOptions.defaults().withMaxThreads("fast", 18), 2).get("fast()"))).isEqualTo(15);
	}

	@Test
	void threads_areCounted_onlyWithLimits() {
		assertThat(share(ServiceOptions.defaults()).isShared()).isFalse();
		assertThat(share(ServiceOptions.defaults().withDispatch("slow", Dispatch.EVENT_LOOP)).isShared()).isFalse();
		Bulkhead limited = share(ServiceOptions.defaults().withMaxThreads("slow", 2));
		assertThat(limited).isEqualTo(new Bulkhead(true, 200, 20_000, 20_000));
		assertThat(share(ServiceOptions.defaults().withMaxThreads(2))).isEqualTo(limited);
	}

	private static Bulkhead share(ServiceOptions options) {
		return BuiltOptions.of(RpcServer.builder().service(SERVICE, Object::new, options)).share();
	}

	private static RpcServer build(ServiceOptions options, Dispatch dispatch) {
		return RpcServer.builder().port(0).dispatch(dispatch).service(SERVICE, Object::new, options).build();
	}

	/** Threads that can enter; they stay. */
	private static int places(ServiceQueue line) {
		int places = 0;
		while (line.enter(null)) {
			places++;
		}
		return places;
	}

	/** By signature, of one of some services at a server of 20 threads. */
	private static Map<String, ServiceQueue> lines(ServiceOptions options, int services) {
		ProtostuffSerializer serializer = new ProtostuffSerializer();
		ServiceTable offered = new ServiceTable(Map.of(SERVICE, new ServiceRegistration(Object::new, options)),
				List.of(serializer), Dispatch.POOL, Bulkhead.of(services, false, 20, 100), RpcMetrics.none(),
				new MemoryBudget(1 << 30, 0),
				new RateLimitedLogger(ServiceLimitsTests.class.getName(), System::nanoTime), List.of());
		ServiceCodec codec = serializer.codec(SERVICE);
		return offered.find(SERVICE.id().toString(), serializer.name())
			.find(codec.contract().hash())
			.methods()
			.stream()
			.collect(Collectors.toMap((each) -> each.descriptor().signature(), (each) -> each.method.queue));
	}

}
