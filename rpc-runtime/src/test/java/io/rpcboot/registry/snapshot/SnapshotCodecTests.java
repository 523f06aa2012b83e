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

import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.snapshot.SnapshotCodec.Content;
import io.rpcboot.registry.snapshot.SnapshotCodec.UnusableSnapshotException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotCodecTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private static final ServiceId ORDERS = new ServiceId("com.acme.OrderService", "2", "blue");

	private static final Instant AT = Instant.parse("2026-01-01T12:00:00.123Z");

	private static ServiceInstance instance(String id, Set<ServiceId> services) {
		return new ServiceInstance(id, "shop = big\\\n\r", new Endpoint("::1", 9), 50, 7, services, "eu-1", "canary");
	}

	private static byte[] sealed(String body) {
		CRC32 sum = new CRC32();
		sum.update(body.getBytes(StandardCharsets.UTF_8));
		return (body + "checksum=%08x\n".formatted(sum.getValue())).getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void readsWhatItWrote() throws Exception {
		ServiceInstance both = instance("a", Set.of(USERS, ORDERS));
		ServiceInstance one = instance("b", Set.of(USERS));
		Content content = new Content("zookeeper at zk1\nand more", Map.of(USERS,
				new CachedInstances(List.of(both, one), AT), ORDERS, new CachedInstances(List.of(both), AT)));
		byte[] data = SnapshotCodec.encode(content);
		assertThat(SnapshotCodec.decode(data)).isEqualTo(content);
		assertThat(new String(data, StandardCharsets.UTF_8)).startsWith("rpc-snapshot 1\nsource=")
			.containsOnlyOnce("id=a\n")
			.contains("tag=canary\n");
	}

	@Test
	void keepsOfAnInstanceTheServicesThatAreFollowed() throws Exception {
		ServiceInstance offersTwo = instance("a", Set.of(USERS, ORDERS));
		Content content = new Content("zk", Map.of(USERS, new CachedInstances(List.of(offersTwo), AT)));
		assertThat(SnapshotCodec.decode(SnapshotCodec.encode(content)).lists().get(USERS).instances())
			.containsExactly(instance("a", Set.of(USERS)));
	}

	@Test
	void leavesWhatIsOfLaterVersions() throws Exception {
		byte[] data = sealed("""
				rpc-snapshot 1
				source=zk
				color=blue

				instance
				id=a
				application=shop
				endpoint=10.0.0.1:9
				weight=1
				started=0
				shape=round

				planet
				name=mars

				service
				name=com.acme.UserService
				at=2026-01-01T12:00:00Z
				instances=0

				""");
		assertThat(SnapshotCodec.decode(data).lists().get(USERS).instances())
			.containsExactly(new ServiceInstance("a", "shop", new Endpoint("10.0.0.1", 9), 1, 0, Set.of(USERS)));
	}

	@Test
	void refusesWhatIsNotWhole() {
		byte[] data = SnapshotCodec
			.encode(new Content("zk", Map.of(USERS, new CachedInstances(List.of(instance("a", Set.of(USERS))), AT))));
		for (int length = 0; length < data.length - 1; length++) {
			byte[] cut = Arrays.copyOf(data, length);
			assertThatExceptionOfType(UnusableSnapshotException.class).as("%d bytes", length)
				.isThrownBy(() -> SnapshotCodec.decode(cut));
		}
		for (int i = 0; i < data.length - 1; i++) {
			byte[] changed = data.clone();
			changed[i] ^= 1;
			assertThatExceptionOfType(UnusableSnapshotException.class).as("byte %d", i)
				.isThrownBy(() -> SnapshotCodec.decode(changed));
		}
	}

	@Test
	void refusesWhatAPersonHasWrittenWrong() {
		Map<String, String> wrong = Map.of("rpc-snapshot 2\n\n", "first line 'rpc-snapshot 2' (expected:",
				"rpc-snapshot 1\n\nservice\nname=a.B\nat=2026-01-01T12:00:00Z\ninstances=0\n\n", "0",
				"rpc-snapshot 1\n\nservice\nname=a.B\nat=noon\ninstances=\n\n", "noon",
				"rpc-snapshot 1\n\nservice\nat=2026-01-01T12:00:00Z\ninstances=\n\n", "name: missing",
				"rpc-snapshot 1\n\ninstance\nid=a\napplication=b\nendpoint=nowhere\nweight=1\nstarted=0\n\n",
				"endpoint: 'nowhere'",
				"rpc-snapshot 1\n\ninstance\nid=a\napplication=b\nendpoint=h:1\nweight=0\nstarted=0\n\n", "weight",
				"rpc-snapshot 1\n\ninstance\nid=a\napplication=b\nendpoint=h:1\nweight=x\nstarted=0\n\n", "x");
		wrong.forEach((body, message) -> assertThatExceptionOfType(UnusableSnapshotException.class).as(body)
			.isThrownBy(() -> SnapshotCodec.decode(sealed(body)))
			.withMessageContaining(message));
	}

	@Test
	void anyBytesAreRefusedWithoutHarm() {
		Random random = new Random(7);
		for (int i = 0; i < 2000; i++) {
			byte[] noise = new byte[random.nextInt(200)];
			random.nextBytes(noise);
			String text = "rpc-snapshot 1\n" + new String(noise, StandardCharsets.ISO_8859_1);
			try {
				SnapshotCodec.decode((i % 2 == 0) ? noise : sealed(text));
			}
			catch (UnusableSnapshotException expected) {
				assertThat(expected.getMessage()).isNotEmpty();
			}
		}
	}

	@Test
	void largeFleetFits() throws Exception {
		List<ServiceInstance> many = new ArrayList<>();
		for (int i = 0; i < 5000; i++) {
			many.add(new ServiceInstance("4f3c2b1a-0000-0000-0000-%012d".formatted(i), "application-" + i % 50,
					new Endpoint("10.1.%d.%d".formatted(i / 250, i % 250), 20880), 100, 1763690000000L, Set.of()));
		}
		Map<ServiceId, CachedInstances> lists = new HashMap<>();
		for (int i = 0; i < 200; i++) {
			lists.put(new ServiceId("com.acme.Service" + i, "", ""),
					new CachedInstances(many.subList(i * 20, i * 20 + 1000), AT));
		}
		byte[] data = SnapshotCodec.encode(new Content("zk", lists));
		assertThat(data.length).isLessThan(SnapshotFile.MOST_BYTES / 2);
		assertThat(SnapshotCodec.decode(data).lists()).hasSize(200);
	}

}
