package io.rpcboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.rpcboot.RpcException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;

import static org.assertj.core.api.Assertions.assertThat;

/** One of two instances stands still; the other has room. */
@Timeout(60)
class FrozenInstanceIntegrationTests {

	private static final int CALLS = 3000;

	/** What a server grants at first; one that stands still grants no more. */
	private static final int FIRST_GRANT = 64;

	@Test
	void onlyCallsThatWereSentToItFail() throws Exception {
		try (ServerProcess frozen = new ServerProcess("", 0);
				RpcServer other = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(3))
					.connectionsPerEndpoint(1)
					.build()) {
			Calls calls = client.reference(Calls.class, References.at(frozen.port(), other.port()));
			Eventually.until("both are connected", () -> References.ready(client) == 2);
			frozen.suspend(true);
			List<CompletableFuture<byte[]>> futures = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				futures.add(calls.echoLater(new byte[] { (byte) i }));
			}
			int failed = 0;
			for (int i = 0; i < CALLS; i++) {
				failed += fails(futures.get(i), (byte) i) ? 1 : 0;
			}
			assertThat(failed).as("calls that failed").isBetween(1, FIRST_GRANT);
			Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
		}
	}

	private static boolean fails(CompletableFuture<byte[]> future, byte expected) {
		try {
			assertThat(future.join()).containsExactly(expected);
			return false;
		}
		catch (CompletionException ex) {
			assertThat(ex.getCause()).isInstanceOfSatisfying(RpcException.class,
					(failure) -> assertThat(failure.mayHaveExecuted()).as(failure.getMessage()).isTrue());
			return true;
		}
	}

}
