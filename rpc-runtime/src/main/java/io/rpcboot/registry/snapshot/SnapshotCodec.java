package io.rpcboot.registry.snapshot;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;

/**
 * Lists to text and back. Blocks of lines in UTF-8, an empty line between; services name
 * instances by their number, from 0:
 *
 * <pre>
 * rpc-snapshot 1
 * source=zookeeper at zk1:2181/rpc
 *
 * instance
 * id=7d1c
 * application=users
 * endpoint=10.0.0.1:20880
 * weight=100
 * started=1763690000000
 * zone=eu-1
 * tag=
 *
 * service
 * name=com.acme.UserService
 * at=2026-01-01T12:03:00Z
 * instances=0
 *
 * checksum=1c291ca3
 * </pre>
 *
 * The checksum is the CRC-32 of all bytes before its line. Unknown keys and blocks are
 * left for later versions; another first line is not read.
 */
final class SnapshotCodec {

	private static final String HEAD = "rpc-snapshot 1";

	private static final String CHECKSUM = "checksum=";

	private SnapshotCodec() {
	}

	/** What a file says. */
	record Content(String source, Map<ServiceId, CachedInstances> lists) {
	}

	/** A file that cannot be used; the message says why. */
	static final class UnusableSnapshotException extends Exception {

		private static final long serialVersionUID = 1L;

		UnusableSnapshotException(String message) {
			super(message);
		}

	}

	static byte[] encode(Content content) {
		Map<ServiceInstance, Integer> numbers = new LinkedHashMap<>();
		StringBuilder services = new StringBuilder();
		Map<String, ServiceId> sorted = new TreeMap<>();
		content.lists().keySet().forEach((service) -> sorted.put(service.toString(), service));
		sorted.forEach((name, service) -> {
			CachedInstances list = content.lists().getOrDefault(service, new CachedInstances(List.of(), Instant.EPOCH));
			List<String> members = new ArrayList<>();
			for (ServiceInstance instance : list.instances()) {
				members.add(numbers.computeIfAbsent(with(instance, Set.of()), (added) -> numbers.size()).toString());
			}
			services.append("service\nname=%s\nat=%s\ninstances=%s\n\n".formatted(escaped(name), list.at(),
					String.join(",", members)));
		});
		StringBuilder text = new StringBuilder("%s\nsource=%s\n\n".formatted(HEAD, escaped(content.source())));
		numbers.keySet().forEach((instance) -> text.append(block(instance)));
		byte[] body = text.append(services).toString().getBytes(StandardCharsets.UTF_8);
		byte[] end = (CHECKSUM + checksum(body, body.length) + "\n").getBytes(StandardCharsets.UTF_8);
		byte[] all = Arrays.copyOf(body, body.length + end.length);
		System.arraycopy(end, 0, all, body.length, end.length);
		return all;
	}

	private static String block(ServiceInstance instance) {
		return "instance\nid=%s\napplication=%s\nendpoint=%s\nweight=%d\nstarted=%d\nzone=%s\ntag=%s\n\n".formatted(
				escaped(instance.id()), escaped(instance.application()), escaped(instance.endpoint().toString()),
				instance.weight(), instance.startedAtMillis(), escaped(instance.zone()), escaped(instance.tag()));
	}

	static Content decode(byte[] data) throws UnusableSnapshotException {
		String text = new String(data, StandardCharsets.UTF_8);
		String first = text.lines().findFirst().orElse("");
		if (!first.equals(HEAD)) {
			throw new UnusableSnapshotException("first line '%s' (expected: '%s')"
				.formatted(first.substring(0, Math.min(first.length(), 64)), HEAD));
		}
		requireWhole(data, text);
		try {
			return content(text);
		}
		catch (RpcConfigurationException | IllegalArgumentException | IndexOutOfBoundsException
				| DateTimeException ex) {
			throw new UnusableSnapshotException(String.valueOf(ex.getMessage()));
		}
	}

	private static void requireWhole(byte[] data, String text) throws UnusableSnapshotException {
		int end = text.lastIndexOf("\n" + CHECKSUM) + 1;
		String said = text.substring(end).strip();
		int length = data.length - text.substring(end).getBytes(StandardCharsets.UTF_8).length;
		if (end == 0 || !said.equals(CHECKSUM + checksum(data, Math.max(length, 0)))) {
			throw new UnusableSnapshotException("checksum: wrong or missing (expected: that of what is before it)");
		}
	}

	private static Content content(String text) {
		String source = "";
		List<Map<String, String>> instances = new ArrayList<>();
		List<Map<String, String>> services = new ArrayList<>();
		for (String block : text.split("\n\n")) {
			Map<String, String> values = values(block);
			switch (block.lines().findFirst().orElse("")) {
				case HEAD -> source = values.getOrDefault("source", "");
				case "instance" -> instances.add(values);
				case "service" -> services.add(values);
				default -> {
					// of a later version
				}
			}
		}
		return new Content(source, lists(instances, services));
	}

	private static Map<ServiceId, CachedInstances> lists(List<Map<String, String>> instances,
			List<Map<String, String>> services) {
		List<ServiceInstance> known = new ArrayList<>();
		instances.forEach((values) -> known.add(instance(values)));
		List<Set<ServiceId>> offers = new ArrayList<>();
		known.forEach((instance) -> offers.add(new HashSet<>()));
		for (Map<String, String> values : services) {
			ServiceId service = ServiceId.parse(value(values, "name"));
			numbers(values).forEach((number) -> offers.get(number).add(service));
		}
		Map<ServiceId, CachedInstances> lists = new HashMap<>();
		for (Map<String, String> values : services) {
			List<ServiceInstance> members = numbers(values).stream()
				.map((number) -> with(known.get(number), offers.get(number)))
				.toList();
			lists.put(ServiceId.parse(value(values, "name")),
					new CachedInstances(members, Instant.parse(value(values, "at"))));
		}
		return lists;
	}

	private static List<Integer> numbers(Map<String, String> values) {
		String text = value(values, "instances");
		return text.isEmpty() ? List.of() : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
	}

	private static ServiceInstance instance(Map<String, String> values) {
		String zone = values.getOrDefault("zone", "");
		String tag = values.getOrDefault("tag", "");
		int weight = Integer.parseInt(value(values, "weight"));
		if (weight < 1 || !ServiceInstance.isName(zone) || !ServiceInstance.isName(tag)) {
			throw new IllegalArgumentException("weight, zone or tag of instance " + value(values, "id"));
		}
		return new ServiceInstance(value(values, "id"), value(values, "application"),
				Endpoint.parse(value(values, "endpoint")), weight, Long.parseLong(value(values, "started")), Set.of(),
				zone, tag);
	}

	private static ServiceInstance with(ServiceInstance instance, Set<ServiceId> services) {
		return new ServiceInstance(instance.id(), instance.application(), instance.endpoint(), instance.weight(),
				instance.startedAtMillis(), services, instance.zone(), instance.tag());
	}

	private static Map<String, String> values(String block) {
		Map<String, String> values = new HashMap<>();
		block.lines().filter((line) -> line.indexOf('=') > 0).forEach((line) -> {
			int equals = line.indexOf('=');
			values.put(line.substring(0, equals), line.substring(equals + 1).translateEscapes());
		});
		return values;
	}

	private static String value(Map<String, String> values, String key) {
		String value = values.get(key);
		if (value == null) {
			throw new IllegalArgumentException("%s: missing (expected: a line %s=...)".formatted(key, key));
		}
		return value;
	}

	/** One line, which {@link String#translateEscapes()} reads. */
	private static String escaped(String value) {
		return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
	}

	private static String checksum(byte[] data, int length) {
		CRC32 sum = new CRC32();
		sum.update(data, 0, length);
		return "%08x".formatted(sum.getValue());
	}

}
