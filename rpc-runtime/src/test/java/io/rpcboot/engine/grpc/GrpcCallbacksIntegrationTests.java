package io.rpcboot.engine.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.netty.handler.codec.http2.Http2Error;
import io.rpcboot.RpcCallback;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;

import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Callbacks at clients of others, of which some are hostile. */
class GrpcCallbacksIntegrationTests extends AbstractGrpcEngine {

	private static final String PATH = "/io.rpcboot.engine.grpc.GrpcCallbacksIntegrationTests.Asks/";

	private final AsksImpl asks = new AsksImpl();

	/** Service of these tests. */
	public interface Asks {

		String sum(String id, @RpcCallback Numbers numbers);

		CompletableFuture<Integer> future(@RpcCallback Numbers numbers);

	}

	/** Callback of these tests. */
	public interface Numbers {

		int number(int index);

		CompletableFuture<Integer> later(int index);

	}

	/** Notes failures of the callback. */
	private static final class AsksImpl implements Asks {

		private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

		@Override
		public String sum(String id, Numbers numbers) {
			try {
				int sum = 0;
				for (int i = 0; i < 3; i++) {
					sum += numbers.number(i);
				}
				return id + sum;
			}
			catch (RuntimeException ex) {
				this.failures.add(ex);
				throw ex;
			}
		}

		@Override
		public CompletableFuture<Integer> future(Numbers numbers) {
			CompletableFuture<Integer> later = numbers.later(1);
			later.whenComplete((value, thrown) -> {
				if (thrown != null) {
					this.failures.add(thrown);
				}
			});
			return later.thenApply((value) -> value);
		}

	}

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().service(Asks.class, this.asks);
	}

	private static byte[] concat(byte[]... parts) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (byte[] each : parts) {
			all.writeBytes(each);
		}
		return all.toByteArray();
	}

	/** Reply with a number; the method {@code number} has 6, {@code later} 5. */
	private static byte[] reply(int callback, int id, int method, int value) {
		byte[] result = GrpcBytes.number(value);
		return GrpcBytes
			.message(GrpcBytes.field(callback, concat(GrpcBytes.number(id), GrpcBytes.field(method, result))));
	}

	private static void awaitCalls(GrpcExchange call, int count) {
		Eventually.until("calls of the callback", () -> GrpcBytes.messages(call.data()).size() == count);
	}

	private GrpcExchange sum(Http2Peer peer) {
		GrpcExchange call = peer.open(GrpcBytes.request(PATH + "Sum"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("sum ")), false);
		return call;
	}

	private RpcException failure() throws InterruptedException {
		return (RpcException) this.asks.failures.poll(20, TimeUnit.SECONDS);
	}

	@Test
	void clientOfOthers_answersCallsOfCallback() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = sum(peer);
		for (int i = 0; i < 3; i++) {
			awaitCalls(call, i + 1);
			peer.data(call, reply(2, i + 1, 6, 10 * i), false);
		}
		assertThat(call.await().status()).isZero();
		List<byte[]> messages = GrpcBytes.messages(call.data());
		assertThat(messages.get(1)).isEqualTo(new byte[] { 26, 6, 8, 2, 50, 2, 8, 1 });
		assertThat(messages.get(3)).isEqualTo(GrpcBytes.text("sum 30"));
	}

	@Test
	void unknownAndRepeatedReplies_areIgnored_andTakeNoMemory() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = sum(peer);
		awaitCalls(call, 1);
		for (int i = 100; i < 5_100; i++) {
			peer.data(call, reply(2, i, 6, 1), false);
		}
		for (int i = 0; i < 3; i++) {
			awaitCalls(call, i + 1);
			peer.data(call, reply(2, i + 1, 6, i), false);
			peer.data(call, reply(2, i + 1, 6, 1000), false);
		}
		assertThat(call.await().status()).isZero();
		assertThat(GrpcBytes.messages(call.data())).last().isEqualTo(GrpcBytes.text("sum 3"));
	}

	@Test
	void replyOfAnotherMethod_failsItsCall() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = sum(peer);
		awaitCalls(call, 1);
		peer.data(call, reply(2, 1, 5, 1), false);
		assertThat(failure()).hasMessageContaining("the reply is that of another method");
		assertThat(call.await().status()).isEqualTo(RpcStatus.UNAVAILABLE.code());
	}

	@Test
	void messageThatIsNoReply_failsCallsOfCallback() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = sum(peer);
		awaitCalls(call, 1);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("again")), false);
		assertThat(failure().status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
		call.await();
	}

	@Test
	void endOfReplies_failsCallsOfCallback() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = sum(peer);
		awaitCalls(call, 1);
		peer.data(call, new byte[0], true);
		assertThat(failure()).hasMessageContaining("the client has ended its replies");
		call.await();
	}

	@Test
	void clientThatNeverReplies_holdsNothing_onceItIsGone() throws Exception {
		Http2Peer peer = connect();
		for (int i = 0; i < 20; i++) {
			GrpcExchange future = peer.open(GrpcBytes.request(PATH + "Future"), false);
			peer.data(future, GrpcBytes.message(), false);
			awaitCalls(future, 1);
			GrpcExchange blocked = sum(peer);
			awaitCalls(blocked, 1);
			if (i % 2 == 0) {
				peer.reset(future, Http2Error.CANCEL);
				peer.reset(blocked, Http2Error.CANCEL);
				assertThat(failure().status()).isEqualTo(RpcStatus.CANCELLED);
				assertThat(failure().status()).isEqualTo(RpcStatus.CANCELLED);
			}
		}
		peer.close();
		for (int i = 0; i < 20; i++) {
			assertThat(failure().status()).isEqualTo(RpcStatus.CANCELLED);
		}
	}

	@Test
	void deadlineOfCall_endsCallOfCallback() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(PATH + "Sum").set("grpc-timeout", "200m"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("late ")), false);
		assertThat(failure().status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
	}

	@Test
	void clientOfConnect_answersCallsInJson() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(PATH + "Sum").set("content-type", "application/connect+json"),
				false);
		peer.data(call, json("{\"id\":\"json \"}"), false);
		for (int i = 0; i < 3; i++) {
			awaitCalls(call, i + 1);
			peer.data(call, json("{\"numbers\":{\"id\":\"%d\",\"number\":{\"value\":%d}}}".formatted(i + 1, i)), false);
		}
		Eventually.until("the end", () -> GrpcBytes.messages(call.data()).size() == 5);
		List<String> texts = GrpcBytes.messages(call.data())
			.stream()
			.map((each) -> new String(each, StandardCharsets.UTF_8))
			.toList();
		assertThat(texts).containsExactly("{\"numbers\":{\"id\":\"1\",\"number\":{}}}",
				"{\"numbers\":{\"id\":\"2\",\"number\":{\"index\":1}}}",
				"{\"numbers\":{\"id\":\"3\",\"number\":{\"index\":2}}}", "{\"value\":\"json 3\"}", "{}");
	}

	private static byte[] json(String text) {
		return GrpcBytes.message(text.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void unaryCallOfConnect_isToldThatTheMethodHasAStream() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(PATH + "Sum").set("content-type", "application/json"), false);
		peer.data(call, "{}".getBytes(StandardCharsets.UTF_8), true);
		Eventually.until("the answer", () -> new String(call.data(), StandardCharsets.UTF_8)
			.contains("expected: content-type application/connect+json"));
	}

	@Test
	void dispatchOnEventLoop_isRefused_ifCallbackBlocks() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(
				() -> RpcServer.builder().port(0).dispatch(Dispatch.EVENT_LOOP).service(Asks.class, this.asks).start())
			.withMessageContaining("because the method waits for its callback");
	}

	/** A service all of whose callbacks return futures. */
	public interface Eager {

		CompletableFuture<Integer> sum(@RpcCallback Later later);

	}

	/** Callback with a future. */
	public interface Later {

		CompletableFuture<Integer> later(int index);

	}

	@Test
	void callbackWithFutures_isCalledOnEventLoop() {
		Eager eager = (numbers) -> numbers.later(1).thenCombine(numbers.later(2), Integer::sum);
		try (RpcServer other = RpcServer.builder()
			.port(0)
			.dispatch(Dispatch.EVENT_LOOP)
			.service(Eager.class, eager)
			.start(); RpcClient client = RpcClient.builder().build()) {
			Eager remote = client.reference(Eager.class, ReferenceStates.at(other));
			assertThat(remote.sum((index) -> CompletableFuture.completedFuture(10 * index)).join()).isEqualTo(30);
		}
	}

}
