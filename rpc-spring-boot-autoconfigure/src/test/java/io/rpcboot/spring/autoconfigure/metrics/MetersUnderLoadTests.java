package io.rpcboot.spring.autoconfigure.metrics;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.micrometer.RpcMeters;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the meters of an application that calls itself. */
class MetersUnderLoadTests {

	private static final int CALLS = 200;

	/** Meters of applications with TLS or rules. */
	private static final EnumSet<RpcMeters> OF_SECURITY = EnumSet.of(RpcMeters.SERVER_REFUSED, RpcMeters.SERVER_CALLERS,
			RpcMeters.SERVER_CLEAR_TEXT_CONNECTIONS, RpcMeters.CLIENT_CERTIFICATE_EXPIRY,
			RpcMeters.SERVER_CERTIFICATE_EXPIRY);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(ShopService.class)
		.withBean(Customer.class)
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, MetricsAutoConfiguration.class,
				RpcMetricsAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@Test
	void meters_matchDocumentation() {
		this.runner.run((context) -> {
			callInEveryWay(context);
			try (Stream<byte[]> parts = context.getBean(Customer.class).shop.parts(3)) {
				assertThat(parts).hasSize(3);
			}
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			Set<String> names = Arrays.stream(RpcMeters.values()).map(RpcMeters::meterName).collect(Collectors.toSet());
			assertThat(registry.getMeters()).extracting((meter) -> meter.getId().getName())
				.filteredOn((name) -> name.startsWith("rpc."))
				.isSubsetOf(names);
			for (RpcMeters documented : EnumSet.complementOf(OF_SECURITY)) {
				assertThat(registry.find(documented.meterName()).meters()).as(documented.meterName())
					.isNotEmpty()
					.extracting(Meter::getId)
					.allSatisfy((id) -> {
						assertThat(id.getType()).isEqualTo(documented.type());
						assertThat(id.getBaseUnit()).isEqualTo(documented.baseUnit());
						assertThat(id.getTags().stream().map(Tag::getKey))
							.containsExactlyInAnyOrderElementsOf(documented.tags());
					});
			}
		});
	}

	@Test
	void callsBytesAndFailures_areEqualOnBothSides() {
		this.runner.run((context) -> {
			callInEveryWay(context);
			Awaitility.await()
				.untilAsserted(() -> assertThat(calls(context, "rpc.server.calls", "OK"))
					.isEqualTo(calls(context, "rpc.client.calls", "OK")));
			assertThat(calls(context, "rpc.client.calls", "OK")).isEqualTo(2 * CALLS + 1);
			assertThat(bytes(context, "rpc.server", "buy", "argument"))
				.isEqualTo(bytes(context, "rpc.client", "buy", "argument"))
				.isBetween(CALLS * 100.0, CALLS * 120.0);
			assertThat(bytes(context, "rpc.server", "buy", "result"))
				.isEqualTo(bytes(context, "rpc.client", "buy", "result"))
				.isBetween(CALLS * 100.0, CALLS * 120.0);
			assertThat(bytes(context, "rpc.server", "buyLater", "argument"))
				.isEqualTo(bytes(context, "rpc.client", "buyLater", "argument"))
				.isPositive();
			assertThat(bytes(context, "rpc.server", "notice", "argument"))
				.isEqualTo(bytes(context, "rpc.client", "notice", "argument"))
				.isPositive();
			assertThat(failures(context, "rpc.client", "buy", "write")).isOne();
			assertThat(failures(context, "rpc.server", "grow", "write")).isOne();
		});
	}

	@Test
	void distributionProperties_applyToCallTimers() {
		this.runner
			.withPropertyValues("management.metrics.distribution.slo.rpc.server.calls=10s",
					"management.metrics.distribution.percentiles.rpc.client.calls=0.5,0.99")
			.run((context) -> {
				callInEveryWay(context);
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				Timer server = registry.get("rpc.server.calls").tag("method", methodStarts("buy(", registry)).timer();
				Awaitility.await().untilAsserted(() -> assertThat(server.count()).isEqualTo(CALLS));
				assertThat(server.takeSnapshot().histogramCounts()).singleElement()
					.satisfies((bucket) -> assertThat(bucket.count()).isEqualTo(CALLS));
				Timer client = registry.get("rpc.client.calls")
					.tag("method", methodStarts("buyLater(", registry))
					.timer();
				assertThat(client.takeSnapshot().percentileValues()).hasSize(2)
					.allSatisfy((each) -> assertThat(each.value()).isPositive());
				assertThat(client.max(TimeUnit.NANOSECONDS)).isPositive();
			});
	}

	@Test
	@PropertyEffect("rpc.metrics.max-methods")
	void methodsWithMeters_areLimited() {
		this.runner.withPropertyValues("rpc.metrics.max-methods=1").run((context) -> {
			callInEveryWay(context);
			assertThat(context.getBean(MeterRegistry.class).get("rpc.client.calls").tag("method", "other").meters())
				.isNotEmpty();
		});
		this.runner.withPropertyValues("rpc.metrics.max-methods=0")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("max-methods: 0 (expected: 1 or more)"));
	}

	private static void callInEveryWay(ApplicationContext context) {
		Shop shop = context.getBean(Customer.class).shop;
		RpcClient client = context.getBean(RpcClient.class);
		Awaitility.await().until(() -> client.references().stream().allMatch(ReferenceInfo::isReady));
		byte[] body = new byte[100];
		for (int i = 0; i < CALLS; i++) {
			shop.buy(body);
		}
		CompletableFuture
			.allOf(IntStream.range(0, CALLS).mapToObj((i) -> shop.buyLater(body)).toArray(CompletableFuture[]::new))
			.join();
		shop.notice("one-way");
		assertThatExceptionOfType(RpcException.class).isThrownBy(shop::breakDown);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> shop.buy(new byte[10_000_000]));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> shop.grow(10_000_000));
	}

	private static double calls(ApplicationContext context, String meter, String status) {
		return context.getBean(MeterRegistry.class)
			.get(meter)
			.tag("status", status)
			.functionTimers()
			.stream()
			.mapToDouble((timer) -> timer.count())
			.sum();
	}

	private static double bytes(ApplicationContext context, String side, String method, String direction) {
		return counter(context, side + ".calls.bytes", method, direction);
	}

	private static double failures(ApplicationContext context, String side, String method, String direction) {
		return counter(context, side + ".serialization.failures", method, direction);
	}

	private static double counter(ApplicationContext context, String meter, String method, String direction) {
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		FunctionCounter counter = registry.get(meter)
			.tag("method", methodStarts(method + "(", registry))
			.tag("direction", direction)
			.functionCounter();
		return counter.count();
	}

	private static String methodStarts(String name, MeterRegistry registry) {
		return registry.get("rpc.server.calls")
			.meters()
			.stream()
			.map((meter) -> String.valueOf(meter.getId().getTag("method")))
			.filter((method) -> method.startsWith(name))
			.findFirst()
			.orElseThrow();
	}

	/** A contract. */
	public interface Shop {

		byte[] buy(byte[] body);

		@RpcMethod(idempotent = true)
		CompletableFuture<byte[]> buyLater(byte[] body);

		@RpcMethod(oneWay = true)
		void notice(String what);

		void breakDown();

		byte[] grow(int size);

		Stream<byte[]> parts(int count);

	}

	@RpcService
	static class ShopService implements Shop {

		@Override
		public byte[] buy(byte[] body) {
			return body;
		}

		@Override
		public CompletableFuture<byte[]> buyLater(byte[] body) {
			return CompletableFuture.completedFuture(body);
		}

		@Override
		public void notice(String what) {
		}

		@Override
		public void breakDown() {
			throw new IllegalStateException("on purpose");
		}

		@Override
		public byte[] grow(int size) {
			return new byte[size];
		}

		@Override
		public Stream<byte[]> parts(int count) {
			return Stream.generate(() -> new byte[10]).limit(count);
		}

	}

	static class Customer {

		@RpcReference
		private Shop shop;

	}

}
