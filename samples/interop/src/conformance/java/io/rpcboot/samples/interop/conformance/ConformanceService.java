package io.rpcboot.samples.interop.conformance;

import java.util.concurrent.CompletableFuture;

import com.connectrpc.conformance.v1.IdempotentUnaryRequest;
import com.connectrpc.conformance.v1.IdempotentUnaryResponse;
import com.connectrpc.conformance.v1.UnaryRequest;
import com.connectrpc.conformance.v1.UnaryResponse;
import com.connectrpc.conformance.v1.UnimplementedRequest;
import com.connectrpc.conformance.v1.UnimplementedResponse;
import io.rpcboot.RpcContract;

/** Unary methods of the service of the conformance tests, with its generated messages. */
@RpcContract(name = "connectrpc.conformance.v1.ConformanceService")
public interface ConformanceService {

	CompletableFuture<UnaryResponse> unary(UnaryRequest request);

	CompletableFuture<IdempotentUnaryResponse> idempotentUnary(IdempotentUnaryRequest request);

	CompletableFuture<UnimplementedResponse> unimplemented(UnimplementedRequest request);

}
