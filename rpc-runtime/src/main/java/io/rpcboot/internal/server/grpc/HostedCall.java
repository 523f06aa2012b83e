package io.rpcboot.internal.server.grpc;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.server.GrpcCall;
import io.rpcboot.server.GrpcHandler;
import io.rpcboot.server.GrpcServiceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Call of a service that no interface declares, and the object that its method is invoked
 * on. The thread that runs it hands it to its stream by the end of the stage.
 */
public final class HostedCall implements GrpcCall {

	private final String authority;

	private final List<Map.Entry<String, String>> metadata;

	private final GrpcHandler handler;

	private byte @Nullable [] message;

	private @Nullable RpcContext context;

	/** Fields that precede the response. */
	private volatile List<Map.Entry<String, String>> headers = List.of();

	/** Fields that follow it. */
	private volatile List<Map.Entry<String, String>> trailers = List.of();

	private volatile @Nullable String encoding;

	/**
	 * Creates a call.
	 * @param method method of a hosted service
	 */
	public HostedCall(Invocation method, String authority, List<Map.Entry<String, String>> metadata) {
		GrpcServiceDefinition service = (GrpcServiceDefinition) Objects
			.requireNonNull(method.method.implementation.get());
		this.handler = Objects.requireNonNull(service.methods().get(method.descriptor().name()));
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
		return this.handler.handle(this);
	}

	@Override
	public byte[] message() {
		return Objects.requireNonNull(this.message);
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
	}

	/** Returns the fields that precede the response. */
	public List<Map.Entry<String, String>> headers() {
		return this.headers;
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
		this.encoding = value;
	}

	/** Returns the encoding of the response, null if it is not compressed. */
	public @Nullable String encoding() {
		return this.encoding;
	}

}
