package io.rpcboot.internal.server.grpc;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.server.GrpcCall;
import io.rpcboot.server.GrpcServiceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Call of a service that no interface declares, and the object that its method is invoked
 * on. The thread that runs it hands it to its stream by the end of the stage.
 */
public final class HostedCall implements GrpcCall {

	private final String authority;

	private final List<Map.Entry<String, String>> metadata;

	private final GrpcServiceDefinition service;

	private final String method;

	private byte @Nullable [] message;

	private @Nullable RpcContext context;

	/** Fields that precede the response. */
	private volatile List<Map.Entry<String, String>> headers = List.of();

	/** Fields that follow it. */
	private volatile List<Map.Entry<String, String>> trailers = List.of();

	private volatile @Nullable String encoding;

	/** True once messages of a stream may be compressed. */
	private volatile boolean mayCompress;

	/** Sends the fields that precede a stream; null for a response of one message. */
	private volatile @Nullable Runnable sender;

	/**
	 * Creates a call.
	 * @param method method of a hosted service
	 */
	public HostedCall(Invocation method, String authority, List<Map.Entry<String, String>> metadata) {
		this.service = (GrpcServiceDefinition) Objects.requireNonNull(method.method.implementation.get());
		this.method = method.descriptor().name();
		this.authority = authority;
		this.metadata = metadata;
	}

	/** Returns true if calls of a method are calls of this kind. */
	public static boolean runs(Invocation method) {
		return method.descriptor().method().getDeclaringClass() == HostedCall.class;
	}

	/**
	 * Runs the call.
	 * @param request its message
	 * @return completes with the message of the response
	 */
	public CompletionStage<byte[]> call(byte[] request) throws Exception {
		this.message = request;
		this.context = RpcContext.current();
		return Objects.requireNonNull(this.service.methods().get(this.method)).handle(this);
	}

	/**
	 * Runs the call with several messages.
	 * @param requests messages of the client
	 * @return messages of the response
	 */
	public Flow.Publisher<byte[]> exchange(Flow.Publisher<byte[]> requests) throws Exception {
		this.context = RpcContext.current();
		return Objects.requireNonNull(this.service.streams().get(this.method)).handle(this, requests);
	}

	/** Sets what sends the fields that precede a stream, before the call runs. */
	public void sendsHeaders(Runnable action) {
		this.sender = action;
	}

	@Override
	public byte[] message() {
		if (this.message == null) {
			throw new IllegalStateException("the call has a stream of requests (expected: one request)");
		}
		return this.message;
	}

	@Override
	public List<Map.Entry<String, String>> metadata() {
		return this.metadata;
	}

	@Override
	public String authority() {
		return this.authority;
	}

	@Override
	public RpcContext context() {
		return Objects.requireNonNull(this.context);
	}

	@Override
	public void headers(List<Map.Entry<String, String>> fields) {
		this.headers = List.copyOf(fields);
		Runnable sends = this.sender;
		if (sends != null) {
			sends.run();
		}
	}

	/** Returns the fields that precede the response. */
	public List<Map.Entry<String, String>> headers() {
		return this.headers;
	}

	/** Returns the fields that precede the response, without those of HTTP itself. */
	public List<Map.Entry<String, String>> ownHeaders() {
		return this.headers.stream().filter((each) -> GrpcMetadata.isAttachment(each.getKey())).toList();
	}

	@Override
	public void trailers(List<Map.Entry<String, String>> fields) {
		this.trailers = List.copyOf(fields);
	}

	/** Returns the fields that follow the response. */
	public List<Map.Entry<String, String>> trailers() {
		return this.trailers;
	}

	@Override
	public void encoding(String value) {
		boolean isGzip = value.equals(Gzip.NAME);
		if (this.sender != null && !isGzip && !value.equals("identity")) {
			throw new IllegalArgumentException(
					"encoding: '%s' (expected: gzip or identity in a stream)".formatted(value));
		}
		this.mayCompress |= isGzip;
		this.encoding = value;
	}

	/** Returns true once a message may have been compressed with gzip by the service. */
	public boolean mayCompress() {
		return this.mayCompress;
	}

	/** Returns true if the service compresses its messages with gzip now. */
	public boolean isCompressing() {
		return Gzip.NAME.equals(this.encoding);
	}

	/** Returns the encoding of the response, null if it is not compressed. */
	public @Nullable String encoding() {
		return this.encoding;
	}

}
