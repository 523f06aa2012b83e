package io.rpcboot.internal.registry.zookeeper.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;

/**
 * Text form of nodes: lines of UTF-8, of which the first names the kind and the version.
 * <pre>
 * rpc-revision 1            rpc-instance 1
 * com.acme.OrderService:2   endpoint=10.0.0.1:20880
 * com.acme.UserService      weight=100
 *                           started=1763690000000
 *                           revision=0f3a…
 *                           zone=eu-1
 *                           tag=canary
 *                           protocols=grpc,native
 *                           tls=true
 *                           server-name=users.shop
 * </pre> Empty zones, tags and server names have no line; without a line of protocols it
 * is the native one, and without a line of TLS the instance speaks clear text. Unknown
 * keys of an instance, and unknown protocols, are ignored, because a later version may
 * add them. A node with another first line is malformed.
 */
public final class NodeCodec {

	private static final String REVISION_HEAD = "rpc-revision 1";

	private static final String INSTANCE_HEAD = "rpc-instance 1";

	/** Protocols of an instance that does not tell them. */
	private static final String NATIVE = "native";

	private static final int REVISION_BYTES = 16;

	/** Host name or IP address, as other nodes of the engine have it. */
	private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._:%-]{1,255}");

	private static final String HOST_RULE = "at most 255 letters, digits, '.', '-', '_', ':' and '%'";

	private static final int MAX_MESSAGE = 200;

	private static final Pattern REVISION = Pattern.compile("[0-9a-f]{32}");

	private NodeCodec() {
	}

	/** Content of an instance node. */
	public record InstanceNode(Endpoint endpoint, int weight, long startedAtMillis, String revision, String zone,
			String tag, Set<Protocol> protocols, boolean tls, String serverName) {

		public ServiceInstance with(String id, String application, Set<ServiceId> services) {
			return new ServiceInstance(id, application, this.endpoint, this.weight, this.startedAtMillis, services,
					this.zone, this.tag, this.protocols, this.tls, this.serverName);
		}

	}

	/** Thrown if a node cannot be decoded. The message names the reason. */
	public static final class MalformedNodeException extends Exception {

		private static final long serialVersionUID = 1L;

		public MalformedNodeException(String message) {
			super(message);
		}

	}

	public static byte[] encodeServices(Collection<ServiceId> services) {
		return (REVISION_HEAD + "\n"
				+ services.stream().map(ServiceId::toString).sorted().distinct().collect(Collectors.joining("\n")))
			.getBytes(StandardCharsets.UTF_8);
	}

	/** Returns the name of encoded services: equal services have an equal revision. */
	public static String revision(byte[] encodedServices) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(encodedServices);
			return HexFormat.of().formatHex(hash, 0, REVISION_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	public static Set<ServiceId> decodeServices(byte[] data) throws MalformedNodeException {
		try {
			return lines(data, REVISION_HEAD).stream().map(ServiceId::parse).collect(Collectors.toUnmodifiableSet());
		}
		catch (RpcConfigurationException ex) {
			throw new MalformedNodeException(PrintableText.of(String.valueOf(ex.getMessage()), MAX_MESSAGE));
		}
	}

	public static byte[] encodeInstance(ServiceInstance instance, String revision) {
		String text = "%s\nendpoint=%s\nweight=%d\nstarted=%d\nrevision=%s".formatted(INSTANCE_HEAD,
				instance.endpoint(), instance.weight(), instance.startedAtMillis(), revision);
		return (text + line("zone", instance.zone()) + line("tag", instance.tag())
				+ line("protocols", Protocol.format(instance.protocols())) + line("tls", instance.tls() ? "true" : "")
				+ line("server-name", instance.serverName()))
			.getBytes(StandardCharsets.UTF_8);
	}

	private static String line(String key, String value) {
		return value.isEmpty() ? "" : "\n" + key + "=" + value;
	}

	public static InstanceNode decodeInstance(byte[] data) throws MalformedNodeException {
		Map<String, String> values = new HashMap<>();
		for (String line : lines(data, INSTANCE_HEAD)) {
			int equals = line.indexOf('=');
			if (equals < 1) {
				throw new MalformedNodeException("line '%s' (expected: key=value)".formatted(excerpt(line)));
			}
			values.put(line.substring(0, equals), line.substring(equals + 1));
		}
		long weight = number(values, "weight");
		if (weight < 1 || weight > Integer.MAX_VALUE) {
			throw new MalformedNodeException("weight: %d (expected: 1 or more)".formatted(weight));
		}
		String revision = value(values, "revision");
		if (!REVISION.matcher(revision).matches()) {
			throw new MalformedNodeException(
					"revision: '%s' (expected: 32 hexadecimal digits)".formatted(excerpt(revision)));
		}
		return new InstanceNode(endpoint(values), (int) weight, number(values, "started"), revision,
				name(values, "zone"), name(values, "tag"), protocols(values.getOrDefault("protocols", NATIVE)),
				tls(values.getOrDefault("tls", "false")), serverName(values.getOrDefault("server-name", "")));
	}

	private static Set<Protocol> protocols(String names) throws MalformedNodeException {
		Set<Protocol> known = Protocol.parse(names);
		if (known.isEmpty()) {
			throw new MalformedNodeException(
					"protocols: '%s' (expected: native, grpc or both)".formatted(excerpt(names)));
		}
		return known;
	}

	private static boolean tls(String value) throws MalformedNodeException {
		if (!value.equals("true") && !value.equals("false")) {
			throw new MalformedNodeException("tls: '%s' (expected: true or false)".formatted(excerpt(value)));
		}
		return value.equals("true");
	}

	private static String serverName(String name) throws MalformedNodeException {
		if (!name.isEmpty() && !HOST.matcher(name).matches()) {
			throw new MalformedNodeException("server-name: '%s' (expected: %s)".formatted(excerpt(name), HOST_RULE));
		}
		return name;
	}

	private static String name(Map<String, String> values, String key) throws MalformedNodeException {
		String value = values.getOrDefault(key, "");
		if (!ServiceInstance.isName(value)) {
			throw new MalformedNodeException(
					"%s: '%s' (expected: %s)".formatted(key, excerpt(value), ServiceInstance.NAME));
		}
		return value;
	}

	private static Endpoint endpoint(Map<String, String> values) throws MalformedNodeException {
		try {
			Endpoint endpoint = Endpoint.parse(value(values, "endpoint"));
			if (!HOST.matcher(endpoint.host()).matches()) {
				throw new MalformedNodeException(
						"endpoint: host '%s' (expected: %s)".formatted(excerpt(endpoint.host()), HOST_RULE));
			}
			return endpoint;
		}
		catch (RpcConfigurationException ex) {
			throw new MalformedNodeException(PrintableText.of(String.valueOf(ex.getMessage()), MAX_MESSAGE));
		}
	}

	private static long number(Map<String, String> values, String key) throws MalformedNodeException {
		String value = value(values, key);
		try {
			return Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			throw new MalformedNodeException("%s: '%s' (expected: a number)".formatted(key, excerpt(value)));
		}
	}

	private static List<String> lines(byte[] data, String head) throws MalformedNodeException {
		List<String> lines = new String(data, StandardCharsets.UTF_8).lines().toList();
		if (lines.isEmpty() || !lines.get(0).equals(head)) {
			String first = lines.isEmpty() ? "" : excerpt(lines.get(0));
			throw new MalformedNodeException("first line '%s' (expected: '%s')".formatted(first, head));
		}
		return lines.subList(1, lines.size()).stream().filter((line) -> !line.isBlank()).toList();
	}

	private static String value(Map<String, String> values, String key) throws MalformedNodeException {
		String value = values.get(key);
		if (value == null) {
			throw new MalformedNodeException("%s: missing (expected: a line %s=...)".formatted(key, key));
		}
		return value;
	}

	private static String excerpt(String line) {
		return PrintableText.of(line, 64);
	}

}
