package io.rpcboot.samples.interop;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.rpcboot.RpcContract;

/** The methods of {@code grpc.testing.TestService}, with its generated messages. */
@RpcContract(name = "grpc.testing.TestService")
public interface GeneratedTestService {

	/** Does nothing. */
	Empty emptyCall(Empty request);

	/** Returns a body of the requested size, or fails with the requested status. */
	SimpleResponse unaryCall(SimpleRequest request);

	/** Returns bodies of the requested sizes. */
	Iterator<StreamingOutputCallResponse> streamingOutputCall(StreamingOutputCallRequest request);

	/** Returns the bytes of all bodies together. */
	CompletableFuture<StreamingInputCallResponse> streamingInputCall(
			Flow.Publisher<StreamingInputCallRequest> requests);

	/** Answers each request as it arrives. */
	Flow.Publisher<StreamingOutputCallResponse> fullDuplexCall(Flow.Publisher<StreamingOutputCallRequest> requests);

	/** Is offered by no server. */
	Empty unimplementedCall(Empty request);

}
