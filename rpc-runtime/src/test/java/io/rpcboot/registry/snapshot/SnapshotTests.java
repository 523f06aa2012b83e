package io.rpcboot.registry.snapshot;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.snapshot.Snapshot.Listed;
import io.rpcboot.registry.snapshot.Snapshot.UnusableSnapshotException;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private static final ServiceId ORDERS = new ServiceId("com.acme.OrderService", "2", "blue");

	private static final Instant AT = Instant.parse("2026-01-01T12:00:00.123Z");

	private static ServiceInstance instance(String id, Set<ServiceId> services) {
		return new ServiceInstance(id, "shop = big\\\n\r", new Endpoint("::1", 9), 50, 7, services, "eu-1", "canary");
	}

	private static byte[] sealed(String body) {
		CRC32 sum = new CRC32();
		sum.update(body.getBytes(StandardCharsets.UTF_8));
		return (body + "checksum\t%08x\n".formatted(sum.getValue())).getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void snapshot_roundTrips() throws Exception {
		ServiceInstance both = instance("a", Set.of(USERS, ORDERS));
		ServiceInstance one = instance("b", Set.of(USERS)).withTls(true).withServerName("users.shop");
		Snapshot content = new Snapshot("zookeeper at zk1\nand more",
				Map.of(USERS, new Listed(List.of(both, one), AT), ORDERS, new Listed(List.of(both), AT)));
		byte[] data = content.encode();
		assertThat(Snapshot.decode(data)).isEqualTo(content);
		assertThat(new String(data, StandardCharsets.UTF_8))
			.startsWith("rpc-snapshot 1\nsource\tzookeeper at zk1\\nand more\n")
			.containsOnlyOnce("instance\ta\t")
			.contains("\teu-1\tcanary\t\tfalse\t\n")
			.contains("\teu-1\tcanary\t\ttrue\tusers.shop\n");
	}

	@Test
	void snapshot_keepsOnlyFollowedServices() throws Exception {
		ServiceInstance offersTwo = instance("a", Set.of(USERS, ORDERS));
		Snapshot content = new Snapshot("zk", Map.of(USERS, new Listed(List.of(offersTwo), AT)));
		assertThat(Snapshot.decode(content.encode()).lists().get(USERS).instances())
			.containsExactly(instance("a", Set.of(USERS)));
	}

	@Test
	void unknownFields_areIgnored() throws Exception {
		byte[] data = sealed("""
				rpc-snapshot 1
				source\tzk\tblue
				instance\ta\tshop\t10.0.0.1:9\t1\t0\t\t\t\tround
				planet\tmars
				service\tcom.acme.UserService\t2026-01-01T12:00:00Z\t0\tlarge

				""");
		assertThat(Snapshot.decode(data).lists().get(USERS).instances())
			.containsExactly(new ServiceInstance("a", "shop", new Endpoint("10.0.0.1", 9), 1, 0, Set.of(USERS)));
	}

	@Test
	void instance_isNative_inFileWithoutProtocols() throws Exception {
		byte[] data = sealed("""
				rpc-snapshot 1
				source\tzk
				instance\ta\tshop\t10.0.0.1:9\t1\t0\t\t
				service\tcom.acme.UserService\t2026-01-01T12:00:00Z\t0
				""");
		assertThat(Snapshot.decode(data).lists().get(USERS).instances())
			.allMatch((each) -> each.protocols().equals(Set.of(Protocol.NATIVE)));
	}

	@Test
	void protocols_roundTrip() throws Exception {
		for (Set<Protocol> protocols : List.of(Set.<Protocol>of(), Set.of(Protocol.GRPC),
				Set.of(Protocol.GRPC, Protocol.NATIVE))) {
			ServiceInstance instance = new ServiceInstance("a", "shop", new Endpoint("h", 9), 1, 0, Set.of(USERS), "",
					"", protocols);
			Snapshot content = new Snapshot("zk", Map.of(USERS, new Listed(List.of(instance), AT)));
			assertThat(Snapshot.decode(content.encode())).isEqualTo(content);
		}
	}

	@Test
	void truncatedOrChangedSnapshot_isRejected() {
		byte[] data = new Snapshot("zk", Map.of(USERS, new Listed(List.of(instance("a", Set.of(USERS))), AT))).encode();
		for (int length = 0; length < data.length - 1; length++) {
			byte[] cut = Arrays.copyOf(data, length);
			assertThatExceptionOfType(UnusableSnapshotException.class).as("%d bytes", length)
				.isThrownBy(() -> Snapshot.decode(cut));
		}
		for (int i = 0; i < data.length - 1; i++) {
			byte[] changed = data.clone();
			changed[i] ^= 1;
			assertThatExceptionOfType(UnusableSnapshotException.class).as("byte %d", i)
				.isThrownBy(() -> Snapshot.decode(changed));
		}
	}

	@Test
	void invalidLine_isRejected_withItsText() {
		String head = "rpc-snapshot 1\n";
		Map<String, String> wrong = Map.of("rpc-snapshot 2\n", "first line 'rpc-snapshot 2' (expected:",
				head + "service\ta.B\t2026-01-01T12:00:00Z\t0\n", "0", head + "service\ta.B\tnoon\t\n", "noon",
				head + "service\ta.B\t2026-01-01T12:00:00Z\n", "3", head + "service\tB!\t2026-01-01T12:00:00Z\t\n",
				"B!", head + "instance\ta\tb\tnowhere\t1\t0\t\t\n", "endpoint: 'nowhere'",
				head + "instance\ta\tb\th:1\t0\t0\t\t\n", "weight", head + "instance\ta\tb\th:1\tx\t0\t\t\n", "x");
		wrong.forEach((body, message) -> assertThatExceptionOfType(UnusableSnapshotException.class).as(body)
			.isThrownBy(() -> Snapshot.decode(sealed(body)))
			.withMessageContaining(message));
	}

	@Test
	void randomBytes_areReadOrRejected() {
		Random random = new Random(7);
		for (int i = 0; i < 2000; i++) {
			byte[] noise = new byte[random.nextInt(200)];
			random.nextBytes(noise);
			String text = "rpc-snapshot 1\n" + new String(noise, StandardCharsets.ISO_8859_1);
			try {
				Snapshot.decode((i % 2 == 0) ? noise : sealed(text));
			}
			catch (UnusableSnapshotException expected) {
				assertThat(expected.getMessage()).isNotEmpty();
			}
		}
	}

	@Test
	void largeFleet_fitsMaximumSize() throws Exception {
		List<ServiceInstance> many = new ArrayList<>();
		for (int i = 0; i < 5000; i++) {
			many.add(new ServiceInstance("4f3c2b1a-0000-0000-0000-%012d".formatted(i), "application-" + i % 50,
					new Endpoint("10.1.%d.%d".formatted(i / 250, i % 250), 20880), 100, 1763690000000L, Set.of()));
		}
		Map<ServiceId, Listed> lists = new HashMap<>();
		for (int i = 0; i < 200; i++) {
			lists.put(new ServiceId("com.acme.Service" + i, "", ""),
					new Listed(many.subList(i * 20, i * 20 + 1000), AT));
		}
		byte[] data = new Snapshot("zk", lists).encode();
		assertThat(data.length).isLessThan(SnapshotFile.MAX_BYTES / 2);
		assertThat(Snapshot.decode(data).lists()).hasSize(200);
	}

}
