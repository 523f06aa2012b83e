package io.rpcboot.internal.registry.zookeeper.node;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.registry.zookeeper.node.NodeCodec.MalformedNodeException;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NodeCodecTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private static final ServiceId ORDERS = new ServiceId("com.acme.OrderService", "1.0-beta", "blue_1");

	private static final String REVISION = "0123456789abcdef0123456789abcdef";

	private static final String GOOD = "rpc-instance 1\nendpoint=h:1\nweight=1\nstarted=0\nrevision=" + REVISION;

	@Test
	void services_roundTrip() throws Exception {
		assertThat(NodeCodec.decodeServices(NodeCodec.encodeServices(Set.of(USERS, ORDERS)))).containsOnly(USERS,
				ORDERS);
		assertThat(NodeCodec.decodeServices(NodeCodec.encodeServices(Set.of()))).isEmpty();
	}

	@Test
	void revision_dependsOnServicesButNotOnTheirOrder() {
		String one = NodeCodec.revision(NodeCodec.encodeServices(List.of(USERS, ORDERS)));
		String other = NodeCodec.revision(NodeCodec.encodeServices(List.of(ORDERS, USERS)));
		assertThat(one).isEqualTo(other).matches("[0-9a-f]{32}");
		assertThat(NodeCodec.revision(NodeCodec.encodeServices(List.of(USERS)))).isNotEqualTo(one);
	}

	@Test
	void revision_isStable() {
		byte[] services = NodeCodec.encodeServices(List.of(USERS));
		assertThat(services).asString(StandardCharsets.UTF_8).isEqualTo("rpc-revision 1\ncom.acme.UserService");
		assertThat(NodeCodec.revision(services)).isEqualTo("f86b149dfb523f76e2054bb21bf9b8fd");
	}

	@ParameterizedTest
	@ValueSource(strings = { "h:1", "[fe80::1%eth0]:65535", "10.0.0.1:20880" })
	void instance_roundTrips(String endpoint) throws Exception {
		ServiceInstance instance = new ServiceInstance("id", "app", Endpoint.parse(endpoint), 7, -5, Set.of(USERS), "",
				"", Set.of(Protocol.NATIVE));
		byte[] data = NodeCodec.encodeInstance(instance, REVISION);
		assertThat(NodeCodec.decodeInstance(data).with("id", "app", Set.of(USERS))).isEqualTo(instance);
		assertThat(NodeCodec.decodeInstance(data).revision()).isEqualTo(REVISION);
	}

	@Test
	void tls_roundTrips_andIsAbsentInOldNodes() throws Exception {
		ServiceInstance clear = new ServiceInstance("id", "app", Endpoint.parse("h:1"), 7, 1, Set.of(USERS), "", "",
				Set.of(Protocol.NATIVE));
		byte[] data = NodeCodec.encodeInstance(clear.withTls(true), REVISION);
		assertThat(data).asString(StandardCharsets.UTF_8).endsWith("\ntls=true");
		ServiceInstance named = clear.withTls(true).withServerName("users.shop");
		assertThat(NodeCodec.decodeInstance(NodeCodec.encodeInstance(named, REVISION)).with("id", "app", Set.of(USERS)))
			.isEqualTo(named);
		assertThat(NodeCodec.decodeInstance(data).with("id", "app", Set.of(USERS))).isEqualTo(clear.withTls(true));
		assertThat(NodeCodec.encodeInstance(clear, REVISION)).asString(StandardCharsets.UTF_8).doesNotContain("tls");
		assertThat(NodeCodec.decodeInstance(bytes(GOOD)).tls()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "eu-1a, canary", "'', canary", "eu_1.a, ''" })
	void zoneAndTag_roundTrip(String zone, String tag) throws Exception {
		ServiceInstance instance = new ServiceInstance("id", "app", Endpoint.parse("h:1"), 7, 1, Set.of(USERS), zone,
				tag, Set.of(Protocol.NATIVE));
		byte[] data = NodeCodec.encodeInstance(instance, REVISION);
		assertThat(NodeCodec.decodeInstance(data).with("id", "app", Set.of(USERS))).isEqualTo(instance);
	}

	@Test
	void zoneAndTag_areOmitted_whenEmpty() {
		ServiceInstance instance = new ServiceInstance("id", "app", Endpoint.parse("h:1"), 1, 0, Set.of(USERS));
		assertThat(NodeCodec.encodeInstance(instance, REVISION)).asString(StandardCharsets.UTF_8).isEqualTo(GOOD);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "protocols=grpc | GRPC", "protocols=grpc,native | GRPC,NATIVE",
			"protocols=native,http3 | NATIVE", "shelf=eu-1 | NATIVE" })
	void protocols_areRead_andNativeWithoutThem(String line, String expected) throws Exception {
		Set<Protocol> protocols = NodeCodec.decodeInstance(bytes(GOOD + "\n" + line)).protocols();
		assertThat(protocols).containsExactlyInAnyOrderElementsOf(Protocol.parse(expected));
		ServiceInstance instance = new ServiceInstance("id", "app", Endpoint.parse("h:1"), 7, 1, Set.of(USERS), "", "",
				protocols);
		assertThat(NodeCodec.decodeInstance(NodeCodec.encodeInstance(instance, REVISION)).protocols())
			.isEqualTo(protocols);
	}

	@Test
	void unknownKeys_areIgnored() throws Exception {
		assertThat(NodeCodec.decodeInstance(bytes(GOOD + "\nshelf=eu-1\n\nempty=")))
			.isEqualTo(NodeCodec.decodeInstance(bytes(GOOD)));
	}

	@Test
	void truncatedInstance_isRejected_atEveryOffset() throws Exception {
		for (int end = 0; end < GOOD.length(); end++) {
			byte[] data = bytes(GOOD.substring(0, end));
			assertThatExceptionOfType(MalformedNodeException.class).as("first %d characters", end)
				.isThrownBy(() -> NodeCodec.decodeInstance(data));
		}
		assertThat(NodeCodec.decodeInstance(bytes(GOOD)).weight()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "endpoint=h", "endpoint=h:0", "endpoint=::1:80", "endpoint=", "weight=0", "weight=-1",
			"weight=x", "weight=99999999999", "started=", "started=soon", "revision=../../x", "revision=",
			"revision=0123", "no equals sign", "=x", "zone=a b", "protocols=http3", "tls=", "tls=yes", "protocols=",
			"tag=\u00e4", "endpoint=\u001b[31mevil\u202E:1", "endpoint=<img src=x>:1", "endpoint=a b:1",
			"endpoint=a\u2028b:1", "endpoint=a/b:1", "endpoint=\u0085:1", "server-name=a b",
			"server-name=\u001b[31mevil" })
	void malformedInstance_isRejected(String line) {
		assertThatExceptionOfType(MalformedNodeException.class)
			.isThrownBy(() -> NodeCodec.decodeInstance(bytes(GOOD + "\n" + line)))
			.withMessageContaining("expected")
			.satisfies((ex) -> assertThat(ex.getMessage()).matches("[ -~\u00e4]{1,250}"));
	}

	@Test
	void longHost_isRejected_withShortMessage() {
		String host = "h".repeat(60_000);
		for (String line : new String[] { "endpoint=" + host + ":1", "endpoint=" + host, "zone=" + host, host }) {
			assertThatExceptionOfType(MalformedNodeException.class)
				.isThrownBy(() -> NodeCodec.decodeInstance(bytes(GOOD + "\n" + line)))
				.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(250));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "users.example.com:1", "10.0.0.7:1", "[2001:db8::1]:1", "[fe80::1%eth0]:1",
			"m\u00fcller:1", "my_host-1:1" })
	void hostsThatExist_areKept(String endpoint) throws Exception {
		assertThat(NodeCodec.decodeInstance(bytes(GOOD + "\nendpoint=" + endpoint)).endpoint())
			.isEqualTo(Endpoint.parse(endpoint));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "rpc-revision 2\na.B", "rpc-instance 1\na.B", "a.B", "rpc-revision 1\na b",
			"rpc-revision 1\na.B@x@y", "rpc-revision 1\na/../B" })
	void malformedServices_areRejected(String text) {
		assertThatExceptionOfType(MalformedNodeException.class).isThrownBy(() -> NodeCodec.decodeServices(bytes(text)))
			.withMessageContaining("expected");
	}

	@Test
	void binaryData_isRejected_withShortMessage() {
		byte[] random = new byte[100_000];
		new java.util.Random(1).nextBytes(random);
		assertThatExceptionOfType(MalformedNodeException.class).isThrownBy(() -> NodeCodec.decodeInstance(random))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(200));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
