package io.rpcboot.internal.server.connection.http2;

import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.server.grpc.GrpcMethod;
import io.rpcboot.internal.server.scheduling.Invocation;
import org.jspecify.annotations.Nullable;

/** Opens the streams of requests of one content type. Event loop only. */
public interface RequestOpener {

	/** Begins with the identity of the connection. */
	void opened();

	/** Returns the method of a path, null if it is not offered. */
	@Nullable GrpcMethod find(String path);

	/** Opens the stream of a request. */
	void open(int streamId, RequestHeaders request);

	/** Creates the header fields of requests, one object for all. */
	default RequestHeaders headers() {
		return new RequestHeaders();
	}

	/** Returns the method for a request that is compressed. */
	Invocation compressed(Invocation method);

	/** Returns the method for a request of Connect or gRPC-Web. */
	Invocation of(Invocation method, ContentType type, boolean isCompressed);

}
