package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.registry.Registry;
import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A reference that cannot be made leaves nothing behind. */
class FailedReferenceTests {

	private final GaugeBook levels = new GaugeBook();

	private boolean isOpen;

	private final RpcClient client = RpcClient.builder().registry(registry()).metrics(this.levels).build();

	@AfterEach
	void close() {
		this.client.close();
	}

	/** Says nothing of a service, and while it is not open not even that. */
	private Registry registry() {
		return (Registry) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Registry.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("subscribe") && !this.isOpen) {
						throw new IllegalStateException("not open");
					}
					return method.getName().equals("description") ? "a registry" : null;
				});
	}

	@Test
	void reference_isRemovedWithItsMeters_whenRegistryRefusesIt() {
		assertThatIllegalStateException().isThrownBy(() -> this.client.reference(UserService.class))
			.withMessage("not open");
		assertThat(this.client.references()).isEmpty();
		assertThat(this.client.awaitConnected(Duration.ZERO)).isEmpty();
		this.isOpen = true;
		this.client.reference(UserService.class);
		assertThat(this.client.references()).hasSize(1);
		assertThat(List.of(Gauge.INSTANCES_READY, Gauge.INSTANCES_CONNECTING))
			.allSatisfy((level) -> assertThat(this.levels.subjects(level)).as("the meters of the first are gone")
				.containsExactly(ServiceDescriptor.of(UserService.class).id().toString()));
	}

	@Test
	void invalidReference_hasNoMeters() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> this.client.reference(HedgedThoughNotIdempotent.class));
		assertThat(this.client.references()).isEmpty();
		assertThat(this.levels.subjects(Gauge.INSTANCES_READY)).isEmpty();
	}

	public interface HedgedThoughNotIdempotent {

		@RpcMethod(hedged = true)
		String name();

	}

}
