package io.rpcboot.benchmarks.grpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
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
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * A gRPC server that maps its messages and calls the same implementation as the others.
 */
final class GrpcServer implements BenchServer {

	private static final int POOL_THREADS = 200;

	private final Server server;

	GrpcServer(GrpcSystem.Executors executors, BenchService service) throws IOException {
		NettyServerBuilder builder = NettyServerBuilder
			.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), InsecureServerCredentials.create())
			.maxInboundMessageSize(GrpcSystem.MAX_MESSAGE_BYTES)
			.addService(new Adapter(service));
		if (executors == GrpcSystem.Executors.DIRECT) {
			builder.directExecutor();
		}
		else if (executors == GrpcSystem.Executors.POOL) {
			builder.executor(Executors.newFixedThreadPool(POOL_THREADS));
		}
		if (executors == GrpcSystem.Executors.CONTEXT) {
			builder.intercept(new GrpcContext.Reader());
		}
		this.server = builder.build().start();
	}

	@Override
	public int port() {
		return this.server.getPort();
	}

	@Override
	public void close() {
		this.server.shutdownNow();
	}

	private static final class Adapter extends BenchGrpc.BenchImplBase {

		private final BenchService service;

		Adapter(BenchService service) {
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

}
