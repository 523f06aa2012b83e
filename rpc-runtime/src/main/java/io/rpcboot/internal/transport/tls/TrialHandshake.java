package io.rpcboot.internal.transport.tls;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLException;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.rpcboot.transport.TlsOptions;

/**
 * Handshake of this process with itself. Proves that a key fits its certificate, the
 * protocols and the ciphers, which building a context does not, and shows the
 * certificates that a peer gets. Trusts all of them.
 */
final class TrialHandshake {

	private TrialHandshake() {
	}

	/**
	 * Returns the certificates that a peer gets, that of the key first.
	 * @param options have a key
	 * @throws SSLException if no handshake is possible with the key
	 */
	static List<X509Certificate> certificates(TlsOptions options, SslProvider provider) throws SSLException {
		SslContext server = SslContextBuilder.forServer(options.keys())
			.sslProvider(provider)
			.protocols(options.protocols())
			.ciphers(options.ciphers().isEmpty() ? null : options.ciphers())
			.build();
		SslContext client = SslContextBuilder.forClient()
			.sslProvider(provider)
			.protocols(options.protocols())
			.ciphers(options.ciphers().isEmpty() ? null : options.ciphers())
			.trustManager(InsecureTrustManagerFactory.INSTANCE)
			.endpointIdentificationAlgorithm(null)
			.build();
		EmbeddedChannel accepted = new EmbeddedChannel();
		EmbeddedChannel connected = new EmbeddedChannel();
		try {
			accepted.pipeline().addLast(server.newHandler(accepted.alloc()));
			SslHandler handler = client.newHandler(connected.alloc());
			connected.pipeline().addLast(handler);
			boolean moved = true;
			while (moved) {
				moved = move(connected, accepted);
				moved |= move(accepted, connected);
			}
			List<X509Certificate> result = new ArrayList<>();
			for (Certificate each : handler.engine().getSession().getPeerCertificates()) {
				result.add((X509Certificate) each);
			}
			return result;
		}
		finally {
			accepted.close();
			accepted.releaseOutbound();
			connected.close();
			connected.releaseOutbound();
		}
	}

	/** Moves bytes from one side to the other; returns false if there are none. */
	private static boolean move(EmbeddedChannel from, EmbeddedChannel to) {
		boolean moved = false;
		Object bytes = from.readOutbound();
		while (bytes != null) {
			moved = true;
			to.writeInbound(bytes);
			bytes = from.readOutbound();
		}
		return moved;
	}

}
