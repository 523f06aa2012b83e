package io.rpcboot.internal.server.call;

import java.lang.reflect.Field;
import java.util.Base64;
import java.util.Objects;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Answer that a status exception of grpc-java stands for: {@code StatusRuntimeException}
 * or {@code StatusException}, of the implementation or of a stub that it has called. Its
 * classes are used by reflection, because most applications do not have them.
 *
 * @param status the status
 * @param message description, cleaned and cut
 * @param details Base64 of a {@code google.rpc.Status}, empty without one
 */
record GrpcStatusAnswer(RpcStatus status, String message, String details) {

	/** Name of the field of metadata, and of the attachment, with the details. */
	static final String DETAILS = "grpc-status-details-bin";

	private static final String PACKAGE = "io.grpc.";

	/** Longest description in characters. */
	private static final int MAX_MESSAGE = 2_000;

	/** Longest details in bytes. */
	private static final int MAX_DETAILS = 4096;

	/** Returns the answer, null for another exception. */
	static @Nullable GrpcStatusAnswer of(@Nullable Throwable thrown) {
		Class<?> type = (thrown != null) ? statusException(thrown.getClass()) : null;
		if (type == null || thrown == null) {
			return null;
		}
		try {
			Object status = call(type, thrown, "getStatus");
			Object code = call(status.getClass(), status, "getCode");
			RpcStatus known = RpcStatus.ofCode((int) call(code.getClass(), code, "value"));
			String text = (String) status.getClass().getMethod("getDescription").invoke(status);
			boolean isFailure = known != RpcStatus.OK && known != RpcStatus.DECLARED;
			return new GrpcStatusAnswer((known != null && isFailure) ? known : RpcStatus.INTERNAL,
					(text != null) ? PrintableText.of(text, MAX_MESSAGE) : "", details(type, thrown));
		}
		catch (ReflectiveOperationException | LinkageError | ClassCastException ex) {
			return null; // another version, which is an exception like others
		}
	}

	/** Returns true for an exception that has an answer. */
	static boolean isStatus(Throwable thrown) {
		return statusException(thrown.getClass()) != null;
	}

	private static @Nullable Class<?> statusException(Class<?> type) {
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			String name = each.getName();
			if (name.startsWith(PACKAGE)
					&& (name.equals("io.grpc.StatusRuntimeException") || name.equals("io.grpc.StatusException"))) {
				return each;
			}
		}
		return null;
	}

	private static Object call(Class<?> type, Object target, String method) throws ReflectiveOperationException {
		return Objects.requireNonNull(type.getMethod(method).invoke(target), method);
	}

	private static String details(Class<?> type, Throwable thrown) throws ReflectiveOperationException {
		Object trailers = type.getMethod("getTrailers").invoke(thrown);
		if (trailers == null) {
			return "";
		}
		Class<?> metadata = trailers.getClass();
		Class<?> key = Class.forName("io.grpc.Metadata$Key", true, metadata.getClassLoader());
		Field marshaller = metadata.getField("BINARY_BYTE_MARSHALLER");
		Object name = key.getMethod("of", String.class, marshaller.getType())
			.invoke(null, DETAILS, marshaller.get(null));
		byte[] value = (byte[]) metadata.getMethod("get", key).invoke(trailers, name);
		return (value == null || value.length > MAX_DETAILS) ? ""
				: Base64.getEncoder().withoutPadding().encodeToString(value);
	}

}
