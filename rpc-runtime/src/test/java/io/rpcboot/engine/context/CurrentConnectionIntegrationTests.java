package io.rpcboot.engine.context;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests the connection of the caller as implementations see it. */
@Tag("jdk25")
class CurrentConnectionIntegrationTests {

	/** Asks who calls. */
	public interface WhoCalls {

		String application();

		CompletableFuture<String> applicationLater();

		boolean isKnownToAThreadOfTheApplication();

		int countWithTheConnection();

	}

	private static final class WhoCallsImpl implements WhoCalls {

		@Override
		public String application() {
			RpcConnection connection = current();
			return (connection != null) ? connection.side() + " " + connection.application() : "nobody";
		}

		@Override
		public CompletableFuture<String> applicationLater() {
			return CompletableFuture.completedFuture(application());
		}

		@Override
		public boolean isKnownToAThreadOfTheApplication() {
			@Nullable RpcConnection[] seen = new @Nullable RpcConnection[1];
			Thread thread = new Thread(() -> seen[0] = current());
			thread.start();
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return seen[0] != null;
		}

		@Override
		public int countWithTheConnection() {
			RpcConnection connection = current();
			return (connection != null) ? (int) connection.attributes().merge("calls", 1, (a, b) -> (int) a + (int) b)
					: -1;
		}

	}

	@ParameterizedTest
	@EnumSource
	void currentConnection_identifiesCaller(Dispatch dispatch) throws ExecutionException, InterruptedException {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21);
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.dispatch(dispatch)
			.service(WhoCalls.class, new WhoCallsImpl())
			.start();
				RpcClient till = RpcClient.builder().applicationName("till").timeout(Duration.ofSeconds(20)).build();
				RpcClient shop = RpcClient.builder().applicationName("shop").timeout(Duration.ofSeconds(20)).build()) {
			WhoCalls fromTill = till.reference(WhoCalls.class, ReferenceStates.at(server));
			WhoCalls fromShop = shop.reference(WhoCalls.class, ReferenceStates.at(server));
			for (int i = 1; i <= 3; i++) {
				assertThat(fromTill.application()).isEqualTo(Side.SERVER + " till");
				assertThat(fromShop.applicationLater().get()).isEqualTo(Side.SERVER + " shop");
				assertThat(fromTill.isKnownToAThreadOfTheApplication()).isFalse();
				assertThat(fromTill.countWithTheConnection()).isEqualTo(i);
			}
			assertThat(fromShop.countWithTheConnection()).as("another connection").isOne();
		}
	}

	private static @Nullable RpcConnection current() {
		RpcContext context = RpcContext.current();
		return (context != null) ? context.connection() : null;
	}

	@Test
	void currentConnection_isNull_onOtherThreads() throws Exception {
		assertThat(current()).isNull();
		try (RpcServer server = RpcServer.builder().port(0).service(WhoCalls.class, new WhoCallsImpl()).start();
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			WhoCalls calls = client.reference(WhoCalls.class, ReferenceStates.at(server));
			CompletableFuture<Boolean> seen = calls.applicationLater().thenApply((answer) -> current() != null);
			assertThat(seen.get(10, TimeUnit.SECONDS)).isFalse();
		}
	}

}
