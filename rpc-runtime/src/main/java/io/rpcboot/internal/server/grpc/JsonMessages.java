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
	 * Returns the codec of a method in JSON.
	 * @param service full name of the service
	 * @param method name of the method in its file
	 * @param protobuf codec of its messages in protobuf
	 * @throws RpcException if no file declares the method
	 */
	MethodCodec codec(String service, String method, MethodCodec protobuf) {
		ProtoJson known = this.messages;
		try {
			return ((known != null) ? known : read()).method(service, method, protobuf);
		}
		catch (IllegalArgumentException ex) {
			throw new RpcException(RpcStatus.UNIMPLEMENTED,
					"no JSON for %s/%s, because its file is not known here: %s (expected: application/proto)"
						.formatted(service, method, ex.getMessage()),
					false);
		}
	}

	private synchronized ProtoJson read() {
		ProtoJson known = this.messages;
		if (known == null) {
			known = ProtoJson.of(this.files.get(), this.ignoresUnknownFields, this.limit);
			this.messages = known;
		}
		return known;
	}

}
