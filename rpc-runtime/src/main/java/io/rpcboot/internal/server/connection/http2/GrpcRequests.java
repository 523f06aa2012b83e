package io.rpcboot.internal.server.connection.http2;

import java.util.Objects;
import java.util.function.BiConsumer;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.grpc.GrpcMethod;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.grpc.PublishedContract;
import io.rpcboot.internal.server.scheduling.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * Requests of gRPC, Connect and gRPC-Web on a connection: opens the stream of each. Event
 * loop only.
 */
public final class GrpcRequests implements RequestOpener {

	private final Http2ServerConnection calls;

	private final GrpcMethods methods;

	/** Null without limits of access. */
	private @Nullable RequestAccess access;

	/** Creates the opener of the streams of a connection. */
	public GrpcRequests(Http2ServerConnection calls, GrpcMethods methods) {
		this.calls = calls;
		this.methods = methods;
	}

	@Override
	public void opened() {
		this.access = this.calls.requestAccess();
	}

	@Override
	public @Nullable GrpcMethod find(String path) {
		return this.methods.find(path);
	}

	/** Opens the stream of a call, or of a method of the server itself. */
	@Override
	public void open(int streamId, RequestHeaders request) {
		GrpcMethod target = request.method;
		if (target != null && target.handler != null && opens(streamId, request, target.handler)) {
			return;
		}
		Invocation method = (target != null) ? target.of(request.version, request.group) : null;
		RequestStream stream = stream(streamId, request, method);
		this.calls.streams.put(stream);
		if (this.access == null && method == null) {
			rejectUnknown(stream, request, target);
			return;
		}
		// the same for methods that are not offered, until the caller is known
		if (!stream.keeps(request)) {
			return; // at once, because a check would keep the fields
		}
		if (request.keptBytes() > 0) {
			this.calls.watchRate();
		}
		boolean differs = request.contract != null && target != null && !target.contract.isAmong(request.contract);
		stream.isUndecided = this.access != null || differs;
		requireReadable(stream, request, method);
		if (stream.isUndecided) {
			decide(stream, request, method, differs);
		}
		else if (stream instanceof StreamedResponse) {
			stream.mayBegin();
		}
	}

	/**
	 * Decides about a call, now or when its credentials were checked and contracts are
	 * known.
	 * @param differs true if the client has told another contract, or the first one of
	 * all
	 */
	private void decide(RequestStream stream, RequestHeaders request, @Nullable Invocation method, boolean differs) {
		BiConsumer<CallerIdentity, @Nullable AccessDenial> then = stream::decided;
		if (differs) {
			PublishedContract own = Objects.requireNonNull(request.method).contract;
			String told = Objects.requireNonNull(request.contract);
			then = (caller, refused) -> own.whenKnown(this.calls.server().hookThreads,
					() -> this.calls.executeNow(() -> {
						if (!own.isAmong(told)) {
							stream.rejectContract(own.hash());
						}
						stream.decided(caller, refused);
					}));
		}
		if (this.access != null) {
			this.access.decide(request, method, then);
		}
		else {
			then.accept(this.calls.responder.caller().certified, null);
		}
	}

	/** Opens the stream of a method of the server itself, if the format fits. */
	private boolean opens(int streamId, RequestHeaders request, StreamHandler handler) {
		if (request.contentType() == ContentType.GRPC) {
			BuiltInCall begun = new BuiltInCall(this.calls, streamId, request, handler, this.access);
			this.calls.streams.put(begun);
			if (this.access != null) { // which keeps credentials while it checks them
				begun.reserves(request.keptBytes());
			}
			return true;
		}
		if (!request.contentType().isUnary() || !handler.isUnary() || request.query() != null) {
			return false;
		}
		BuiltInAnswer begun = new BuiltInAnswer(this.calls, streamId, request, handler,
				this.methods.codec(request.path(), request.contentType()), this.access);
		this.calls.streams.put(begun);
		if (this.access == null || begun.reserves(request.keptBytes())) {
			begun.begin(request);
		}
		return true;
	}

	private RequestStream stream(int streamId, RequestHeaders request, @Nullable Invocation method) {
		if (request.contentType().isUnary()) {
			return new ConnectStream(this.calls, streamId, request, method);
		}
		if (method != null && method.method.takesStream) {
			return new StreamedRequest(this.calls, streamId, request, method);
		}
		return ((method != null && method.method.streams) || request.contentType().endsInBody())
				? new StreamedResponse(this.calls, streamId, request, method)
				: new Http2ServerStream(this.calls, streamId, request, method);
	}

	@Override
	public Invocation compressed(Invocation method) {
		return this.methods.compressed(method);
	}

	@Override
	public Invocation of(Invocation method, ContentType type, boolean isCompressed) {
		return this.methods.of(method, type, isCompressed);
	}

	private void rejectUnknown(RequestStream stream, RequestHeaders request, @Nullable GrpcMethod target) {
		if (target == null) {
			stream.reject(RpcStatus.UNIMPLEMENTED, this.methods.whyNot(request.path()));
		}
		else if (target.handler != null) {
			stream.reject(RpcStatus.UNIMPLEMENTED,
					request.path() + " is offered over gRPC, and to POST if it has no stream");
		}
		else {
			stream.reject(RpcStatus.FAILED_PRECONDITION, target.whyNot(request.version, request.group));
		}
	}

	/** Returns why a method is not called with a content type, null if it is. */
	private static @Nullable GrpcException ofConnect(ContentType type, Invocation method) {
		boolean streams = method.method.isStreaming;
		if (streams == type.isConnectStream()) {
			return null;
		}
		return new GrpcException(RpcStatus.UNIMPLEMENTED, streams
				? "the method takes or returns a stream (expected: content-type application/connect+json or application/connect+proto)"
				: "the method has no stream (expected: content-type application/json or application/proto)");
	}

	private boolean isReadable(ConnectStream stream, RequestHeaders request, @Nullable Invocation method) {
		stream.requireReadable();
		if (!stream.discards && method != null && request.query() != null && !this.methods.isSafe(method)) {
			stream.rejectUnsafe();
		}
		return !stream.discards;
	}

	/** Rejects a call whose timeout, encoding or content type is invalid. */
	private void requireReadable(RequestStream stream, RequestHeaders request, @Nullable Invocation method) {
		if (stream instanceof ConnectStream unary && !isReadable(unary, request, method)) {
			return;
		}
		GrpcException error = request.timeoutError();
		if (error == null && method != null && request.contentType().isConnect()) {
			error = ofConnect(request.contentType(), method);
		}
		try {
			String encoding = request.encoding();
			if (error == null && encoding != null) {
				Gzip.isEncoding(encoding, Side.SERVER);
			}
		}
		catch (GrpcException ex) {
			error = ex;
		}
		if (error != null) {
			stream.reject(error.status(), String.valueOf(error.getMessage()));
		}
		else if (stream.allowedNanos < 0) {
			stream.refuse(RpcStatus.DEADLINE_EXCEEDED,
					"its time was over before the server read it, because the event loop stood still");
		}
	}

}
