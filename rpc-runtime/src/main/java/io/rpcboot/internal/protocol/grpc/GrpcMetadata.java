package io.rpcboot.internal.protocol.grpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.resilience.RetryAdvice;
import org.jspecify.annotations.Nullable;

/**
 * Attachments as header fields. A value of printable ASCII is a field of its name; others
 * are {@code <name>-bin}, Base64 of UTF-8, and so are values with a name of HTTP. Base64
 * under a name with this suffix is sent as it is. {@link RetryAdvice} is
 * {@value #PUSHBACK}.
 * <p>
 * Received bytes of {@code <name>-bin} are attachment {@code <name>} if they are UTF-8.
 * If not, or if they have control characters, as most messages of protobuf, they are
 * Base64 under {@code <name>-bin}, for {@link Attachments#getBytes}. Values of one name
 * are joined by commas.
 */
public final class GrpcMetadata {

	private static final String BINARY = "-bin";

	private static final String PUSHBACK = "grpc-retry-pushback-ms";

	/** Size of a field in a header list beyond its name and value. */
	private static final int OVERHEAD = 32;

	private static final Base64.Encoder BASE64 = Base64.getEncoder().withoutPadding();

	private static final Set<String> OF_HTTP = Set.of("accept-encoding", "connection", "content-encoding",
			"content-length", "content-type", "host", "keep-alive", "proxy-connection", "te", "trailer",
			"transfer-encoding", "upgrade", "user-agent");

	/** Received values by name. */
	private final Map<String, String> values = new LinkedHashMap<>();

	/** Joined values of names that were received more than once. */
	private final Map<String, StringBuilder> joined = new HashMap<>();

	/**
	 * Encodes attachments. Required ones are counted first, then optional ones in their
	 * order; each that does not fit is left out.
	 * @param most limit of the sizes as in a header list: name, value and 32 bytes each
	 * @return values in printable ASCII, by names in lower case
	 * @throws IllegalArgumentException if a required attachment has a name of gRPC, or
	 * the required ones take more
	 */
	public static Map<String, String> encode(Attachments attachments, int most) {
		Map<String, String> fields = new LinkedHashMap<>();
		int size = 0;
		for (Map.Entry<String, String> each : attachments.required().asMap().entrySet()) {
			size += put(fields, field(each.getKey(), each.getValue()), Integer.MAX_VALUE);
		}
		if (size > most) {
			throw new IllegalArgumentException(
					"max-attachments-size: the attachments %s take %d bytes, %d of them for each (expected: at most %d)"
						.formatted(attachments.required(), size, OVERHEAD, most));
		}
		for (Map.Entry<String, String> each : attachments.asMap().entrySet()) {
			if (attachments.isOptional(each.getKey()) && !isReserved(each.getKey())) {
				size += put(fields, field(each.getKey(), each.getValue()), most - size);
			}
		}
		return fields;
	}

	/** Adds a field if it fits. Returns the bytes that it takes. */
	private static int put(Map<String, String> fields, Map.Entry<String, String> field, int free) {
		int size = field.getKey().length() + field.getValue().length() + OVERHEAD;
		return (size <= free && fields.putIfAbsent(field.getKey(), field.getValue()) == null) ? size : 0;
	}

	private static Map.Entry<String, String> field(String name, String value) {
		if (name.equals(RetryAdvice.ATTACHMENT) && isPlain(value)) {
			return Map.entry(PUSHBACK, value);
		}
		if (isReserved(name)) {
			throw new IllegalArgumentException(
					"attachment '%s' (expected: over gRPC, a name that begins neither with grpc- nor with rpc-)"
						.formatted(name));
		}
		byte[] bytes = name.endsWith(BINARY) ? decode(value) : null;
		if (bytes != null) {
			return Map.entry(name, BASE64.encodeToString(bytes));
		}
		return (isPlain(value) && !OF_HTTP.contains(name) && !name.endsWith(BINARY)) ? Map.entry(name, value)
				: Map.entry(name + BINARY, BASE64.encodeToString(value.getBytes(StandardCharsets.UTF_8)));
	}

	/** Returns true if {@link #add} makes nothing of a field but an attachment. */
	public static boolean isAttachment(String name) {
		return name.equals(PUSHBACK) || !(name.startsWith(":") || isReserved(name) || OF_HTTP.contains(name));
	}

	private static boolean isReserved(String name) {
		return name.startsWith("grpc-") || name.startsWith(Attachments.RESERVED_PREFIX);
	}

	/** Returns true for printable ASCII without blanks at the ends. */
	private static boolean isPlain(String value) {
		return value.chars().allMatch((each) -> each >= ' ' && each <= '~') && value.strip().length() == value.length();
	}

	private static byte @Nullable [] decode(String base64) {
		try {
			return Base64.getDecoder().decode(base64);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Adds a received field. Fields of HTTP and gRPC are ignored, and names that
	 * attachments cannot have.
	 * @param value the value, one char for each byte
	 * @throws GrpcException if a binary value is not Base64
	 */
	public void add(String name, String value) {
		if (name.equals(PUSHBACK)) {
			put(RetryAdvice.ATTACHMENT, value);
		}
		else if (isReserved(name) || OF_HTTP.contains(name)) {
			return;
		}
		else if (name.endsWith(BINARY)) {
			for (String each : value.split(",")) {
				addBinary(name, each.strip());
			}
		}
		else {
			put(name, value);
		}
	}

	private void addBinary(String name, String base64) {
		byte[] bytes = decode(base64);
		if (bytes == null) {
			throw new GrpcException(RpcStatus.INTERNAL, "metadata %s (expected: Base64)".formatted(name));
		}
		String text = null;
		try {
			text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			put(name.substring(0, name.length() - BINARY.length()), text);
		}
		catch (CharacterCodingException ex) {
			// no text
		}
		if (text == null || text.chars().anyMatch(Character::isISOControl)) {
			put(name, Base64.getEncoder().encodeToString(bytes));
		}
	}

	private void put(String name, String value) {
		String first = Attachments.isName(name) ? this.values.putIfAbsent(name, value) : null;
		if (first != null) {
			this.joined.computeIfAbsent(name, (key) -> new StringBuilder(first)).append(',').append(value);
		}
	}

	/** Adds all fields that another block has added, behind those of this one. */
	public void addAll(GrpcMetadata other) {
		other.values.forEach((name, value) -> {
			StringBuilder all = other.joined.get(name);
			put(name, (all != null) ? all.toString() : value);
		});
	}

	/** Returns the attachments of the received fields, which are frozen. */
	public Attachments attachments() {
		this.joined.forEach((name, all) -> this.values.put(name, all.toString()));
		return this.values.isEmpty() ? Attachments.none() : Attachments.of(this.values);
	}

}
