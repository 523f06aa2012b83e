package io.rpcboot.samples.interop.conformance;

import java.util.Iterator;

import com.connectrpc.conformance.v1.BidiStreamRequest;
import com.connectrpc.conformance.v1.BidiStreamResponse;
import com.connectrpc.conformance.v1.ClientStreamRequest;
import com.connectrpc.conformance.v1.ClientStreamResponse;
import com.connectrpc.conformance.v1.ServerStreamRequest;
import com.connectrpc.conformance.v1.ServerStreamResponse;
import io.rpcboot.RpcContract;

/**
 * Methods with streams of the service of the conformance tests, with its generated
 * messages.
 */
@RpcContract(name = "connectrpc.conformance.v1.ConformanceService")
public interface ConformanceStreams {

	Iterator<ServerStreamResponse> serverStream(ServerStreamRequest request);

	ClientStreamResponse clientStream(Iterator<ClientStreamRequest> requests);

	Iterator<BidiStreamResponse> bidiStream(Iterator<BidiStreamRequest> requests);

}
