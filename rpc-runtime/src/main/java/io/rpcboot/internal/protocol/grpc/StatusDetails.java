package io.rpcboot.internal.protocol.grpc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import org.jspecify.annotations.Nullable;

/**
 * Value of {@code grpc-status-details-bin}: a {@code google.rpc.Status}. It repeats the
 * message, so that a long one takes its share of the trailers twice.
 *
 * @param code code of the status
 * @param message message of the status
 * @param details bytes of a {@code google.protobuf.Any} each, of any type; such as a
 * declared exception
 */
public record StatusDetails(int code, String message, List<byte[]> details) {

	private static final String ERROR_INFO = "google.rpc.ErrorInfo";

	private static final String RETRY_INFO = "google.rpc.RetryInfo";

	/** Returns the value of the field, Base64 without padding. */
	public String format() {
		return Base64.getEncoder().withoutPadding().encodeToString(ProtobufMessage.write((out) -> {
			out.put(1, this.code);
			text(out, 2, this.message);
			this.details.forEach((each) -> out.writeByteArray(3, each));
		}));
	}

	/** Writes a text. Unpaired surrogates become question marks. */
	private static void text(ProtobufOutput out, int field, String text) {
		out.writeByteArray(field, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Parses the value of the field, padded or not.
	 * @throws GrpcException if it is malformed
	 */
	public static StatusDetails parse(String value) {
		try {
			byte[] status = Base64.getDecoder().decode(value);
			return new StatusDetails((int) ProtobufMessage.number(status, 1), text(status, 2),
					ProtobufMessage.all(status, 3));
		}
		catch (IllegalArgumentException ex) {
			throw ProtobufMessage.malformed(ex);
		}
	}

	private static String text(byte[] message, int field) {
		return new String(ProtobufMessage.last(message, field), StandardCharsets.UTF_8);
	}

	/**
	 * Returns the full name of the message in a detail, empty without one.
	 * @throws GrpcException if the detail is malformed
	 */
	public static String typeOf(byte[] detail) {
		String url = text(detail, 1);
		return url.substring(url.lastIndexOf('/') + 1);
	}

	/**
	 * Returns the bytes of the message in a detail, empty without one.
	 * @throws GrpcException if the detail is malformed
	 */
	public static byte[] valueOf(byte[] detail) {
		return ProtobufMessage.last(detail, 2);
	}

	private byte @Nullable [] find(String type) {
		for (byte[] each : this.details) {
			if (typeOf(each).equals(type)) {
				return ProtobufMessage.last(each, 2);
			}
		}
		return null;
	}

	private static byte[] any(String type, byte[] message) {
		return ProtobufMessage.write((out) -> {
			out.writeString(1, "type.googleapis.com/" + type);
			out.writeByteArray(2, message);
		});
	}

	/** Returns a detail with the pause before the next attempt. */
	public static byte[] retryInfo(Duration delay) {
		return any(RETRY_INFO, ProtobufMessage.write((info) -> info.writeByteArray(1, ProtobufMessage.write((out) -> {
			out.put(1, delay.getSeconds());
			out.put(2, delay.getNano());
		}))));
	}

	/**
	 * Returns the pause before the next attempt, null without one.
	 * @throws GrpcException if a detail is malformed
	 */
	public @Nullable Duration retryDelay() {
		byte[] info = find(RETRY_INFO);
		if (info == null) {
			return null;
		}
		byte[] delay = ProtobufMessage.last(info, 1);
		long seconds = Math.max(0, Math.min(Integer.MAX_VALUE, ProtobufMessage.number(delay, 1)));
		return Duration.ofSeconds(seconds, Math.max(0, (int) ProtobufMessage.number(delay, 2)));
	}

	/**
	 * Returns the reason of the failure, null without one.
	 * @throws GrpcException if a detail is malformed
	 */
	public @Nullable ErrorInfo errorInfo() {
		byte[] info = find(ERROR_INFO);
		if (info == null) {
			return null;
		}
		Map<String, String> metadata = new LinkedHashMap<>();
		ProtobufMessage.all(info, 3).forEach((entry) -> metadata.put(text(entry, 1), text(entry, 2)));
		return new ErrorInfo(text(info, 1), text(info, 2), metadata);
	}

	/**
	 * Reason of a failure, such as {@code API_DISABLED}, in a group of reasons, such as
	 * the name of a service, with further texts by name.
	 */
	public record ErrorInfo(String reason, String domain, Map<String, String> metadata) {

		/** Returns this as a detail. */
		public byte[] toDetail() {
			return any(ERROR_INFO, ProtobufMessage.write((out) -> {
				text(out, 1, this.reason);
				text(out, 2, this.domain);
				this.metadata.forEach((key, value) -> out.writeByteArray(3, ProtobufMessage.write((entry) -> {
					text(entry, 1, key);
					text(entry, 2, value);
				})));
			}));
		}

	}

}
