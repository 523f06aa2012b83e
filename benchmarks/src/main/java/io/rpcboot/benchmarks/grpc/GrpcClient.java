package io.rpcboot.benchmarks.grpc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.ManagedChannel;
import io.rpcboot.benchmarks.proto.BenchGrpc;
import io.rpcboot.benchmarks.proto.BooleanReply;
import io.rpcboot.benchmarks.proto.EchoMessage;
import io.rpcboot.benchmarks.proto.ExistUserRequest;
import io.rpcboot.benchmarks.proto.GetUserRequest;
import io.rpcboot.benchmarks.proto.ListUserRequest;
import io.rpcboot.benchmarks.proto.PageMessage;
import io.rpcboot.benchmarks.proto.SleepMessage;
import io.rpcboot.benchmarks.proto.UserMessage;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * The contract over one gRPC channel: the blocking stub, and the asynchronous one for
 * futures.
 */
final class GrpcClient implements BenchService, BenchClient {

	private final ManagedChannel channel;

	private final BenchGrpc.BenchBlockingStub blocking;

	private final BenchGrpc.BenchStub async;

	/** 0 for none. */
	private final long timeoutNanos;

	GrpcClient(int port, GrpcSystem.Executors executors, Duration timeout) {
		this.timeoutNanos = timeout.toNanos();
		this.channel = executors.channel(port);
		this.blocking = BenchGrpc.newBlockingStub(this.channel);
		this.async = BenchGrpc.newStub(this.channel);
	}

	private BenchGrpc.BenchBlockingStub blocking() {
		return (this.timeoutNanos == 0) ? this.blocking
				: this.blocking.withDeadlineAfter(this.timeoutNanos, TimeUnit.NANOSECONDS);
	}

	private BenchGrpc.BenchStub async() {
		return (this.timeoutNanos == 0) ? this.async
				: this.async.withDeadlineAfter(this.timeoutNanos, TimeUnit.NANOSECONDS);
	}

	@Override
	public BenchService service() {
		return this;
	}

	@Override
	public byte[] echo(byte[] body) {
		return blocking().echo(echoMessage(body)).getBody().toByteArray();
	}

	@Override
	public boolean existUser(String email) {
		return blocking().existUser(existUserRequest(email)).getValue();
	}

	@Override
	public boolean createUser(User user) {
		return blocking().createUser(GrpcMessages.toMessage(user)).getValue();
	}

	@Override
	public User getUser(long id) {
		return GrpcMessages.toUser(blocking().getUser(getUserRequest(id)));
	}

	@Override
	public Page<User> listUser(int pageNo) {
		return GrpcMessages.toPage(blocking().listUser(listUserRequest(pageNo)));
	}

	@Override
	public int sleep(int millis) {
		return blocking().sleep(sleepMessage(millis)).getMillis();
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		Reply<EchoMessage, byte[]> reply = new Reply<>((message) -> message.getBody().toByteArray());
		async().echo(echoMessage(body), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Boolean> existUserAsync(String email) {
		Reply<BooleanReply, Boolean> reply = new Reply<>(BooleanReply::getValue);
		async().existUser(existUserRequest(email), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Boolean> createUserAsync(User user) {
		Reply<BooleanReply, Boolean> reply = new Reply<>(BooleanReply::getValue);
		async().createUser(GrpcMessages.toMessage(user), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<User> getUserAsync(long id) {
		Reply<UserMessage, User> reply = new Reply<>(GrpcMessages::toUser);
		async().getUser(getUserRequest(id), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Page<User>> listUserAsync(int pageNo) {
		Reply<PageMessage, Page<User>> reply = new Reply<>(GrpcMessages::toPage);
		async().listUser(listUserRequest(pageNo), reply);
		return reply.future;
	}

	@Override
	public CompletableFuture<Integer> sleepAsync(int millis) {
		Reply<SleepMessage, Integer> reply = new Reply<>(SleepMessage::getMillis);
		async().sleep(sleepMessage(millis), reply);
		return reply.future;
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
	}

	/** The array is wrapped, not copied: it does not change. */
	private static EchoMessage echoMessage(byte[] body) {
		return EchoMessage.newBuilder().setBody(UnsafeByteOperations.unsafeWrap(body)).build();
	}

	private static SleepMessage sleepMessage(int millis) {
		return SleepMessage.newBuilder().setMillis(millis).build();
	}

	private static ExistUserRequest existUserRequest(String email) {
		return ExistUserRequest.newBuilder().setEmail(email).build();
	}

	private static GetUserRequest getUserRequest(long id) {
		return GetUserRequest.newBuilder().setId(id).build();
	}

	private static ListUserRequest listUserRequest(int pageNo) {
		return ListUserRequest.newBuilder().setPageNo(pageNo).build();
	}

}
