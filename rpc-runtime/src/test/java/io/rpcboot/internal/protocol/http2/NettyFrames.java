package io.rpcboot.internal.protocol.http2;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Netty's frames: writes random ones, and reads them as the lines of
 * {@link RecordedFrames}.
 */
final class NettyFrames extends Http2EventAdapter {

	private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelDuplexHandler());

	private final ChannelHandlerContext context = this.channel.pipeline().firstContext();

	private final DefaultHttp2FrameWriter writer = new DefaultHttp2FrameWriter();

	private final DefaultHttp2FrameReader reader = new DefaultHttp2FrameReader(NettyHpack.decoder());

	private final ByteBuf unread = Unpooled.buffer();

	final List<String> events = new ArrayList<>();

	/** Writes a frame, or HEADERS and their CONTINUATION. Returns its bytes. */
	byte[] write(Random random) throws Exception {
		int id = 1 + 2 * random.nextInt(1 << 20);
		int padding = random.nextInt(3) == 0 ? random.nextInt(257) : 0;
		boolean end = random.nextBoolean();
		switch (random.nextInt(11)) {
			case 0, 1 -> this.writer.writeData(this.context, id, payload(random), padding, end, promise());
			case 2, 3 -> this.writer.writeHeaders(this.context, id, headers(random), padding, end, promise());
			case 4 -> this.writer.writeHeaders(this.context, id, headers(random), 2 * random.nextInt(100),
					(short) (1 + random.nextInt(256)), random.nextBoolean(), padding, end, promise());
			case 5 -> this.writer.writePriority(this.context, id, 2 * random.nextInt(100), (short) 16, end, promise());
			case 6 -> this.writer.writeRstStream(this.context, id, random.nextInt(20), promise());
			case 7 -> {
				if (random.nextInt(4) == 0) {
					this.writer.writeSettingsAck(this.context, promise());
				}
				else {
					this.writer.writeSettings(this.context, settings(random), promise());
				}
			}
			case 8 -> this.writer.writePing(this.context, end, random.nextLong(), promise());
			case 9 -> {
				if (random.nextBoolean()) {
					this.writer.writeGoAway(this.context, random.nextInt(1 << 30), random.nextInt(20), payload(random),
							promise());
				}
				else {
					this.writer.writeFrame(this.context, (byte) (10 + random.nextInt(200)), id,
							new Http2Flags((short) random.nextInt(256)), payload(random), promise());
				}
			}
			default -> this.writer.writeWindowUpdate(this.context, (id - 1) * random.nextInt(2),
					1 + random.nextInt(Integer.MAX_VALUE), promise());
		}
		return written();
	}

	private ChannelPromise promise() {
		return this.context.newPromise();
	}

	private static ByteBuf payload(Random random) {
		byte[] bytes = new byte[random.nextInt(5) == 0 ? random.nextInt(16_000) : random.nextInt(60)];
		random.nextBytes(bytes);
		return Unpooled.wrappedBuffer(bytes);
	}

	private static Http2Headers headers(Random random) {
		Http2Headers headers = NettyHpack.headers(NettyHpack.fields(random, random.nextBoolean()));
		if (random.nextInt(10) == 0) {
			headers.add("x-long", "~".repeat(random.nextInt(60_000)));
		}
		return headers;
	}

	private static Http2Settings settings(Random random) {
		Http2Settings settings = new Http2Settings();
		if (random.nextBoolean()) {
			settings.headerTableSize(random.nextInt(10_000));
		}
		if (random.nextBoolean()) {
			settings.initialWindowSize(random.nextInt(Integer.MAX_VALUE));
		}
		if (random.nextBoolean()) {
			settings.maxConcurrentStreams(random.nextInt() & 0xffffffffL);
		}
		if (random.nextBoolean()) {
			settings.maxFrameSize(random.nextInt(16_384, 1 << 24));
		}
		return settings;
	}

	private byte[] written() {
		this.channel.flush();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (ByteBuf out = this.channel.readOutbound(); out != null; out = this.channel.readOutbound()) {
			bytes.writeBytes(ByteBufUtil.getBytes(out));
			out.release();
		}
		return bytes.toByteArray();
	}

	/** Reads bytes, and adds the frames that they complete to the events. */
	void read(byte[] bytes) throws Exception {
		this.unread.discardReadBytes().writeBytes(bytes);
		this.reader.readFrame(this.context, this.unread, this);
	}

	/** Adopts the size of the table that the peer was told. */
	void maxHeaderTableSize(long size) throws Exception {
		this.reader.configuration().headersConfiguration().maxHeaderTableSize(size);
	}

	void close() {
		this.reader.close();
		this.writer.close();
		this.channel.finishAndReleaseAll();
	}

	@Override
	public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean end) {
		this.events.add(RecordedFrames.data(streamId, ByteBufUtil.getBytes(data), padding, end));
		return 0;
	}

	@Override
	public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean end) {
		this.events.add(RecordedFrames.headers(streamId, NettyHpack.texts(headers), end));
	}

	@Override
	public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int dependency,
			short weight, boolean exclusive, int padding, boolean end) {
		onHeadersRead(ctx, streamId, headers, padding, end);
	}

	@Override
	public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
		this.events.add("RST_STREAM %d %d".formatted(streamId, errorCode));
	}

	@Override
	public void onSettingsAckRead(ChannelHandlerContext ctx) {
		this.events.add("SETTINGS ACK");
	}

	@Override
	public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
		TreeMap<Integer, Long> values = new TreeMap<>();
		settings.forEach((id, value) -> values.put((int) id, value));
		this.events.add("SETTINGS " + values);
	}

	@Override
	public void onPingRead(ChannelHandlerContext ctx, long data) {
		this.events.add("PING " + data);
	}

	@Override
	public void onPingAckRead(ChannelHandlerContext ctx, long data) {
		this.events.add("PING ACK " + data);
	}

	@Override
	public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData) {
		this.events.add(RecordedFrames.goAway(lastStreamId, errorCode, ByteBufUtil.getBytes(debugData)));
	}

	@Override
	public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment) {
		this.events.add("WINDOW_UPDATE %d %d".formatted(streamId, increment));
	}

}
