package io.rpcboot.engine.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Heads that arrive slowly: each has a minute, whatever a part of it is. */
class HttpSlowHeadsIntegrationTests extends AbstractHttpEngine {

	private static final String BEHIND = "POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nContent-Length: 0\r\n\r\n";

	/** Sends letters until the connection ends. Returns the seconds. */
	private static int trickle(HttpPeer peer) {
		try {
			for (int i = 0; i < 75; i++) {
				Thread.sleep(1000);
				peer.send("a");
			}
			return 75;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		catch (RuntimeException ex) {
			return 0;
		}
	}

	@Test
	void slowHead_ends_inRequestLineAndInField() throws Exception {
		HttpPeer line = connect();
		line.send(BEHIND).read();
		line.send("POST /");
		HttpPeer field = connect();
		field.send(BEHIND).read();
		field.send("POST / HTTP/1.1\r\nHost: ");
		HttpPeer idle = connect();
		idle.send(BEHIND).read();
		idle.send("\r\n");
		CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> trickle(line), (task) -> new Thread(task).start());
		CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> trickle(field), (task) -> new Thread(task).start());
		CompletableFuture<String> third = CompletableFuture.supplyAsync(() -> {
			try {
				Thread.sleep(25_000);
				idle.send("\r\n");
				Thread.sleep(25_000);
				idle.send("\r\n");
				Thread.sleep(12_000);
				return idle.read().toString();
			}
			catch (Exception ex) {
				return ex.toString();
			}
		}, (task) -> new Thread(task).start());
		assertThat(second).isCompletedWithValue(0);
		assertThat(first).isCompletedWithValue(0);
	}

}
