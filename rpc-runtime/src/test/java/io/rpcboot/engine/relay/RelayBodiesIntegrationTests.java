package io.rpcboot.engine.relay;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies that go through a relay, and the memory that they take there. */
class RelayBodiesIntegrationTests extends AbstractRelayEngine {

	private static final int LARGE = 10 * 1024 * 1024;

	/** Memory of one direction of a stream: its window, and a frame on its way. */
	private static final int MOST = 100 * 1024;

	private long mostIncoming() {
		return this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) + this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING);
	}

	/** The relay has less memory than a body takes. */
	@Test
	void largeBodies_passThroughSmallMemory_bothWays() throws Exception {
		RpcServer server = atEnd(serverBuilder().maxFrameSize(16 * 1024 * 1024).start());
		RpcRelay relay = relay(RpcServer.builder()
			.maxFrameSize(64 * 1024)
			.memory(MemoryOptions.defaults().withLimit(9L * 1024 * 1024)), toCalls(ReferenceStates.at(server)));
		Calls calls = calls(relay);
		byte[] body = new byte[LARGE];
		ThreadLocalRandom.current().nextBytes(body);
		AtomicLong most = new AtomicLong();
		AtomicBoolean ended = new AtomicBoolean();
		Thread watch = new Thread(() -> {
			while (!ended.get()) {
				most.accumulateAndGet(mostIncoming(), Math::max);
			}
		});
		watch.start();
		for (int i = 0; i < 3; i++) {
			assertThat(calls.echo(body)).isEqualTo(body);
		}
		ended.set(true);
		watch.join();
		assertThat(most.get()).isLessThan(2 * MOST);
	}

	@Test
	void slowReader_keepsWindowOnly_andDelaysNobody() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		Http2Peer slow = peer(relay).withoutWindows();
		GrpcExchange call = slow.call("Grow", GrpcBytes.number(3_000_000));
		Eventually.until("the window is used up",
				() -> call.lengths.stream().mapToInt(Integer::intValue).sum() >= 65_535);
		Eventually.until("bytes wait in the relay", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) > 40_000);
		assertThat(this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING)).isLessThan(MOST);
		assertThat(calls(relay).greet("x")).isEqualTo("hello x");
		slow.close();
		Eventually.until("nothing waits", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) == 0);
	}

	@Test
	void requestWaits_forServerThatGivesNoWindow() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		Http2Peer peer = peer(relay);
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path("Echo")), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.field(1, new byte[300_000])), true);
		assertThat(call.result()).hasSize(300_000);
		assertThat(call.await().lengths).allMatch((each) -> each <= 16_384);
	}

	@Test
	void smallCalls_holdNothing_afterTheirEnd() throws Exception {
		Calls calls = calls(relay(toCalls(ReferenceStates.at(server()))));
		for (int i = 0; i < 300; i++) {
			assertThat(calls.echoLater(new byte[i * 100]).get(20, TimeUnit.SECONDS)).hasSize(i * 100);
		}
		Eventually.until("nothing is held", () -> mostIncoming() == 0);
	}

}
