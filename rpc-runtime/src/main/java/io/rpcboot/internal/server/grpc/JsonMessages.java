package io.rpcboot.internal.server.grpc;

import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.serialization.protobuf.json.ProtoJson;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the services of a server in JSON, known from the first request on.
 * Thread-safe.
 */
final class JsonMessages {

	private final Supplier<List<ProtoDescriptor>> files;

	private final boolean ignoresUnknownFields;

	private final int limit;

	private volatile @Nullable ProtoJson messages;

	/**
	 * Creates the messages.
	 * @param files returns the files that declare the services; called once
	 * @param ignoresUnknownFields false to refuse requests with fields that are not known
	 * @param limit {@code max-frame-size}, here of a request in protobuf
	 */
	JsonMessages(Supplier<List<ProtoDescriptor>> files, boolean ignoresUnknownFields, int limit) {
		this.limit = limit;
		this.files = files;
		this.ignoresUnknownFields = ignoresUnknownFields;
	}

	/**
	 * Returns the messages of a method.
	 * @param service full name of the service
	 * @param method name of the method in its file
	 */
	Method of(String service, String method) {
		return new Method(service, method);
	}

	private ProtoJson read() {
		ProtoJson known = this.messages;
		return (known != null) ? known : readOnce();
	}

	private synchronized ProtoJson readOnce() {
		ProtoJson known = this.messages;
		if (known == null) {
			known = ProtoJson.of(this.files.get(), this.ignoresUnknownFields, this.limit);
			this.messages = known;
		}
		return known;
	}

	/** Messages of one method. */
	final class Method {

		private final String service;

		private final String name;

		private Method(String service, String name) {
			this.service = service;
			this.name = name;
		}

		/**
		 * Returns the codec in JSON.
		 * @param protobuf codec of the messages in protobuf
		 * @throws RpcException if no file declares the method
		 */
		MethodCodec codec(MethodCodec protobuf) {
			try {
				return read().method(this.service, this.name, protobuf);
			}
			catch (IllegalArgumentException ex) {
				throw new RpcException(RpcStatus.UNIMPLEMENTED,
						"no JSON for %s/%s, because its file is not known here: %s (expected: application/proto)"
							.formatted(this.service, this.name, ex.getMessage()),
						false);
			}
		}

		/**
		 * Returns the request, with a value for each field; empty braces if no file
		 * declares the method.
		 */
		String example() {
			try {
				return read().exampleOf(this.service, this.name);
			}
			catch (IllegalArgumentException ex) {
				return "{}";
			}
		}

		/** Returns true if a file declares that the method has no side effects. */
		boolean isSafe() {
			try {
				return read().isSafe(this.service, this.name);
			}
			catch (IllegalArgumentException ex) {
				return false; // the codec tells which file is not complete
			}
		}

	}

}
