package io.rpcboot.engine.context;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A parameter of a method that is no part of its contract. */
@Timeout(60)
class ContextParameterIntegrationTests {

	private static final BlockingQueue<String> noticed = new LinkedBlockingQueue<>();

	private final List<AutoCloseable> open = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private Tills tills(Dispatch dispatch, Serializer serializer, RpcServerInterceptor... interceptors) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServer server = RpcServer.builder()
			.port(0)
			.serializers(serializer)
			.service(ServiceDescriptor.of(Tills.class), TillsImpl::new,
					ServiceOptions.defaults().withDispatch(dispatch).withInterceptors(List.of(interceptors)))
			.start();
		this.open.add(server);
		RpcClient client = RpcClient.builder().serializer(serializer).build();
		this.open.add(client);
		return client.reference(Tills.class,
				ReferenceOptions.defaults().withEndpoints(ReferenceStates.at(server).endpoints().get(0)));
	}

	private static void assertContexts(Tills tills) throws Exception {
		CallOptions options = CallOptions.with("tenant", "acme");
		assertThat(options.call(() -> tills.first(null, 3, "x"))).isEqualTo("first 3 x acme");
		assertThat(options.call(() -> tills.middle(4, null, "y")).get(10, TimeUnit.SECONDS))
			.isEqualTo("middle 4 y acme");
		options.run(() -> tills.only(null));
		assertThat(noticed.poll(10, TimeUnit.SECONDS)).isEqualTo("only acme");
		assertThat(tills.first(null, 5, "z")).as("without attachments").isEqualTo("first 5 z null");
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(Dispatch.class)
	void contextParameter_isContextOfItsCall(Dispatch dispatch) throws Exception {
		assertContexts(tills(dispatch, new ProtostuffSerializer()));
	}

	@Test
	void contextParameter_isContextOfItsCall_withJson() throws Exception {
		assertContexts(tills(Dispatch.POOL, new JacksonSerializer()));
	}

	@Test
	void contextParameter_isKept_whenInterceptorProceedsOnOtherThread() throws Exception {
		RpcServerInterceptor elsewhere = new RpcServerInterceptor() {

			@Override
			public @Nullable Object intercept(ServerInvocation call) {
				return CompletableFuture.supplyAsync(() -> {
					try {
						return ((CompletableFuture<?>) call.proceed()).join();
					}
					catch (Throwable ex) {
						throw new IllegalStateException(ex);
					}
				});
			}

			@Override
			public Position position() {
				return Position.BEFORE_ARGUMENTS;
			}

		};
		Tills tills = tills(Dispatch.POOL, new ProtostuffSerializer(), elsewhere);
		assertThat(CallOptions.with("tenant", "acme").call(() -> tills.middle(4, null, "y")).get(10, TimeUnit.SECONDS))
			.isEqualTo("middle 4 y acme");
	}

	@Test
	void contextArgument_isNotSentToServer() {
		Tills tills = tills(Dispatch.POOL, new ProtostuffSerializer());
		RpcContext own = (RpcContext) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RpcContext.class }, (self, method, arguments) -> {
					throw new AssertionError("nobody looks at it");
				});
		assertThat(tills.first(own, 3, "x")).isEqualTo("first 3 x null");
	}

	@Test
	void contextParameter_isExcludedFromContract() {
		for (Serializer each : List.of(new ProtostuffSerializer(), new JacksonSerializer())) {
			assertThat(each.codec(ServiceDescriptor.of(Tills.class)).contract().hash())
				.isEqualTo(each.codec(ServiceDescriptor.of(PlainTills.class)).contract().hash());
		}
	}

	public interface Tills {

		String first(@Nullable RpcContext call, long number, String text);

		CompletableFuture<String> middle(long number, @Nullable RpcContext call, String text);

		@RpcMethod(oneWay = true)
		void only(@Nullable RpcContext call);

	}

	public interface PlainTills {

		String first(long number, String text);

		CompletableFuture<String> middle(long number, String text);

		@RpcMethod(oneWay = true)
		void only();

	}

	private static final class TillsImpl implements Tills {

		@Override
		public String first(@Nullable RpcContext call, long number, String text) {
			return "first " + number + " " + text + " " + tenant(call);
		}

		@Override
		public CompletableFuture<String> middle(long number, @Nullable RpcContext call, String text) {
			return CompletableFuture.completedFuture("middle " + number + " " + text + " " + tenant(call));
		}

		@Override
		public void only(@Nullable RpcContext call) {
			noticed.add("only " + tenant(call));
		}

		private static @Nullable String tenant(@Nullable RpcContext call) {
			assertThat(call).isNotNull().isSameAs(RpcContext.current());
			return call.attachments().get("tenant");
		}

	}

}
