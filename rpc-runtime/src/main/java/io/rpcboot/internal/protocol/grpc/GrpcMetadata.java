package io.rpcboot.internal.protocol.grpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

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
 * are joined by commas in their order; where one of them is no text, all are Base64.
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

	/** Received values in their order. */
	private final List<Value> received = new ArrayList<>();

	/**
	 * Names with {@value #BINARY} of which a value has control characters, or is no text.
	 */
	private final Set<String> asBytes = new HashSet<>();

	/** Names with {@value #BINARY} of which a value is no text. */
	private final Set<String> noTexts = new HashSet<>();

	/**
	 * A received value.
	 *
	 * @param name name of the field, or of the attachment
	 * @param text the value as text, null if it is none
	 * @param base64 its bytes, null for a field without {@value #BINARY}
	 */
	private record Value(String name, @Nullable String text, @Nullable String base64) {
	}

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
		String binary = name.endsWith(BINARY) ? withoutPadding(value) : null;
		if (binary != null) {
			return Map.entry(name, binary);
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

	/** Returns values in Base64 without padding, null if one of them is no Base64. */
	private static @Nullable String withoutPadding(String joined) {
		StringJoiner values = new StringJoiner(",");
		for (String each : joined.split(",", -1)) {
			byte[] bytes = decode(each);
			if (bytes == null) {
				return null;
			}
			values.add(BASE64.encodeToString(bytes));
		}
		return values.toString();
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
			this.received.add(new Value(RetryAdvice.ATTACHMENT, trimmed(value), null));
		}
		else if (isReserved(name) || OF_HTTP.contains(name)) {
			return;
		}
		else if (name.endsWith(BINARY)) {
			for (String each : value.split(",", -1)) {
				addBinary(name, trimmed(each));
			}
		}
		else {
			this.received.add(new Value(name, trimmed(value), null));
		}
	}

	/** Returns a value without the blanks around it, which are no part of it in HTTP. */
	private static String trimmed(String value) {
		int start = 0;
		int end = value.length();
		while (start < end && isBlank(value.charAt(start))) {
			start++;
		}
		while (start < end && isBlank(value.charAt(end - 1))) {
			end--;
		}
		return value.substring(start, end);
	}

	private static boolean isBlank(char any) {
		return any == ' ' || any == '\t';
	}

	private void addBinary(String name, String base64) {
		byte[] bytes = decode(base64);
		if (bytes == null) {
			throw new GrpcException(RpcStatus.INTERNAL, "metadata %s (expected: Base64)".formatted(name));
		}
		String text = null;
		try {
			text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			this.noTexts.add(name);
		}
		if (text == null || text.chars().anyMatch(Character::isISOControl)) {
			this.asBytes.add(name);
		}
		this.received.add(new Value(name, text, Base64.getEncoder().encodeToString(bytes)));
	}

	/** Adds all fields that another block has added, behind those of this one. */
	public void addAll(GrpcMetadata other) {
		this.received.addAll(other.received);
		this.asBytes.addAll(other.asBytes);
		this.noTexts.addAll(other.noTexts);
	}

	/** Returns the attachments of the received fields, which are frozen. */
	public Attachments attachments() {
		Map<String, String> values = new LinkedHashMap<>();
		Map<String, StringBuilder> joined = new HashMap<>();
		for (Value each : this.received) {
			String base64 = each.base64();
			String name = (base64 != null) ? each.name().substring(0, each.name().length() - BINARY.length())
					: each.name();
			String text = this.noTexts.contains(each.name()) ? null : each.text();
			if (base64 != null && this.asBytes.contains(each.name())) {
				put(values, joined, each.name(), base64); // first, so that it is passed
															// on
			}
			if (text != null) {
				put(values, joined, name, text);
			}
		}
		joined.forEach((name, all) -> values.put(name, all.toString()));
		return values.isEmpty() ? Attachments.none() : Attachments.of(values);
	}

	private static void put(Map<String, String> values, Map<String, StringBuilder> joined, String name, String value) {
		String first = Attachments.isName(name) ? values.putIfAbsent(name, value) : null;
		if (first != null) {
			joined.computeIfAbsent(name, (key) -> new StringBuilder(first)).append(',').append(value);
		}
	}

}
