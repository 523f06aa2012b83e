package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.call.PassedCalls;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.grpc.GrpcMethod;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.internal.transport.http2.Passage;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Requests on a connection of a relay, which passes them on unread: opens the stream of
 * each. What the server itself offers, such as its health, it answers. Event loop only.
 */
public final class PassedRequests implements RequestOpener {

	private final Http2ServerConnection calls;

	private final GrpcMethods own;

	private final Passing passing;

	/** Opens the streams of methods of the server itself. */
	private final GrpcRequests answered;

	/**
	 * Creates the opener of the streams of a connection.
	 * @param own methods of the server itself
	 */
	PassedRequests(Http2ServerConnection calls, GrpcMethods own, Passing passing) {
		this.calls = calls;
		this.own = own;
		this.passing = passing;
		this.answered = new GrpcRequests(calls, own);
	}

	/**
	 * Relay of a server, with the recorders of its services.
	 *
	 * @param relay place to which they are passed on
	 * @param recorders recorders of services, empty without metrics
	 */
	public record Passing(Relay relay, Map<ServiceId, CallRecorder> recorders) {
	}

	/** Place to which requests are passed on. Any event loop. */
	public interface Relay {

		/**
		 * Makes the call of a request, without beginning it.
		 * @param request passes the body on
		 * @param answer receives the response, or the failure
		 * @throws GrpcException if the request is refused
		 */
		Call call(RequestHeaders.Head head, Passage request, Answer answer) throws GrpcException;

	}

	/** Call that passes a request on. Any thread. */
	public interface Call {

		/** Begins the call. */
		void begin();

		/** Returns the response. */
		Passage response();

		/** Returns the service that is looked up for the call. */
		ServiceId service();

		/** Returns the status, once the call has ended or its response is complete. */
		RpcStatus outcome();

		/** Ends the call, whose client does not want it any more. */
		void withdraw(String why);

		/** Ends the call, because the relay cannot pass it on. */
		void abort(RpcStatus status, String why);

		/**
		 * Takes note that the client has the whole response.
		 * @param written false if the client has gone before
		 */
		void ended(boolean written);

	}

	/** Client of a call. Any thread. */
	public interface Answer extends Passage.Origin {

		/**
		 * Reserves memory for a part of the response.
		 * @return false if there is none
		 */
		boolean reserve(int bytes);

		/** Releases memory of the response. */
		void release(int bytes);

		/** Lets the client receive what is in the response. */
		void responds();

		/**
		 * Ends the stream as the server has ended its own.
		 * @param errorCode code of RST_STREAM
		 */
		void reset(int errorCode);

		/**
		 * Sends a failure of the relay itself.
		 * @param mayHaveRun true if the method may have run
		 */
		void fail(RpcStatus status, String why, boolean mayHaveRun);

	}

	/** Returns the place to which a server passes requests on, null if it has methods. */
	static @Nullable Passing among(ServiceTable services) {
		Relay relay = null;
		Map<ServiceId, CallRecorder> recorders = new HashMap<>();
		for (OfferedService each : services.offered()) {
			if (PassedCalls.isPassed(each.service())) {
				relay = (Relay) each.implementation().get();
				CallRecorder recorder = each.methods().get(0).recorder;
				if (recorder != null) {
					recorders.put(each.service().id(), recorder);
				}
			}
		}
		return (relay != null) ? new Passing(relay, recorders) : null;
	}

	@Override
	public void opened() {
		this.answered.opened();
	}

	@Override
	public RequestHeaders headers() {
		return new PassedHeaders();
	}

	/** Header fields of requests, all of them as they arrived. */
	private static final class PassedHeaders extends RequestHeaders {

		private List<HeaderField> all = new ArrayList<>();

		/** Memory of the fields, in bytes. */
		private int bytes;

		@Override
		void accept(HeaderField field) {
			this.all.add(field);
			this.bytes += field.memory();
			super.accept(field);
		}

		@Override
		void clear() {
			this.all = new ArrayList<>();
			this.bytes = 0;
			super.clear();
		}

	}

	@Override
	public @Nullable GrpcMethod find(String path) {
		return this.answered.find(path);
	}

	@Override
	public void open(int streamId, RequestHeaders request) {
		GrpcMethod target = request.method;
		if (target != null && target.handler != null) {
			this.answered.open(streamId, request);
			return;
		}
		PassedHeaders fields = (PassedHeaders) request;
		RequestHeaders.Head head = request.head(fields.all);
		PassedRequest stream = new PassedRequest(this.calls, streamId, head, request, this.passing);
		try {
			requireTime(request);
			stream.passTo(this.passing.relay().call(head, stream.body(), stream));
		}
		catch (GrpcException ex) {
			String why = String.valueOf(ex.getMessage());
			this.calls.logRejected(ex.status(), why);
			refuse(this.calls, streamId, head).end(ResponseTrailers.refused(new AccessDenial(ex.status(), why)));
			return;
		}
		this.calls.streams.put(stream);
		stream.begin(fields.bytes);
	}

	private static void requireTime(RequestHeaders request) {
		GrpcException error = request.timeoutError();
		if (error != null) {
			throw error;
		}
		if (request.allowedNanos() <= 0) {
			throw new GrpcException(RpcStatus.DEADLINE_EXCEEDED, "no time was left when the request reached the relay");
		}
	}

	/** Opens a stream that answers with a failure, in the format of its request. */
	static RequestStream refuse(Http2ServerConnection calls, int streamId, RequestHeaders.Head head) {
		RequestHeaders request = RequestHeaders.refused(head);
		RequestStream refused = head.type().isUnary() ? new ConnectStream(calls, streamId, request, null)
				: head.type().endsInBody() ? new StreamedResponse(calls, streamId, request, null)
						: new Http2ServerStream(calls, streamId, request, null);
		calls.streams.put(refused);
		return refused;
	}

	@Override
	public Invocation compressed(Invocation method) {
		return this.own.compressed(method);
	}

	@Override
	public Invocation of(Invocation method, ContentType type, boolean isCompressed) {
		return this.own.of(method, type, isCompressed);
	}

}
