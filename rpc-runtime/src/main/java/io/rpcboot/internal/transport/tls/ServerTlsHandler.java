package io.rpcboot.internal.transport.tls;

import java.util.List;
import java.util.concurrent.Executor;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;

/**
 * TLS of an accepted connection. Ends a connection whose client makes the engine of the
 * JDK compute keys again and again: by renegotiation in TLS 1.2, which the JDK refuses
 * for the whole JVM only, or by key updates in TLS 1.3, each of which costs as much as a
 * hundred small records. BoringSSL limits both. Event loop only.
 */
final class ServerTlsHandler extends SslHandler {

	private static final String TLS_1_2 = "TLSv1.2";

	/** Type of a record with an alert, RFC 8446, section 5.1. */
	private static final int ALERT = 21;

	/** Length of a record with an alert in clear text: its header, level, description. */
	private static final int ALERT_LENGTH = 7;

	/** Alerts of a side that ends the connection, RFC 8446, section 6.1. */
	private static final int CLOSE_NOTIFY = 0;

	private static final int USER_CANCELED = 90;

	/** Cost of a record without data; a record with data gives back 1. */
	private static final int COST = 16;

	private static final int MOST_COST = 100 * COST;

	/** Protocol after the handshake, empty before it and if nothing is limited. */
	private String protocol = "";

	/** True if the current record has data. */
	private boolean hasData;

	/** Cost of the records without data so far. */
	private int cost;

	/**
	 * Creates a handler.
	 * @param tasks runs the computations of the handshake
	 */
	ServerTlsHandler(SSLEngine engine, Executor tasks) {
		super(engine, false, tasks);
		if (!(engine instanceof ReferenceCountedOpenSslEngine)) {
			handshakeFuture().addListener((done) -> {
				if (done.isSuccess()) {
					limit(((Channel) done.getNow()).pipeline());
				}
			});
		}
	}

	private void limit(ChannelPipeline pipeline) {
		this.protocol = engine().getSession().getProtocol();
		if (!this.protocol.equals(TLS_1_2)) {
			pipeline.addAfter(pipeline.context(this).name(), null, new ChannelInboundHandlerAdapter() {
				@Override
				public void channelRead(ChannelHandlerContext context, Object message) {
					ServerTlsHandler.this.hasData = true;
					context.fireChannelRead(message);
				}
			});
		}
	}

	@Override
	protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws SSLException {
		if (!handshakeFuture().isDone() && isEnd(in)) {
			in.skipBytes(in.readableBytes());
			context.close();
			return;
		}
		int before = in.readableBytes();
		this.hasData = false;
		super.decode(context, in, out);
		if (in.readableBytes() < before && !this.protocol.isEmpty() && computesAgain()) {
			this.protocol = "";
			in.skipBytes(in.readableBytes());
			throw new SSLException("the client asks for other keys again and again (expected: one handshake)");
		}
	}

	/**
	 * Returns true for an alert in clear text by which the client ends the connection.
	 * The engine may expect encrypted records already, and take it for a broken one.
	 */
	private static boolean isEnd(ByteBuf in) {
		int start = in.readerIndex();
		if (in.readableBytes() < ALERT_LENGTH || in.getByte(start) != ALERT || in.getUnsignedShort(start + 3) != 2) {
			return false;
		}
		int description = in.getUnsignedByte(start + ALERT_LENGTH - 1);
		return description == CLOSE_NOTIFY || description == USER_CANCELED;
	}

	/** Drops the failure of a computation that outlives its connection. */
	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
		if (!context.isRemoved()) {
			super.exceptionCaught(context, cause);
		}
	}

	/** Returns true if the last record made the engine compute too much. */
	private boolean computesAgain() {
		SSLEngine engine = engine();
		if (this.protocol.equals(TLS_1_2)) {
			return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING && !engine.isInboundDone()
					&& !engine.isOutboundDone();
		}
		this.cost = this.hasData ? Math.max(0, this.cost - 1) : this.cost + COST;
		return this.cost > MOST_COST;
	}

}
