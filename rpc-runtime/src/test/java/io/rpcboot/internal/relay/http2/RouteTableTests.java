package io.rpcboot.internal.relay.http2;

import java.util.List;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.relay.RelayRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RouteTableTests {

	private static final ReferenceOptions FIXED = ReferenceOptions.defaults().withAddresses(List.of("a:1"));

	private static RelayRoute stock() {
		return RelayRoute.to(List.of("shop.Stock"));
	}

	private static RouteTable<String> table(RelayRoute... routes) {
		return new RouteTable<>(List.of(routes), (route, service) -> service.toString());
	}

	private static String chosen(RouteTable<String> table, String version, String... fields) {
		RouteTable.Target<String> target = table
			.choose(Heads.head(ContentType.GRPC, "/shop.Stock/Get", version, fields));
		return target.route().number() + " " + target.reference();
	}

	private static void assertRefused(RouteTable<String> table, RpcStatus status, String version, String... fields) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> chosen(table, version, fields))
			.withMessageContaining("rpc.relay.routes[")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(status));
	}

	@Test
	void service_choosesRoute() {
		RouteTable<String> table = table(RelayRoute.to(List.of("shop.Prices", "shop.Orders")), stock());
		assertThat(chosen(table, null)).isEqualTo("1 shop.Stock");
		assertRefused(table(RelayRoute.to(List.of("shop.Prices"))), RpcStatus.UNIMPLEMENTED, null);
	}

	@Test
	void nestedInterface_hasDots() {
		RouteTable<String> table = table(RelayRoute.to(List.of("shop.Outer$Stock")));
		assertThat(table.choose(Heads.head("/shop.Outer.Stock/Get")).reference()).isEqualTo("shop.Outer$Stock");
	}

	@Test
	void versions_areThoseOfRoute() {
		RouteTable<String> table = table(stock().withVersions(List.of("", "2")), stock().withVersions(List.of("3")));
		assertThat(chosen(table, null)).isEqualTo("0 shop.Stock");
		assertThat(chosen(table, "2")).isEqualTo("0 shop.Stock:2");
		assertThat(chosen(table, "3")).isEqualTo("1 shop.Stock:3");
		assertRefused(table, RpcStatus.FAILED_PRECONDITION, "4");
		assertRefused(table, RpcStatus.FAILED_PRECONDITION, "no version");
	}

	@Test
	void versions_areAll_withAddressesAlone() {
		assertThat(chosen(table(stock().withTarget(FIXED)), "7")).isEqualTo("0 shop.Stock");
		assertRefused(table(stock()), RpcStatus.FAILED_PRECONDITION, "7");
	}

	@Test
	void attachments_needTheirValues() {
		RouteTable<String> table = table(stock().withAttachments(Map.of("Tenant", "a", "zone", "1")),
				stock().withAttachments(Map.of("tenant", "b")));
		assertThat(chosen(table, null, "tenant", "a", "zone", "1")).isEqualTo("0 shop.Stock");
		assertThat(chosen(table, null, "tenant", "b")).isEqualTo("1 shop.Stock");
		assertRefused(table, RpcStatus.FAILED_PRECONDITION, null, "tenant", "a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "//", "/x", "*", "/x/" })
	void malformedPath_isRefused(String path) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> table(stock()).choose(Heads.head(path)))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNIMPLEMENTED));
	}

	@Test
	void routesThatMeet_areRejected() {
		assertRejected(stock(), stock());
		assertRejected(stock().withVersions(List.of("1", "2")), stock().withVersions(List.of("2")));
		assertRejected(stock().withTarget(FIXED), stock().withVersions(List.of("2")));
		assertRejected(stock().withAttachments(Map.of("a", "1")), stock().withAttachments(Map.of("b", "1")));
		table(stock(), stock().withVersions(List.of("2")));
		table(stock().withGroups(List.of("a")), stock().withGroups(List.of("b")));
		table(stock().withAttachments(Map.of("a", "1")), stock().withAttachments(Map.of("a", "2", "b", "1")));
	}

	private static void assertRejected(RelayRoute... routes) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> table(routes))
			.withMessageContaining("rpc.relay.routes[1].services: shop.Stock");
	}

}
