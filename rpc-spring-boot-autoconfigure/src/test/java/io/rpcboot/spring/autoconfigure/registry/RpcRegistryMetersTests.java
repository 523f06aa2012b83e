package io.rpcboot.spring.autoconfigure.registry;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.spring.autoconfigure.metrics.RpcJfrAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the meters of the registry. */
class RpcRegistryMetersTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(RpcMetricsAutoConfiguration.class, RpcJfrAutoConfiguration.class, RpcRegistryAutoConfiguration.class));

	private double connected() {
		return this.meters.get("rpc.registry.connected").gauge().value();
	}

	private double outages() {
		return this.meters.get("rpc.registry.outages").functionCounter().count();
	}

	@Test
	void connectedMeter_isOne_untilRegistryCloses() {
		this.runner.withBean(MeterRegistry.class, () -> this.meters)
			.withPropertyValues("spring.main.lazy-initialization=true")
			.run((context) -> {
				assertThat(connected()).isOne();
				assertThat(outages()).isZero();
				context.getBean(InMemoryRegistry.class).close();
				assertThat(connected()).isZero();
			});
	}

	@Test
	void meters_followStateOfRegistryBean() {
		LostRegistry lost = new LostRegistry();
		this.runner.withBean(MeterRegistry.class, () -> this.meters)
			.withBean(Registry.class, () -> lost)
			.run((context) -> {
				assertThat(connected()).isZero();
				assertThat(outages()).isEqualTo(3);
				lost.state.set(RegistryState.CONNECTED);
				assertThat(connected()).isOne();
			});
		assertThat(connected()).as("it is taken back").isZero();
		assertThat(outages()).as("what was counted stays").isEqualTo(3);
	}

	@Test
	void sharedRegistry_isCountedOnce_inChildContext() {
		this.runner.withBean(MeterRegistry.class, () -> this.meters)
			.run((parent) -> this.runner.withParent(parent).run((child) -> {
				assertThat(child.getBean(Registry.class)).isSameAs(parent.getBean(Registry.class));
				assertThat(connected()).isOne();
			}));
	}

	@Test
	void registry_isPresent_withoutMeterRegistry() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Registry.class));
	}

	private static final class LostRegistry implements Registry {

		private final AtomicReference<RegistryState> state = new AtomicReference<>(RegistryState.DISCONNECTED);

		@Override
		public Registration register(ServiceInstance instance) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			throw new UnsupportedOperationException();
		}

		@Override
		public RegistryState state() {
			return this.state.get();
		}

		@Override
		public long outages() {
			return 3;
		}

		@Override
		public boolean isLocal() {
			return true;
		}

		@Override
		public String description() {
			return "lost";
		}

		@Override
		public void close() {
		}

	}

}
