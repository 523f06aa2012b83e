package io.rpcboot.starter.grpc;

import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;

import org.springframework.grpc.server.service.GrpcService;

/** Generated service that knows one user. */
@GrpcService
class Users extends TestServiceGrpc.TestServiceImplBase {

	@Override
	public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
		responses.onNext(SimpleResponse.newBuilder().setUsername("Doug Lea").build());
		responses.onCompleted();
	}

}
