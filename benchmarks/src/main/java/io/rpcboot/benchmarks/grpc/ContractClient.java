package io.rpcboot.benchmarks.grpc;

import java.util.concurrent.CompletableFuture;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.ManagedChannel;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;
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
 * The contract over one gRPC channel, with the messages that this project generates.
 */
final class ContractClient implements BenchService, BenchClient {

	private final ManagedChannel channel;

	private final BenchServiceGrpc.BenchServiceBlockingStub blocking;

	private final BenchServiceGrpc.BenchServiceStub async;

	ContractClient(ManagedChannel channel) {
		this.channel = channel;
		this.blocking = BenchServiceGrpc.newBlockingStub(channel);
		this.async = BenchServiceGrpc.newStub(channel);
	}

	@Override
	public BenchService service() {
		return this;
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
	}

	@Override
	public byte[] echo(byte[] body) {
		return this.blocking.echo(echoRequest(body)).getValue().toByteArray();
	}

	@Override
	public boolean existUser(String email) {
		return this.blocking.existUser(existUserRequest(email)).getValue();
	}

	@Override
	public boolean createUser(User user) {
		return this.blocking.createUser(createUserRequest(user)).getValue();
	}

	@Override
	public User getUser(long id) {
		return ContractMessages.toUser(this.blocking.getUser(getUserRequest(id)).getValue());
	}

	@Override
	public Page<User> listUser(int pageNo) {
		return ContractMessages.toPage(this.blocking.listUser(listUserRequest(pageNo)).getValue());
	}

	@Override
	public int sleep(int millis) {
		return this.blocking.sleep(sleepRequest(millis)).getValue();
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		Reply<EchoResponse, byte[]> reply = new Reply<>((message) -> message.getValue().toByteArray());
		this.async.echo(echoRequest(body), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Boolean> existUserAsync(String email) {
		Reply<ExistUserResponse, Boolean> reply = new Reply<>(ExistUserResponse::getValue);
		this.async.existUser(existUserRequest(email), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Boolean> createUserAsync(User user) {
		Reply<CreateUserResponse, Boolean> reply = new Reply<>(CreateUserResponse::getValue);
		this.async.createUser(createUserRequest(user), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<User> getUserAsync(long id) {
		Reply<GetUserResponse, User> reply = new Reply<>((message) -> ContractMessages.toUser(message.getValue()));
		this.async.getUser(getUserRequest(id), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Page<User>> listUserAsync(int pageNo) {
		Reply<ListUserResponse, Page<User>> reply = new Reply<>(
				(message) -> ContractMessages.toPage(message.getValue()));
		this.async.listUser(listUserRequest(pageNo), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Integer> sleepAsync(int millis) {
		Reply<SleepResponse, Integer> reply = new Reply<>(SleepResponse::getValue);
		this.async.sleep(sleepRequest(millis), reply);
		return reply.future;
	}

	/** The array is wrapped, not copied: it does not change. */
	private static EchoRequest echoRequest(byte[] body) {
		return EchoRequest.newBuilder().setBody(UnsafeByteOperations.unsafeWrap(body)).build();
	}

	private static ExistUserRequest existUserRequest(String email) {
		return ExistUserRequest.newBuilder().setEmail(email).build();
	}

	private static CreateUserRequest createUserRequest(User user) {
		return CreateUserRequest.newBuilder().setUser(ContractMessages.toMessage(user)).build();
	}

	private static GetUserRequest getUserRequest(long id) {
		return GetUserRequest.newBuilder().setId(id).build();
	}

	private static ListUserRequest listUserRequest(int pageNo) {
		return ListUserRequest.newBuilder().setPageNo(pageNo).build();
	}

	private static SleepRequest sleepRequest(int millis) {
		return SleepRequest.newBuilder().setMillis(millis).build();
	}

}
