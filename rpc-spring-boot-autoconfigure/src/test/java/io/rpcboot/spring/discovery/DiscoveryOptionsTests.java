package io.rpcboot.spring.discovery;

import java.time.Duration;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DiscoveryOptionsTests {

	private final DiscoveryOptions options = new DiscoveryOptions(
			Map.of("com.acme", "monolith", "com.acme.orders", "orders", "Stock", "warehouse", "com.acme.orders.Bills:2",
					"billing", "com.acme.orders.bills", "old-billing", "COURIER", "courier"),
			Duration.ofSeconds(10), "rpc-port");

	@ParameterizedTest
	@CsvSource({ "com.acme.Other, monolith", "com.acme.orders.Orders, orders", "com.acme.orders.v2.Orders, orders",
			"com.acme.ordersandmore.Orders, monolith", "org.other.Stock, warehouse", "com.acme.orders.Stock, warehouse",
			"com.acme.orders.Bills:2, billing", "com.acme.orders.Bills:3, old-billing", "a.Courier, courier" })
	void theNarrowestEntryCounts(String service, String application) {
		assertThat(this.options.applicationOf(ServiceId.parse(service))).isEqualTo(application);
	}

	@Test
	void serviceWithoutAnEntryNamesPropertyAndRemedy() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> this.options.applicationOf(ServiceId.parse("org.other.Users:2")))
			.withMessage("rpc.registry.discovery-client.applications: nothing is set for org.other.Users:2 "
					+ "(expected: the application that offers it)")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"Set rpc.registry.discovery-client.applications.Users to the name under which the discovery system has "
							+ "the application that offers it, or rpc.registry.discovery-client.applications.org.other for all "
							+ "interfaces of this package, or give the reference addresses."));
	}

}
