package io.rpcboot.hotpath;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

import io.rpcboot.context.RpcContext;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.connection.binary.BinaryClientConnection;
import io.rpcboot.internal.server.call.ResponseSink;
import io.rpcboot.internal.server.connection.binary.BinaryServerStream;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the seam between calls and protocols: every protocol uses all of it. A
 * method that one of them does not need belongs to the room of the other.
 */
class SeamIntegrationTests {

	private static final String CLIENT_OF_GRPC = "io.rpcboot.internal.client.connection.http2.Http2ClientConnection";

	private static final String SERVER_OF_GRPC = "io.rpcboot.internal.server.connection.http2.Http2ServerStream";

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void everyMethodOfTheSeam_isUsed_byEveryProtocol(Protocol protocol) throws Exception {
		boolean isNative = protocol == Protocol.NATIVE;
		Set<String> wanted = new TreeSet<>();
		add(wanted, ResponseSink.class, isNative ? BinaryServerStream.class : Class.forName(SERVER_OF_GRPC));
		add(wanted, CallTransport.class, isNative ? BinaryClientConnection.class : Class.forName(CLIENT_OF_GRPC));
		assertThat(wanted).hasSizeGreaterThan(10);
		ClassLoader parent = SeamIntegrationTests.class.getClassLoader();
		try (CountingClassLoader loader = new CountingClassLoader(parent, RpcContext.class, RpcServer.class)) {
			Object run = loader.loadClass(SeamRun.class.getName())
				.getConstructor(String.class)
				.newInstance(protocol.name());
			try {
				assertThat(((Callable<?>) run).call())
					.isEqualTo("1 1 1 100000 100000 100000 declared APPLICATION true true true");
				Eventually.until("all is used", () -> unused(wanted, loader).isEmpty());
			}
			finally {
				((AutoCloseable) run).close();
			}
		}
	}

	private static Set<String> unused(Set<String> wanted, CountingClassLoader loader) {
		Set<String> unused = new TreeSet<>(wanted);
		try {
			unused.removeAll(loader.executedMethods());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return unused;
	}

	/** Adds the methods of an interface, by the class that implements each of them. */
	private static void add(Set<String> all, Class<?> seam, Class<?> protocol) {
		for (Method method : seam.getMethods()) {
			if (!Modifier.isStatic(method.getModifiers())) {
				Class<?> own = protocol;
				while (!declares(own, method.getName())) {
					own = own.getSuperclass();
				}
				all.add(own.getName() + "." + method.getName());
			}
		}
	}

	private static boolean declares(Class<?> type, String method) {
		return Arrays.stream(type.getDeclaredMethods()).anyMatch((each) -> each.getName().equals(method));
	}

}
