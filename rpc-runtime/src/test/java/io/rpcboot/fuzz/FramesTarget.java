package io.rpcboot.fuzz;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.server.fixture.EmbeddedServer;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;

/**
 * Sends bytes to a server: its frame decoder and all that stands behind it, up to the
 * application. The first byte of an input is the size of the reads in which the others
 * arrive, 0 for one read.
 */
public final class FramesTarget implements FuzzTarget {

	private static final int MAX_FRAME_SIZE = 64 * 1024;

	/** Buffers of the channel and answers to what was asked. */
	private static final int ANSWERS = 64;

	private static final long REPLY_BYTES = 1 << 20;

	private final Serializer serializer;

	private final EmbeddedServer server;

	public FramesTarget(Serializer serializer) {
		this.serializer = serializer;
		this.server = new EmbeddedServer(Map.of(KitchenSink.class, implementation(KitchenSink.class), Pantry.class,
				implementation(Pantry.class)), serializer, MAX_FRAME_SIZE);
	}

	private static Object implementation(Class<?> service) {
		Map<String, Object> results = Samples.results();
		InvocationHandler handler = (proxy, method, arguments) -> {
			if (method.getDeclaringClass() == Object.class) {
				return method.invoke(results, arguments);
			}
			if (method.getName().equals("text") && arguments[0] == null) {
				throw new IllegalStateException("no text");
			}
			if (method.getName().equals("node") && arguments[0] == null) {
				throw new KitchenSink.Refused("no node", 1);
			}
			Object result = (method.getReturnType() == long.class) ? 5L : results.get(method.getName());
			return (method.getReturnType() == CompletableFuture.class) ? CompletableFuture.completedFuture(result)
					: result;
		};
		return Proxy.newProxyInstance(service.getClassLoader(), new Class<?>[] { service }, handler);
	}

	@Override
	public void run(byte[] input) {
		if (input.length == 0) {
			return;
		}
		Bounds.check(ANSWERS * input.length, () -> connect(input));
		if (this.server.callsInFlight() != 0 || this.server.connections() != 0) {
			throw new AssertionError("%d calls and %d connections are left (expected: none)"
				.formatted(this.server.callsInFlight(), this.server.connections()));
		}
	}

	private void connect(byte[] input) {
		EmbeddedChannel channel = this.server.connect();
		int size = (input[0] == 0) ? input.length : Byte.toUnsignedInt(input[0]);
		List<ByteBuf> reads = new ArrayList<>();
		for (int i = 1; i < input.length && channel.isOpen(); i += size) {
			ByteBuf read = Unpooled.copiedBuffer(input, i, Math.min(size, input.length - i));
			reads.add(read);
			channel.writeInbound(read);
			channel.runPendingTasks();
		}
		channel.flush();
		requireFrames(channel);
		channel.close();
		channel.runPendingTasks();
		channel.checkException();
		channel.finishAndReleaseAll();
		if (reads.stream().anyMatch((read) -> read.refCnt() != 0)) {
			throw new AssertionError("a read buffer was not released");
		}
	}

	/** What the server answers is a preface and whole frames. */
	private static void requireFrames(EmbeddedChannel channel) {
		ByteBuf all = Unpooled.buffer();
		for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
			all.writeBytes(each);
			each.release();
		}
		if (!all.isReadable()) {
			return;
		}
		byte[] preface = new byte[Preface.LENGTH];
		all.readBytes(preface);
		Preface.check(preface, 0);
		while (all.isReadable()) {
			int length = all.readInt();
			int type = all.readUnsignedByte();
			all.skipBytes(FrameHeader.LENGTH - 5);
			if (type < FrameType.HELLO || type > FrameType.YIELD) {
				throw new AssertionError("frame type %d".formatted(type));
			}
			all.skipBytes(length);
		}
	}

	@Override
	public List<byte[]> seeds() {
		List<byte[]> seeds = new ArrayList<>();
		for (int size : new int[] { 0, 7 }) {
			ByteBuf out = Unpooled.buffer();
			out.writeByte(size);
			Preface.write(out);
			frame(out, FrameType.HELLO, 0, 0, 0,
					new Hello(MAX_FRAME_SIZE, List.of(this.serializer.name()), "fuzz", 8192).encode());
			frame(out, FrameType.WINDOW, 0, 0, 0, Window.encode(REPLY_BYTES));
			writeCalls(out);
			frame(out, FrameType.PING, 0, 0, 99, new byte[0]);
			frame(out, FrameType.NEED, 0, 0, MAX_FRAME_SIZE, new byte[0]);
			frame(out, FrameType.YIELD, 0, 0, MAX_FRAME_SIZE, new byte[0]);
			frame(out, FrameType.CANCEL, 0, 0, 1, new byte[0]);
			seeds.add(ByteBufUtil.getBytes(out));
			seeds.add(otherContract(size));
		}
		return seeds;
	}

	/** A client whose table the server does not know. */
	private byte[] otherContract(int size) {
		ServiceDescriptor service = ServiceDescriptor.of(Pantry.class);
		Contract own = this.serializer.codec(service).contract();
		Contract other = Contract.parse(own.text().replace(" size long", " size int").replace("HONEY", "SYRUP"));
		ByteBuf out = Unpooled.buffer();
		out.writeByte(size);
		Preface.write(out);
		frame(out, FrameType.HELLO, 0, 0, 0,
				new Hello(MAX_FRAME_SIZE, List.of(this.serializer.name()), "fuzz", 8192).encode());
		frame(out, FrameType.WINDOW, 0, 0, 0, Window.encode(REPLY_BYTES));
		frame(out, FrameType.BIND, 0, 9, 0, new Bind(service.methods().size(), other.hash(), List.of(own.hash()),
				service.id().toString(), this.serializer.name())
			.encode());
		frame(out, FrameType.REQUEST, 0, 9, 1, new byte[0]);
		frame(out, FrameType.REQUEST, FrameHeader.FLAG_DEADLINE, 10, 2, new byte[] { 0, 0, 9, 9, 8, 1 });
		frame(out, FrameType.CANCEL, 0, 0, 1, new byte[0]);
		frame(out, FrameType.CONTRACT, 0, 9, 0, other.text().getBytes(StandardCharsets.UTF_8));
		frame(out, FrameType.REQUEST, 0, 10, 3, new byte[] { 8, 7 });
		return ByteBufUtil.getBytes(out);
	}

	private void writeCalls(ByteBuf out) {
		ServiceDescriptor service = ServiceDescriptor.of(KitchenSink.class);
		ServiceCodec codec = this.serializer.codec(service);
		Bind bind = new Bind(service.methods().size(), codec.contract().hash(), List.of(), service.id().toString(),
				this.serializer.name());
		frame(out, FrameType.BIND, 0, 5, 0, bind.encode());
		Map<String, Object[]> arguments = Samples.arguments();
		service.methods().forEach((method) -> {
			OutputBuffer body = new OutputBuffer(new byte[64], MAX_FRAME_SIZE);
			codec.method(method.number()).serializeArguments(arguments.get(method.name()), body);
			frame(out, FrameType.REQUEST, 0, 5 + method.number(), method.number() + 1, body.toByteArray());
		});
		frame(out, FrameType.REQUEST, FrameHeader.FLAG_DEADLINE, 5, 100, new byte[] { 0, 0, 3, 4 });
		frame(out, FrameType.ONE_WAY, FrameHeader.FLAG_ATTACHMENTS, 6, 101, new byte[] { 0, 0 });
	}

	private static void frame(ByteBuf out, int type, int flags, int code, long callId, byte[] body) {
		FrameHeader.write(out, body.length, type, flags, code, callId);
		out.writeBytes(body);
	}

}
