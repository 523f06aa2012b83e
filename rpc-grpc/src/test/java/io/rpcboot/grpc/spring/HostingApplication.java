package io.rpcboot.grpc.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.server.RpcServer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.service.GrpcService;

/** Application of Spring's gRPC, and a client of grpc-java. */
final class HostingApplication implements AutoCloseable {

	static final Context.Key<String> TENANT = Context.key("tenant");

	static final Metadata.Key<String> TENANT_HEADER = Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER);

	final ConfigurableApplicationContext context;

	final ManagedChannel channel;

	private HostingApplication(ConfigurableApplicationContext context, int port) {
		this.context = context;
		this.channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
	}

	/** Starts the context alone. */
	static ConfigurableApplicationContext start(Class<?> type, String... properties) {
		String[] all = Stream.concat(Stream.of("rpc.server.port=0", "spring.grpc.server.port=0"), Stream.of(properties))
			.toArray(String[]::new);
		return new SpringApplicationBuilder(type).web(WebApplicationType.NONE).properties(all).run();
	}

	/** Starts an application whose services run on the server of the starter. */
	static HostingApplication run(Class<?> type, String... properties) {
		ConfigurableApplicationContext context = start(type,
				Stream.concat(Stream.of("rpc.server.grpc.host-services=true"), Stream.of(properties))
					.toArray(String[]::new));
		return new HostingApplication(context, context.getBean(RpcServer.class).port());
	}

	/** Returns a client of the server of Spring Boot. */
	static HostingApplication of(ConfigurableApplicationContext context, int port) {
		return new HostingApplication(context, port);
	}

	TestServiceGrpc.TestServiceBlockingStub client(Channel through) {
		return TestServiceGrpc.newBlockingStub(through).withDeadlineAfter(30, TimeUnit.SECONDS);
	}

	TestServiceGrpc.TestServiceBlockingStub client() {
		return client(this.channel);
	}

	EchoService service() {
		return this.context.getBean(EchoService.class);
	}

	@Override
	public void close() {
		this.context.close();
		this.channel.shutdownNow();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@GrpcService
		EchoService echo() {
			return new EchoService();
		}

		@Bean
		@GlobalServerInterceptor
		TenantInterceptor tenants() {
			return new TenantInterceptor();
		}

	}

	/** Generated service whose {@code UnaryCall} does what a test says. */
	static class EchoService extends TestServiceGrpc.TestServiceImplBase {

		volatile BiConsumer<SimpleRequest, StreamObserver<SimpleResponse>> behavior = (request,
				responses) -> answer(responses, "hosted");

		static void answer(StreamObserver<SimpleResponse> responses, String name) {
			responses.onNext(SimpleResponse.newBuilder().setUsername(name).build());
			responses.onCompleted();
		}

		@Override
		public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
			this.behavior.accept(request, responses);
		}

	}

	/** Knows the tenant of a call, and tells it in the headers of the response. */
	static class TenantInterceptor implements ServerInterceptor {

		final List<String> methods = new CopyOnWriteArrayList<>();

		@Override
		public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
				ServerCallHandler<Q, A> next) {
			this.methods.add(call.getMethodDescriptor().getFullMethodName());
			String tenant = headers.get(TENANT_HEADER);
			ServerCall<Q, A> telling = new SimpleForwardingServerCall<>(call) {
				@Override
				public void sendHeaders(Metadata response) {
					if (tenant != null) {
						response.put(TENANT_HEADER, tenant);
					}
					super.sendHeaders(response);
				}
			};
			return Contexts.interceptCall(Context.current().withValue(TENANT, tenant), telling, headers, next);
		}

	}

}
