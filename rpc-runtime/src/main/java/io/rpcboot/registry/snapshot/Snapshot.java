package io.rpcboot.registry.snapshot;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;

/**
 * The content of a snapshot file, and its text form. Immutable.
 * <p>
 * The text is UTF-8: one line per item, with tabs between the cells. An instance has its
 * id, application, endpoint, weight, start time in milliseconds, zone, tag, protocols,
 * which are unknown if the cell is empty, true with TLS, and the name in its certificate.
 * A service follows its instances; it has its name, the time of its last confirmation and
 * the numbers of its instances, from 0:
 *
 * <pre>
 * rpc-snapshot 1
 * source    zookeeper at zk1:2181/rpc
 * instance  7d1c  users  10.0.0.1:20880  100  1763690000000  eu-1
 * service   com.acme.UserService   2026-01-01T12:03:00Z  0
 * checksum  1c291ca3
 * </pre>
 *
 * The checksum is the CRC-32 of all bytes before its line. Unknown items and additional
 * cells are ignored, because a later version may add them. A file with another first line
 * is rejected.
 *
 * @param source the registry that the lists come from
 * @param lists the last list of each service
 */
record Snapshot(String source, Map<ServiceId, Listed> lists) {

	private static final String HEAD = "rpc-snapshot 1";

	/** Cell of the protocols of an instance. */
	private static final int PROTOCOLS = 8;

	/** Cell of TLS of an instance. */
	private static final int TLS = 9;

	/** Cell of the name in the certificate of an instance. */
	private static final int SERVER_NAME = 10;

	private static final int CHECKSUM_BYTES = "checksum\t1c291ca3\n".length();

	/**
	 * The instances of a service.
	 *
	 * @param instances all instances of the list
	 * @param at the time at which the registry confirmed the list last
	 */
	record Listed(List<ServiceInstance> instances, Instant at) {

		private static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);

		/** Returns false also for a time in the future, because it would never expire. */
		boolean isYoung(Instant now, Duration maxAge) {
			return !this.at.isBefore(now.minus(maxAge)) && !this.at.isAfter(now.plus(MAX_CLOCK_SKEW));
		}

	}

	/** Thrown if a file cannot be used. The message names the reason. */
	static final class UnusableSnapshotException extends Exception {

		private static final long serialVersionUID = 1L;

		UnusableSnapshotException(String message) {
			super(message);
		}

	}

	byte[] encode() {
		Map<ServiceInstance, String> numbers = new LinkedHashMap<>();
		StringBuilder services = new StringBuilder();
		this.lists.forEach((service,
				list) -> services.append(line("service", service, list.at(), list.instances()
					.stream()
					.map((each) -> numbers.computeIfAbsent(each.withServices(Set.of()), (added) -> "" + numbers.size()))
					.collect(Collectors.joining(",")))));
		StringBuilder text = new StringBuilder(line(HEAD)).append(line("source", this.source));
		numbers.keySet()
			.forEach((each) -> text.append(line("instance", each.id(), each.application(), each.endpoint(),
					each.weight(), each.startedAtMillis(), each.zone(), each.tag(), Protocol.format(each.protocols()),
					each.tls(), each.serverName())));
		text.append(services);
		byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
		byte[] data = Arrays.copyOf(body, body.length + CHECKSUM_BYTES);
		System.arraycopy(checksum(body, body.length), 0, data, body.length, CHECKSUM_BYTES);
		return data;
	}

	static Snapshot decode(byte[] data) throws UnusableSnapshotException {
		String text = new String(data, StandardCharsets.UTF_8);
		String first = text.lines().findFirst().orElse("");
		if (!first.equals(HEAD)) {
			throw new UnusableSnapshotException("first line '%s' (expected: '%s')"
				.formatted(first.substring(0, Math.min(first.length(), 64)), HEAD));
		}
		int end = data.length - CHECKSUM_BYTES;
		if (end < 0 || !Arrays.equals(data, end, data.length, checksum(data, end), 0, CHECKSUM_BYTES)) {
			throw new UnusableSnapshotException("checksum: wrong or missing (expected: CRC-32 of the preceding lines)");
		}
		try {
			return parse(text);
		}
		catch (RpcConfigurationException | IllegalArgumentException | IndexOutOfBoundsException
				| DateTimeException ex) {
			throw new UnusableSnapshotException(Objects.requireNonNullElseGet(ex.getMessage(), ex::toString));
		}
	}

	private static Snapshot parse(String text) {
		String source = "";
		List<ServiceInstance> instances = new ArrayList<>();
		List<Set<ServiceId>> offers = new ArrayList<>();
		List<String[]> services = new ArrayList<>();
		for (String line : text.split("\n")) {
			String[] cells = line.split("\t", -1);
			Arrays.setAll(cells, (i) -> cells[i].translateEscapes());
			switch (cells[0]) {
				case "source" -> source = cells[1];
				case "instance" -> {
					instances.add(instance(cells));
					offers.add(new HashSet<>());
				}
				case "service" -> {
					services.add(cells);
					members(cells).forEach((number) -> offers.get(number).add(ServiceId.parse(cells[1])));
				}
				default -> {
					// an item of a later version
				}
			}
		}
		Map<ServiceId, Listed> lists = new HashMap<>();
		for (String[] cells : services) {
			lists.put(ServiceId.parse(cells[1]), new Listed(
					members(cells).map((number) -> instances.get(number).withServices(offers.get(number))).toList(),
					Instant.parse(cells[2])));
		}
		return new Snapshot(source, lists);
	}

	private static Stream<Integer> members(String[] cells) {
		return Arrays.stream(cells[3].split(",")).filter((number) -> !number.isEmpty()).map(Integer::valueOf);
	}

	private static ServiceInstance instance(String[] cells) {
		int weight = Integer.parseInt(cells[4]);
		if (weight < 1 || !ServiceInstance.isName(cells[6]) || !ServiceInstance.isName(cells[7])) {
			throw new IllegalArgumentException("weight, zone or tag of instance " + cells[1]);
		}
		return new ServiceInstance(cells[1], cells[2], Endpoint.parse(cells[3]), weight, Long.parseLong(cells[5]),
				Set.of(), cells[6], cells[7], protocols(cells))
			.withTls(cells.length > TLS && Boolean.parseBoolean(cells[TLS]))
			.withServerName((cells.length > SERVER_NAME) ? cells[SERVER_NAME] : "");
	}

	/** Returns the protocols: the native one in a file that knows no others. */
	private static Set<Protocol> protocols(String[] cells) {
		return (cells.length > PROTOCOLS) ? Protocol.parse(cells[PROTOCOLS]) : Set.of(Protocol.NATIVE);
	}

	/** Returns a line whose cells {@link String#translateEscapes()} reads. */
	private static String line(Object... cells) {
		return Arrays.stream(cells)
			.map((cell) -> cell.toString()
				.replace("\\", "\\\\")
				.replace("\n", "\\n")
				.replace("\r", "\\r")
				.replace("\t", "\\t"))
			.collect(Collectors.joining("\t", "", "\n"));
	}

	private static byte[] checksum(byte[] data, int length) {
		CRC32 sum = new CRC32();
		sum.update(data, 0, length);
		return line("checksum", "%08x".formatted(sum.getValue())).getBytes(StandardCharsets.UTF_8);
	}

}
