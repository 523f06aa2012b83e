package io.rpcboot.samples.interop;

import java.util.Objects;

import grpc.testing.TestService;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/** Implementation as gRPC's description of the interoperability tests has it. */
final class DefaultTestService implements TestService {

	@Override
	public void emptyCall() {
		// has no result
	}

	@Override
	public Payload unaryCall(int responseType, int responseSize, @Nullable Payload payload, boolean fillUsername,
			boolean fillOauthScope, @Nullable Flag responseCompressed, @Nullable EchoStatus responseStatus) {
		echo("x-grpc-test-echo-initial");
		echo("x-grpc-test-echo-trailing-bin");
		if (responseStatus != null && responseStatus.code() != 0) {
			RpcStatus status = Objects.requireNonNullElse(RpcStatus.ofCode(responseStatus.code()), RpcStatus.UNKNOWN);
			throw new RpcException(status, Objects.requireNonNullElse(responseStatus.message(), ""), true);
		}
		return new Payload(responseType, new byte[responseSize]);
	}

	/** Adds an attachment of the call to the reply. */
	private static void echo(String name) {
		RpcContext context = Objects.requireNonNull(RpcContext.current());
		String value = context.attachments().get(name);
		if (value != null) {
			context.replyAttachments().put(name, value);
		}
	}

}
