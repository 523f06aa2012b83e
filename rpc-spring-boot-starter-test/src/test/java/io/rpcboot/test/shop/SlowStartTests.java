package io.rpcboot.test.shop;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/** The first call of a test finds its connection open, however slow the machine is. */
@RpcTest
class SlowStartTests {

	@RpcReference(timeout = "100ms")
	private Stock stock;

	@Test
	void answers() {
		assertThat(this.stock.available("chair")).isEqualTo(5);
	}

	@TestConfiguration
	static class Slow {

		@Bean
		InMemoryRegistry registry() {
			return new InMemoryRegistry() {

				@Override
				public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
					return super.subscribe(service,
							(instances) -> CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS)
								.execute(() -> listener.accept(instances)));
				}

			};
		}

	}

}
