package io.rpcboot.spring.discovery;

import java.time.Duration;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class DiscoveryOptionsTests {

	private final DiscoveryOptions options = new DiscoveryOptions(Map.of("com.acme", "monolith", "com.acme.orders",
			"orders", "Stock", "warehouse", "com.acme.orders.Bills:2", "billing", "com.acme.orders.bills",
			"old-billing", "COURIER", "courier", "org.other.Api.Tax", "taxes", "org.other.Shop", "shop"),
			Duration.ofSeconds(10), "rpc-port");

	@ParameterizedTest
	@CsvSource({ "com.acme.Other, monolith", "com.acme.orders.Orders, orders", "com.acme.orders.v2.Orders, orders",
			"com.acme.ordersandmore.Orders, monolith", "org.other.Stock, warehouse", "com.acme.orders.Stock, warehouse",
			"com.acme.orders.Bills:2, billing", "com.acme.orders.Bills:3, old-billing", "a.Courier, courier",
			"org.other.Api$Stock, warehouse", "org.other.Api$Tax, taxes", "org.other.Shop$Tax, shop" })
	void mostSpecificMapping_isUsed(String service, String application) {
		assertThat(this.options.applicationOf(ServiceId.parse(service))).isEqualTo(application);
	}

	@Test
	void suggestedProperty_isBindable() {
		String action = catchThrowableOfType(RpcConfigurationException.class,
				() -> this.options.applicationOf(ServiceId.parse("org.my_shop.Api$My_Users")))
			.action();
		assertThat(action).contains(DiscoveryOptions.APPLICATIONS + "[My_Users] to",
				DiscoveryOptions.APPLICATIONS + "[org.my_shop] for all");
		Map<String, String> set = Map.of(DiscoveryOptions.APPLICATIONS + "[My_Users]", "users",
				DiscoveryOptions.APPLICATIONS + "[org.my_shop]", "shop");
		assertThat(new Binder(new MapConfigurationPropertySource(set))
			.bind(DiscoveryOptions.APPLICATIONS, Bindable.mapOf(String.class, String.class))
			.get()).containsOnlyKeys("My_Users", "org.my_shop");
	}

	@Test
	void failure_namesPropertyAndAction_withoutMapping() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> this.options.applicationOf(ServiceId.parse("org.other.Users:2")))
			.withMessage("rpc.registry.discovery-client.applications: nothing is set for org.other.Users:2 "
					+ "(expected: the application that offers it)")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"Set rpc.registry.discovery-client.applications.Users to the name of the application in the discovery system, "
							+ "or rpc.registry.discovery-client.applications.org.other for all "
							+ "interfaces of this package, or give the reference addresses."));
	}

}
