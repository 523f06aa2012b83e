package io.rpcboot.internal.transport.tls;

import java.util.List;
import java.util.concurrent.Executor;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;

/**
 * TLS of an accepted connection. Refuses renegotiation of TLS 1.2, with which a client
 * makes the server compute handshakes on one connection without end; TLS 1.3 has none.
 * The JDK can refuse it for the whole JVM only. Event loop only.
 */
final class ServerTlsHandler extends SslHandler {

	/** True after a handshake that the client may ask to repeat. */
	private boolean isRepeatable;

	/**
	 * Creates a handler.
	 * @param tasks runs the computations of the handshake
	 */
	ServerTlsHandler(SSLEngine engine, Executor tasks) {
		super(engine, false, tasks);
		handshakeFuture().addListener(
				(done) -> this.isRepeatable = done.isSuccess() && engine.getSession().getProtocol().equals("TLSv1.2"));
	}

	@Override
	protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws SSLException {
		super.decode(context, in, out);
		SSLEngine engine = engine();
		if (this.isRepeatable && engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
				&& !engine.isInboundDone() && !engine.isOutboundDone()) {
			this.isRepeatable = false;
			in.skipBytes(in.readableBytes());
			throw new SSLException("the client asks for another handshake (expected: one for each connection)");
		}
	}

}
