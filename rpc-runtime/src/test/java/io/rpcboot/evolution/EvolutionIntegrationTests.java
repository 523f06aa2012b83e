package io.rpcboot.evolution;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every fifth change of the table over a real connection, every one with
 * {@code -Drpc.test.long=true}: each version calls the other, and what arrives is looked
 * at field by field. {@link EvolutionTests} has them all without a connection.
 */
@Tag("rounds")
class EvolutionIntegrationTests {

	/** Distance of the changes that are part of the build. */
	private static final int DISTANCE = 5;

	private static final EventLoopOptions ONE_LOOP = EventLoopOptions.defaults()
		.withTransport(EventLoopOptions.Transport.NIO)
		.withThreads(1);

	/** For the first connection on a busy machine. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	static List<EvolutionRow> rows() {
		return Load.everyNth(EvolutionRows.all(), DISTANCE);
	}

	@ParameterizedTest
	@MethodSource("rows")
	void oldClient_followsEvolutionRules_withNewServer(EvolutionRow row) throws Exception {
		call(row.oldBody(), row.newBody(), row.oldClientRefused(), row.oldAtNew(), row.newAtOld());
	}

	@ParameterizedTest
	@MethodSource("rows")
	void newClient_followsEvolutionRules_withOldServer(EvolutionRow row) throws Exception {
		call(row.newBody(), row.oldBody(), row.newClientRefused(), row.newAtOld(), row.oldAtNew());
	}

	private static void call(String clientBody, String serverBody, String refused, String atServer, String atClient)
			throws Exception {
		CompiledVersion ours = CompiledVersion.of(clientBody);
		CompiledVersion theirs = CompiledVersion.of(serverBody);
		Queue<Object[]> received = new ConcurrentLinkedQueue<>();
		Object implementation = Proxy.newProxyInstance(theirs.service().getClassLoader(),
				new Class<?>[] { theirs.service() },
				(self, method, arguments) -> serve(theirs, received, method, arguments));
		try (RpcServer server = RpcServer.builder()
			.bindAddress("127.0.0.1")
			.port(0)
			.eventLoop(ONE_LOOP)
			.service(theirs.descriptor(), () -> implementation)
			.start(); RpcClient client = RpcClient.builder().waitForInstance(PATIENCE).eventLoop(ONE_LOOP).build()) {
			Object proxy = client.reference(ours.service(),
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
			Outcome outcome = Outcome.of(proxy, ours.method(), ours.value());
			if (!refused.isEmpty()) {
				outcome.requireFailure(RpcStatus.FAILED_PRECONDITION, refused);
				assertThat(received).isEmpty();
			}
			else if (atServer.startsWith(EvolutionRow.ERROR) && ours.method().getParameterCount() > 0) {
				outcome.requireFailure(RpcStatus.INVALID_ARGUMENT, atServer.substring(EvolutionRow.ERROR.length()));
				assertThat(received).isEmpty();
			}
			else {
				if (ours.method().getParameterCount() > 0) {
					assertThat(received).as("the call arrives: %s", outcome.thrown).hasSize(1);
					assertThat(Dump.of(received.remove()[0])).as("argument").isEqualTo(atServer);
				}
				outcome.requireReply(ours, theirs, atClient);
			}
			assertThat(Outcome.of(proxy, ours.service().getMethod(CompiledVersion.UNTOUCHED, int.class), 7))
				.isEqualTo(new Outcome(8, null));
			assertThat(client.pendingCalls()).isZero();
		}
	}

	private static Object serve(CompiledVersion version, Queue<Object[]> received, Method method, Object[] arguments)
			throws Throwable {
		if (method.getName().equals(CompiledVersion.UNTOUCHED)) {
			return (int) arguments[0] + 1;
		}
		assertThat(method).isEqualTo(version.method());
		received.add((arguments != null) ? arguments : new Object[0]);
		Object value = version.value();
		if (value instanceof Throwable thrown) {
			throw thrown;
		}
		if (method.getReturnType() == CompletableFuture.class) {
			return CompletableFuture.completedFuture(value);
		}
		return (method.getReturnType() == void.class) ? null : value;
	}

	/**
	 * What the caller got.
	 *
	 * @param value the result
	 * @param thrown the exception, null if there was none
	 */
	private record Outcome(Object value, Throwable thrown) {

		static Outcome of(Object proxy, Method method, Object argument) throws Exception {
			Object[] arguments = new Object[method.getParameterCount()];
			for (int i = 0; i < arguments.length; i++) {
				arguments[i] = (i == 0) ? argument : (method.getParameterTypes()[i] == int.class) ? 1 : null;
			}
			try {
				method.setAccessible(true);
				Object result = method.invoke(proxy, arguments);
				return new Outcome((result instanceof CompletableFuture<?> future) ? future.join() : result, null);
			}
			catch (InvocationTargetException ex) {
				return new Outcome(null, ex.getCause());
			}
			catch (CompletionException ex) {
				return new Outcome(null, ex.getCause());
			}
		}

		void requireFailure(RpcStatus status, String text) {
			assertThat(this.thrown).isInstanceOfSatisfying(RpcException.class, (ex) -> {
				assertThat(ex.status()).isEqualTo(status);
				assertThat(ex.mayHaveExecuted()).isEqualTo(status == RpcStatus.INTERNAL);
				assertThat(ex).hasMessageContaining(text);
			});
		}

		void requireReply(CompiledVersion client, CompiledVersion server, String expected) {
			boolean answers = server.method().getReturnType() != void.class;
			boolean listens = client.method().getReturnType() != void.class;
			if (server.value() instanceof Throwable) {
				assertThat(dumpThrown()).isEqualTo(expected);
			}
			else if (!answers || !listens) {
				assertThat(this).isEqualTo(new Outcome(null, null));
			}
			else if (expected.startsWith(EvolutionRow.ERROR)) {
				requireFailure(RpcStatus.INTERNAL, expected.substring(EvolutionRow.ERROR.length()));
			}
			else {
				assertThat(this.thrown).isNull();
				assertThat(Dump.of(this.value)).as("result").isEqualTo(expected);
			}
		}

		private String dumpThrown() {
			if (!(this.thrown instanceof RpcException remote)) {
				return Dump.of(this.thrown);
			}
			assertThat(remote.status()).isEqualTo(RpcStatus.APPLICATION);
			assertThat(remote.mayHaveExecuted()).isTrue();
			String message = remote.getMessage();
			assertThat(message).contains(remote.remoteType() + ": ").endsWith("; it executed");
			return "undeclared %s: %s".formatted(remote.remoteType(),
					message.substring(message.indexOf(remote.remoteType()) + remote.remoteType().length() + 2,
							message.length() - "; it executed".length()));
		}

	}

}
