package io.rpcboot.internal.transport.tls;

import java.security.cert.CertificateExpiredException;
import java.time.Instant;
import java.util.function.Consumer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.jspecify.annotations.Nullable;

import io.rpcboot.context.CallerIdentity;

/**
 * Waits for the end of a TLS handshake, and removes itself with the first bytes after a
 * good one: in TLS 1.3 the server refuses the certificate of a client that has ended its
 * handshake. Reports a failure once, and hides the exceptions that follow it. Event loop
 * only.
 */
final class TlsHandshake extends ChannelInboundHandlerAdapter {

	/** Name that the certificate of the server must have; null at a server. */
	private final @Nullable String host;

	/** Application that the certificate of the server must name; empty for any. */
	private final String application;

	/** Gets the reason of a failure; null for an exception to the next handler. */
	private final @Nullable Consumer<String> failed;

	private boolean hasSucceeded;

	private boolean hasFailed;

	private TlsHandshake(@Nullable String host, String application, @Nullable Consumer<String> failed) {
		this.host = host;
		this.application = application;
		this.failed = failed;
	}

	static TlsHandshake ofClient(String host, String application) {
		return new TlsHandshake(host, application, null);
	}

	static TlsHandshake ofServer(Consumer<String> failed) {
		return new TlsHandshake(null, "", failed);
	}

	/**
	 * Ends the handshake of a client, unless it has ended.
	 * @param reason reason of the failure
	 */
	void refuse(String reason) {
		if (!this.hasSucceeded && !this.hasFailed && this.failed != null) {
			this.hasFailed = true;
			this.failed.accept(reason);
		}
	}

	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		if (event instanceof SslHandshakeCompletionEvent end) {
			if (!end.isSuccess()) {
				fail(context, end.cause());
				return;
			}
			this.hasSucceeded = true;
			if (this.host == null) {
				verifyEnd(context);
			}
			if (!this.application.isEmpty()) {
				verifyApplication(context);
			}
		}
	}

	/**
	 * Checks the time of the certificate that a client needs: a resumed session may be
	 * older than its end.
	 */
	private void verifyEnd(ChannelHandlerContext context) {
		SslHandler handler = context.pipeline().get(SslHandler.class);
		if (handler == null) { // closed meanwhile
			return;
		}
		SSLEngine engine = handler.engine();
		CallerIdentity client = TlsContext.identity(engine.getSession());
		if (engine.getNeedClientAuth() && !Instant.now().isBefore(client.expiresAt())) {
			engine.getSession().invalidate();
			fail(context, new CertificateExpiredException(
					"the certificate of the resumed session has ended at " + client.expiresAt()));
			context.close();
		}
	}

	/** Checks the certificate before bytes of this side are encrypted. */
	private void verifyApplication(ChannelHandlerContext context) {
		try {
			CertificateNames.requireApplication(this.application,
					context.pipeline().get(SslHandler.class).engine().getSession());
		}
		catch (SSLException ex) {
			fail(context, ex);
			context.close();
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (this.hasFailed) { // they came with the end of the handshake
			ReferenceCountUtil.release(message);
			return;
		}
		context.pipeline().remove(this); // first: the message may close the connection
		context.fireChannelRead(message);
	}

	private void fail(ChannelHandlerContext context, Throwable cause) {
		if (this.hasFailed) {
			return;
		}
		this.hasFailed = true;
		if (this.host == null && TlsFailureText.isClosed(cause)) {
			context.close();
			return;
		}
		String reason = (this.host != null) ? TlsFailureText.ofClient(cause, this.host)
				: TlsFailureText.ofServer(cause);
		if (this.failed != null) {
			this.failed.accept(reason);
		}
		else {
			context.fireExceptionCaught(new SSLException(reason, cause));
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		fail(context, cause);
	}

}
