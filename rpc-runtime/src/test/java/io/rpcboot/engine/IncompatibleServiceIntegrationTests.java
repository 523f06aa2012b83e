package io.rpcboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The two sides were not made for each other. */
class IncompatibleServiceIntegrationTests {

	/** Far more than a refusal takes. */
	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final RpcClient client = RpcClient.builder().timeout(TIMEOUT).build();

	@AfterEach
	void stop() {
		assertThat(this.client.pendingCalls()).isZero();
		this.client.close();
	}

	/** The same service in an older version of the source. */
	public interface OlderCalls {

		String greet(String name);

	}

	/** What a server makes of an interface that has changed since. */
	private static ServiceDescriptor olderVersionOf(Class<?> type, Class<?> older) {
		ServiceDescriptor described = ServiceDescriptor.of(older);
		return new ServiceDescriptor(ServiceId.of(type), older, described.methods());
	}

	@Test
	void otherVersionOfTheInterfaceIsRefusedAtOnceAndAlone() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(olderVersionOf(Calls.class, OlderCalls.class), () -> (OlderCalls) (name) -> "old " + name)
			.service(UserService.class, new UserServiceImpl())
			.build()
			.start()) {
			Calls calls = this.client.reference(Calls.class, References.at(server));
			UserService users = this.client.reference(UserService.class, References.at(server));
			assertRefused(() -> calls.greet("first"), RpcStatus.FAILED_PRECONDITION, Calls.class.getName(),
					"different versions of the interface");
			assertRefused(() -> calls.greet("again"), RpcStatus.FAILED_PRECONDITION, Calls.class.getName());
			assertRefused(() -> get(calls.echoLater(new byte[1])), RpcStatus.FAILED_PRECONDITION,
					Calls.class.getName());
			calls.notice("lost");
			assertThat(users.existUser("a9")).isTrue();
			assertThat(server.connections()).isEqualTo(1);
			assertThat(References.instances(this.client)).extracting(ReferenceInfo.Instance::state)
				.containsExactlyInAnyOrder(ReferenceInfo.State.INCOMPATIBLE, ReferenceInfo.State.READY);
			Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		}
	}

	@Test
	void serviceThatIsNotOfferedIsNamed() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(UserService.class, new UserServiceImpl())
			.build()
			.start()) {
			Calls calls = this.client.reference(Calls.class, References.at(server).withVersion("2"));
			UserService users = this.client.reference(UserService.class, References.at(server));
			RpcException thrown = refused(() -> calls.greet("x"));
			assertThat(thrown.status()).isIn(RpcStatus.FAILED_PRECONDITION, RpcStatus.NOT_FOUND);
			assertThat(thrown).hasMessageContaining("service io.rpcboot.engine.Calls:2 is not offered here")
				.hasMessageContaining("offered: io.rpcboot.workload.UserService");
			assertThat(users.existUser("a9")).isTrue();
		}
	}

	@Test
	void compatibleInstanceTakesTheCallsOfAnIncompatibleOne() {
		try (RpcServer old = RpcServer.builder()
			.port(0)
			.service(olderVersionOf(Calls.class, OlderCalls.class), () -> (OlderCalls) (name) -> "old " + name)
			.build()
			.start();
				RpcServer current = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).build().start()) {
			Calls calls = this.client.reference(Calls.class, References.at(old.port(), current.port()));
			for (int i = 0; i < 100; i++) {
				assertThat(calls.greet("x")).isEqualTo("hello x");
			}
		}
	}

	@Test
	void otherSerializerIsNamedAndTriedAgain() {
		RpcException thrown;
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializer(new RenamedSerializer())
			.service(Calls.class, new CallsImpl())
			.build()
			.start(); RpcClient hasty = RpcClient.builder().timeout(Duration.ofMillis(500)).build()) {
			Calls calls = hasty.reference(Calls.class, References.at(server));
			thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			Eventually.until("no connection stays", () -> server.connections() == 0);
		}
		assertThat(thrown.status()).isIn(RpcStatus.UNAVAILABLE, RpcStatus.FAILED_PRECONDITION);
		assertThat(thrown.mayHaveExecuted()).isFalse();
		assertThat(thrown).hasMessageContaining("serializer")
			.hasMessageContaining("'renamed'")
			.hasMessageContaining("'protostuff'");
	}

	private static <T> T get(CompletableFuture<T> future) {
		try {
			return future.get(30, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (RpcException) ex.getCause();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void assertRefused(ThrowingCallable call, RpcStatus status, String... texts) {
		RpcException thrown = refused(call);
		assertThat(thrown.status()).isEqualTo(status);
		assertThat(thrown).hasMessageContainingAll(texts);
	}

	private static RpcException refused(ThrowingCallable call) {
		long before = System.nanoTime();
		RpcException thrown = catchThrowableOfType(RpcException.class, call);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).as("not at the deadline")
			.isLessThan(TIMEOUT.dividedBy(4));
		assertThat(thrown).isNotNull();
		assertThat(thrown.mayHaveExecuted()).isFalse();
		return thrown;
	}

	private static final class RenamedSerializer implements Serializer {

		private final Serializer same = new ProtostuffSerializer();

		@Override
		public String name() {
			return "renamed";
		}

		@Override
		public ServiceCodec codec(ServiceDescriptor service) {
			return this.same.codec(service);
		}

	}

}
