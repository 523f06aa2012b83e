package io.rpcboot.engine.call;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Byte arrays that are read where they end up, whoever reads the rest of the message. */
@Timeout(120)
public class DetachedBytesIntegrationTests {

	private static final int[] SIZES = { 8191, 8192, 9000, 16 * 1024, 65_536, 300_000, 3_000_000 };

	private final Archive archive = new Archive();

	private static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	@ParameterizedTest
	@CsvSource({ "POOL, POOL, false", "EVENT_LOOP, EVENT_LOOP, false", "POOL, EVENT_LOOP, true",
			"EVENT_LOOP, POOL, true" })
	void byteArrays_arriveIntact_withEachDispatchAndCallbackThread(Dispatch dispatch, CallbackThread callbacks,
			boolean intercepted) throws Exception {
		RpcServerBuilder builder = RpcServer.builder().port(0).dispatch(dispatch);
		if (intercepted) {
			builder.interceptor(new Early()).interceptor(ServerInvocation::proceed);
		}
		try (RpcServer server = builder.service(Documents.class, this.archive).start();
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).callbacks(callbacks).build()) {
			assertServes(client.reference(Documents.class, ReferenceStates.at(server)));
		}
	}

	/** JSON has no bytes as they are, so its messages are read in one piece. */
	@Test
	void byteArrays_arriveIntact_withJson() throws Exception {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.serializers(new ProtostuffSerializer(), new JacksonSerializer())
			.service(Documents.class, this.archive)
			.start();
				RpcClient client = RpcClient.builder()
					.serializer(new JacksonSerializer())
					.timeout(Duration.ofSeconds(20))
					.build()) {
			assertServes(client.reference(Documents.class, ReferenceStates.at(server)));
		}
	}

	private void assertServes(Documents documents) throws Exception {
		List<String> replies = new ArrayList<>();
		CallOptions options = CallOptions.with("tenant", "acme").onReply((reply) -> replies.add(reply.get("size")));
		for (int size : SIZES) {
			byte[] bytes = bytes(size);
			assertThat(documents.echo(bytes)).as("%d bytes", size).isEqualTo(bytes);
			assertThat(options.call(() -> documents.echo(bytes))).as("%d bytes, attachments", size).isEqualTo(bytes);
			CompletableFuture<byte[]> later = documents.echoLater(bytes);
			Arrays.fill(bytes, (byte) 7); // what was passed is the caller's again
			assertThat(later.get(10, TimeUnit.SECONDS)).as("%d bytes, later", size).isEqualTo(bytes(size));
			Document document = new Document("a", bytes(9000), bytes(size), 5);
			Document turned = documents.turn(document);
			assertThat(turned.first()).isEqualTo(bytes(size));
			assertThat(turned.second()).isEqualTo(bytes(9000));
			assertThat(turned.number()).isEqualTo(5);
			documents.keep("n" + size, bytes(size));
			assertThat(this.archive.kept.poll(10, TimeUnit.SECONDS)).isEqualTo(bytes(size));
			assertThatExceptionOfType(Refused.class).isThrownBy(() -> documents.refuse(bytes(size)))
				.satisfies((refused) -> assertThat(refused.content).isEqualTo(bytes(size)));
		}
		assertThat(replies).hasSize(SIZES.length).contains("8191", "3000000");
	}

	@Test
	void byteArrays_arriveIntact_withConcurrentCalls() throws Exception {
		try (RpcServer server = RpcServer.builder().port(0).service(Documents.class, this.archive).start();
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Documents documents = client.reference(Documents.class, ReferenceStates.at(server));
			try (Load load = new Load(16, (number) -> {
				byte[] bytes = new byte[(int) (8000 + (number * 7919) % 90_000)];
				Arrays.fill(bytes, (byte) number);
				byte[] result = documents.echo(bytes);
				if (!Arrays.equals(bytes, result)) {
					throw new AssertionError("call " + number);
				}
			})) {
				Eventually.until("calls", () -> load.succeeded() > 3000 || !load.failures().isEmpty());
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	@Test
	void wrongPlace_failsOnlyItsCall() throws IOException {
		try (RpcServer server = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
				Peer peer = new Peer(server.port())) {
			RawCalls.bind(peer);
			MethodCodec codec = new ProtostuffSerializer().codec(ServiceDescriptor.of(Calls.class)).method(echo());
			byte[] bytes = bytes(10_000);
			OutputBuffer out = new OutputBuffer(new byte[64], 1 << 20);
			codec.serializeArguments(new Object[] { bytes }, out);
			byte[] body = out.toByteArray();
			peer.placed(FrameType.place(9000, 1), FrameType.REQUEST, 0, echo(), 1, body);
			assertThat(peer.read(FrameType.RESPONSE).code()).isEqualTo(RpcStatus.INVALID_ARGUMENT.code());
			peer.placed(FrameType.place(10_000, 0), FrameType.REQUEST, 0, echo(), 2, body);
			Received answer = peer.read(FrameType.RESPONSE);
			assertThat(answer.code()).isZero();
			assertThat(codec.deserializeResult(answer.body(), 0, answer.body().length)).isEqualTo(bytes);
		}
	}

	/** Where the value is to be, no attachments are read, nor bytes that follow them. */
	@Test
	void placeWithinAttachments_isRefused() throws IOException {
		try (RpcServer server = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();
				Peer peer = new Peer(server.port())) {
			RawCalls.bind(peer);
			byte[] body = new byte[20_000];
			body[0] = (byte) 0x20; // attachments of 8,192 bytes
			peer.placed(FrameType.place(19_990, 8), FrameType.REQUEST, FrameHeader.FLAG_ATTACHMENTS, echo(), 1, body);
			assertThat(peer.read(FrameType.RESPONSE).code()).isEqualTo(RpcStatus.INVALID_ARGUMENT.code());
			RawCalls.call(peer, "add", 2, 5000, 1, 2);
			assertThat(peer.read(FrameType.RESPONSE).callId()).isEqualTo(2);
		}
	}

	private static int echo() {
		return ServiceDescriptor.of(Calls.class)
			.methods()
			.stream()
			.filter((each) -> each.name().equals("echo"))
			.findFirst()
			.orElseThrow()
			.number();
	}

	/** Before the arguments are read, so that they are read by somebody else. */
	private static final class Early implements RpcServerInterceptor {

		@Override
		public Object intercept(ServerInvocation invocation) throws Throwable {
			return invocation.proceed();
		}

		@Override
		public Position position() {
			return Position.BEFORE_ARGUMENTS;
		}

	}

	public interface Documents {

		byte[] echo(byte[] content);

		CompletableFuture<byte[]> echoLater(byte[] content);

		Document turn(Document document);

		@RpcMethod(oneWay = true)
		void keep(String name, byte[] content);

		void refuse(byte[] content) throws Refused;

	}

	public record Document(String name, byte[] first, byte[] second, int number) {
	}

	@SuppressWarnings("serial") // it travels otherwise
	public static final class Refused extends Exception {

		private final byte[] content;

		Refused(String message, byte[] content) {
			super(message);
			this.content = content;
		}

	}

	public static final class Archive implements Documents {

		private final BlockingQueue<byte[]> kept = new LinkedBlockingQueue<>();

		@Override
		public byte[] echo(byte[] content) {
			RpcContext.current().replyAttachments().put("size", String.valueOf(content.length));
			return content;
		}

		@Override
		public CompletableFuture<byte[]> echoLater(byte[] content) {
			return CompletableFuture.completedFuture(content);
		}

		@Override
		public Document turn(Document document) {
			return new Document(document.name(), document.second(), document.first(), document.number());
		}

		@Override
		public void keep(String name, byte[] content) {
			this.kept.add(content);
		}

		@Override
		public void refuse(byte[] content) throws Refused {
			throw new Refused("no", content);
		}

	}

}
