package io.rpcboot.hostile;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A call that is over is gone, also while an older one is still pending. */
@Timeout(120)
class FinishedCallsIntegrationTests {

	private static final int BURSTS = 4;

	private static final int CALLS = 30_000;

	/** One in this many never ends in its burst. */
	private static final int LONG_ONES = 1000;

	/**
	 * What one burst may leave until the next deadline, such as calls that waited for a
	 * grant and are in the list of timeouts. Calls that stay reachable by their frames
	 * cost 8 MB more with each burst.
	 */
	private static final long TOLERANCE = 12 * 1024 * 1024;

	/** What is called. */
	public interface Echoes {

		CompletableFuture<byte[]> echo(byte[] bytes);

		CompletableFuture<byte[]> never(byte[] bytes);

	}

	/** Keeps what it must not answer yet. */
	static final class EchoesImpl implements Echoes {

		private final List<CompletableFuture<byte[]>> open = new ArrayList<>();

		@Override
		public CompletableFuture<byte[]> echo(byte[] bytes) {
			return CompletableFuture.completedFuture(bytes);
		}

		@Override
		public CompletableFuture<byte[]> never(byte[] bytes) {
			CompletableFuture<byte[]> result = new CompletableFuture<>();
			synchronized (this.open) {
				this.open.add(result);
			}
			return result;
		}

		int count() {
			synchronized (this.open) {
				return this.open.size();
			}
		}

		void answerAll() {
			synchronized (this.open) {
				this.open.forEach((each) -> each.complete(new byte[] { 7 }));
				this.open.clear();
			}
		}

	}

	@Test
	void liveHeap_staysFlat_whileOldCallsArePending() throws Exception {
		EchoesImpl implementation = new EchoesImpl();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Echoes.class, implementation)
			.start(); RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(100)).build()) {
			Echoes echoes = client.reference(Echoes.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
			answerEight(echoes, implementation);
			List<CompletableFuture<byte[]>> pending = new ArrayList<>();
			burst(echoes, pending);
			long before = liveHeap();
			List<Long> grown = new ArrayList<>();
			for (int i = 0; i < BURSTS; i++) {
				burst(echoes, pending);
				grown.add(liveHeap() - before);
			}
			assertThat(pending).noneMatch(CompletableFuture::isDone);
			assertThat(grown).as("bytes of the heap that each burst left behind")
				.allSatisfy((each) -> assertThat(each).isLessThan(TOLERANCE));
			implementation.answerAll();
			for (CompletableFuture<byte[]> each : pending) {
				assertThat(each.get(20, TimeUnit.SECONDS)).containsExactly(7);
			}
		}
	}

	/** Few calls of a method run before the size of its results is known. */
	private static void answerEight(Echoes echoes, EchoesImpl implementation) throws Exception {
		for (int i = 0; i < 8; i++) {
			CompletableFuture<byte[]> call = echoes.never(new byte[1]);
			Eventually.until("it runs", () -> implementation.count() == 1);
			implementation.answerAll();
			assertThat(call.get(20, TimeUnit.SECONDS)).containsExactly(7);
		}
	}

	/** All but the long ones are over when it returns. */
	private static void burst(Echoes echoes, List<CompletableFuture<byte[]>> pending) throws Exception {
		List<CompletableFuture<byte[]>> calls = new ArrayList<>(CALLS);
		for (int i = 0; i < CALLS; i++) {
			if (i % LONG_ONES == 0) {
				pending.add(echoes.never(new byte[100]));
			}
			calls.add(echoes.echo(new byte[100]));
		}
		for (CompletableFuture<byte[]> each : calls) {
			assertThat(each.get(60, TimeUnit.SECONDS).length).isEqualTo(100);
		}
	}

	private static long liveHeap() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 4; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

}
