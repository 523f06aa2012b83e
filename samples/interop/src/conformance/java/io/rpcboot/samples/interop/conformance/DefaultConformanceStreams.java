package io.rpcboot.samples.interop.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import com.connectrpc.conformance.v1.BidiStreamRequest;
import com.connectrpc.conformance.v1.BidiStreamResponse;
import com.connectrpc.conformance.v1.ClientStreamRequest;
import com.connectrpc.conformance.v1.ClientStreamResponse;
import com.connectrpc.conformance.v1.ConformancePayload.RequestInfo;
import com.connectrpc.conformance.v1.ConformancePayload;
import com.connectrpc.conformance.v1.Error;
import com.connectrpc.conformance.v1.Header;
import com.connectrpc.conformance.v1.ServerStreamRequest;
import com.connectrpc.conformance.v1.ServerStreamResponse;
import com.connectrpc.conformance.v1.StreamResponseDefinition;
import com.connectrpc.conformance.v1.UnaryResponseDefinition;
import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.Status;
import io.grpc.protobuf.StatusProto;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * Implementation as the tests describe it. An interface has attachments for both headers
 * and trailers of a response: those that a method without a stream of requests sets
 * before it returns precede the messages, all others follow the last one.
 */
final class DefaultConformanceStreams implements ConformanceStreams {

	@Override
	public Iterator<ServerStreamResponse> serverStream(ServerStreamRequest request) {
		return new Responses<>(request.getResponseDefinition(), request, Collections.emptyIterator(),
				(payload) -> ServerStreamResponse.newBuilder().setPayload(payload).build());
	}

	@Override
	public ClientStreamResponse clientStream(Iterator<ClientStreamRequest> requests) {
		RequestInfo.Builder info = info();
		UnaryResponseDefinition definition = UnaryResponseDefinition.getDefaultInstance();
		while (requests.hasNext()) {
			ClientStreamRequest request = requests.next();
			definition = (info.getRequestsCount() == 0) ? request.getResponseDefinition() : definition;
			info.addRequests(Any.pack(request));
		}
		attach(RpcContext.current(), definition.getResponseHeadersList());
		attach(RpcContext.current(), definition.getResponseTrailersList());
		pause(definition.getResponseDelayMs());
		if (definition.hasError()) {
			throw failure(definition.getError(), List.of(Any.pack(info.build())));
		}
		return ClientStreamResponse.newBuilder()
			.setPayload(ConformancePayload.newBuilder().setData(definition.getResponseData()).setRequestInfo(info))
			.build();
	}

	@Override
	public Iterator<BidiStreamResponse> bidiStream(Iterator<BidiStreamRequest> requests) {
		if (!requests.hasNext()) {
			return Collections.emptyIterator();
		}
		BidiStreamRequest first = requests.next();
		Responses<BidiStreamResponse> responses = new Responses<>(first.getResponseDefinition(), first, requests,
				(payload) -> BidiStreamResponse.newBuilder().setPayload(payload).build());
		if (!first.getFullDuplex()) {
			requests.forEachRemaining((each) -> responses.received.add(Any.pack(each)));
		}
		return responses;
	}

	/** Returns what is known of the call but its messages. */
	private static RequestInfo.Builder info() {
		RpcContext context = Objects.requireNonNull(RpcContext.current());
		RequestInfo.Builder info = RequestInfo.newBuilder();
		context.attachments()
			.asMap()
			.forEach((name, value) -> info.addRequestHeaders(Header.newBuilder().setName(name).addValue(value)));
		long nanos = context.remaining().toNanos();
		return (nanos < Long.MAX_VALUE) ? info.setTimeoutMs(nanos / 1_000_000) : info;
	}

	private static void attach(@Nullable RpcContext context, List<Header> fields) {
		Attachments attachments = Objects.requireNonNull(context).replyAttachments();
		fields.forEach((each) -> attachments.put(each.getName(), String.join(",", each.getValueList())));
	}

	private static void pause(int millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private static RuntimeException failure(Error error, List<Any> more) {
		return StatusProto.toStatusRuntimeException(Status.newBuilder()
			.setCode(error.getCodeValue())
			.setMessage(error.getMessage())
			.addAllDetails(error.getDetailsList())
			.addAllDetails(more)
			.build());
	}

	/** Responses that a request asks for, one after the other, then its error. */
	private static final class Responses<T> implements Iterator<T> {

		private final StreamResponseDefinition definition;

		/** Requests that arrive between responses; none left if all come before. */
		private final Iterator<? extends Message> requests;

		private final Function<ConformancePayload, T> response;

		/** Messages of the client since the last response. */
		private final List<Any> received = new ArrayList<>();

		private final @Nullable RpcContext context = RpcContext.current();

		private final RequestInfo.Builder info = info();

		private int sent;

		Responses(StreamResponseDefinition definition, Message first, Iterator<? extends Message> requests,
				Function<ConformancePayload, T> response) {
			this.definition = definition;
			this.requests = requests;
			this.response = response;
			this.received.add(Any.pack(first));
			attach(this.context, definition.getResponseHeadersList());
		}

		@Override
		public boolean hasNext() {
			if (this.received.isEmpty() && this.requests.hasNext()) {
				this.received.add(Any.pack(this.requests.next()));
			}
			if (this.sent < this.definition.getResponseDataCount()) {
				return true;
			}
			attach(this.context, this.definition.getResponseTrailersList());
			if (this.definition.hasError()) {
				throw failure(this.definition.getError(),
						(this.sent == 0) ? List.of(Any.pack(echo(this.info))) : List.of());
			}
			return false;
		}

		@Override
		public T next() {
			pause(this.definition.getResponseDelayMs());
			ConformancePayload.Builder payload = ConformancePayload.newBuilder()
				.setData(this.definition.getResponseData(this.sent));
			if (this.sent == 0) {
				payload.setRequestInfo(echo(this.info));
			}
			else if (!this.received.isEmpty()) {
				payload.setRequestInfo(echo(RequestInfo.newBuilder()));
			}
			this.sent++;
			return this.response.apply(payload.build());
		}

		private RequestInfo echo(RequestInfo.Builder about) {
			about.addAllRequests(this.received);
			this.received.clear();
			return about.build();
		}

	}

}
