package io.rpcboot.benchmarks.grpc;

import io.grpc.stub.StreamObserver;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.proto.BenchServiceGrpc;
import io.rpcboot.benchmarks.workload.proto.CreateUserRequest;
import io.rpcboot.benchmarks.workload.proto.CreateUserResponse;
import io.rpcboot.benchmarks.workload.proto.EchoRequest;
import io.rpcboot.benchmarks.workload.proto.EchoResponse;
import io.rpcboot.benchmarks.workload.proto.ExistUserRequest;
import io.rpcboot.benchmarks.workload.proto.ExistUserResponse;
import io.rpcboot.benchmarks.workload.proto.GetUserRequest;
import io.rpcboot.benchmarks.workload.proto.GetUserResponse;
import io.rpcboot.benchmarks.workload.proto.ListUserRequest;
import io.rpcboot.benchmarks.workload.proto.ListUserResponse;
import io.rpcboot.benchmarks.workload.proto.SleepRequest;
import io.rpcboot.benchmarks.workload.proto.SleepResponse;

/**
 * Maps the messages that this project generates and calls the same implementation as the
 * others.
 */
final class ContractAdapter extends BenchServiceGrpc.BenchServiceImplBase {

	private final BenchService service;

	ContractAdapter(BenchService service) {
		this.service = service;
	}

	/** The body is handed on as it is, which is the best gRPC can do. */
	@Override
	public void echo(EchoRequest request, StreamObserver<EchoResponse> reply) {
		answer(EchoResponse.newBuilder().setValue(request.getBody()).build(), reply);
	}

	@Override
	public void echoAsync(EchoRequest request, StreamObserver<EchoResponse> reply) {
		echo(request, reply);
	}

	@Override
	public void existUser(ExistUserRequest request, StreamObserver<ExistUserResponse> reply) {
		answer(ExistUserResponse.newBuilder().setValue(this.service.existUser(request.getEmail())).build(), reply);
	}

	@Override
	public void existUserAsync(ExistUserRequest request, StreamObserver<ExistUserResponse> reply) {
		existUser(request, reply);
	}

	@Override
	public void createUser(CreateUserRequest request, StreamObserver<CreateUserResponse> reply) {
		answer(CreateUserResponse.newBuilder()
			.setValue(this.service.createUser(ContractMessages.toUser(request.getUser())))
			.build(), reply);
	}

	@Override
	public void createUserAsync(CreateUserRequest request, StreamObserver<CreateUserResponse> reply) {
		createUser(request, reply);
	}

	@Override
	public void getUser(GetUserRequest request, StreamObserver<GetUserResponse> reply) {
		answer(GetUserResponse.newBuilder()
			.setValue(ContractMessages.toMessage(this.service.getUser(request.getId())))
			.build(), reply);
	}

	@Override
	public void getUserAsync(GetUserRequest request, StreamObserver<GetUserResponse> reply) {
		getUser(request, reply);
	}

	@Override
	public void listUser(ListUserRequest request, StreamObserver<ListUserResponse> reply) {
		answer(ListUserResponse.newBuilder()
			.setValue(ContractMessages.toMessage(this.service.listUser(request.getPageNo())))
			.build(), reply);
	}

	@Override
	public void listUserAsync(ListUserRequest request, StreamObserver<ListUserResponse> reply) {
		listUser(request, reply);
	}

	@Override
	public void sleep(SleepRequest request, StreamObserver<SleepResponse> reply) {
		answer(SleepResponse.newBuilder().setValue(this.service.sleep(request.getMillis())).build(), reply);
	}

	@Override
	public void sleepAsync(SleepRequest request, StreamObserver<SleepResponse> reply) {
		sleep(request, reply);
	}

	private static <T> void answer(T message, StreamObserver<T> reply) {
		reply.onNext(message);
		reply.onCompleted();
	}

}
