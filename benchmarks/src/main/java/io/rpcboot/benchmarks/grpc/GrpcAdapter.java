package io.rpcboot.benchmarks.grpc;

import io.grpc.stub.StreamObserver;
import io.rpcboot.benchmarks.proto.BenchGrpc;
import io.rpcboot.benchmarks.proto.BooleanReply;
import io.rpcboot.benchmarks.proto.EchoMessage;
import io.rpcboot.benchmarks.proto.ExistUserRequest;
import io.rpcboot.benchmarks.proto.GetUserRequest;
import io.rpcboot.benchmarks.proto.ListUserRequest;
import io.rpcboot.benchmarks.proto.PageMessage;
import io.rpcboot.benchmarks.proto.SleepMessage;
import io.rpcboot.benchmarks.proto.UserMessage;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * Maps the messages of an application on gRPC and calls the same implementation as the
 * others.
 */
final class GrpcAdapter extends BenchGrpc.BenchImplBase {

	private final BenchService service;

	GrpcAdapter(BenchService service) {
		this.service = service;
	}

	/** The body is handed on as it is, which is the best gRPC can do. */
	@Override
	public void echo(EchoMessage request, StreamObserver<EchoMessage> reply) {
		answer(EchoMessage.newBuilder().setBody(request.getBody()).build(), reply);
	}

	@Override
	public void existUser(ExistUserRequest request, StreamObserver<BooleanReply> reply) {
		answer(toReply(this.service.existUser(request.getEmail())), reply);
	}

	@Override
	public void createUser(UserMessage request, StreamObserver<BooleanReply> reply) {
		answer(toReply(this.service.createUser(GrpcMessages.toUser(request))), reply);
	}

	@Override
	public void getUser(GetUserRequest request, StreamObserver<UserMessage> reply) {
		answer(GrpcMessages.toMessage(this.service.getUser(request.getId())), reply);
	}

	@Override
	public void listUser(ListUserRequest request, StreamObserver<PageMessage> reply) {
		answer(GrpcMessages.toMessage(this.service.listUser(request.getPageNo())), reply);
	}

	@Override
	public void sleep(SleepMessage request, StreamObserver<SleepMessage> reply) {
		answer(SleepMessage.newBuilder().setMillis(this.service.sleep(request.getMillis())).build(), reply);
	}

	private static BooleanReply toReply(boolean value) {
		return BooleanReply.newBuilder().setValue(value).build();
	}

	private static <T> void answer(T message, StreamObserver<T> reply) {
		reply.onNext(message);
		reply.onCompleted();
	}

}
