package io.rpcboot.internal.transport.tls;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import io.rpcboot.Endpoint;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.transport.tls.HandshakeLimit.Place;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.TlsInfo;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * TLS of a server, or of the connections of a client with one protocol. Handshakes use
 * the newest options. Any thread.
 */
public final class TlsContext {

	/** Name of the native protocol in ALPN. */
	public static final String NATIVE = "rpcboot/1";

	/** Name of HTTP/2 in ALPN, RFC 9113 section 3.2. */
	public static final String HTTP_2 = "h2";

	/** Name of HTTP/1.1 in ALPN. */
	private static final String HTTP_1 = "http/1.1";

	/**
	 * Connections with older options are replaced one after another within this time: 20
	 * of the 60 seconds that a renewal may take, which ends with the 30 seconds of
	 * MaxConnectionAge.
	 */
	private static final long RENEWAL_SPREAD_NANOS = TimeUnit.SECONDS.toNanos(20);

	/** Names of a certificate that are shown. */
	private static final int MOST_NAMES = 20;

	/** Handshakes of a server; null at a client. */
	private final @Nullable HandshakeLimit handshakes;

	private final List<String> protocols;

	private volatile Material material;

	private TlsContext(TlsOptions options, List<String> protocols, @Nullable HandshakeLimit handshakes) {
		this.handshakes = handshakes;
		this.protocols = protocols;
		this.material = create(options);
		warnOfValidity(Instant.now());
	}

	/**
	 * Warns of own certificates that no peer accepts now.
	 * {@code CertificateExpiryMonitor} tells those of a server that have expired.
	 */
	private void warnOfValidity(Instant now) {
		String side = (this.handshakes != null) ? "server" : "client";
		for (X509Certificate each : this.material.certificates) {
			boolean isLate = this.handshakes == null && now.isAfter(each.getNotAfter().toInstant());
			if (isLate || now.isBefore(each.getNotBefore().toInstant())) {
				LoggerFactory.getLogger((this.handshakes != null) ? "rpc.server" : "rpc.client")
					.warn("The certificate '{}' of the {} is valid from {} to {}, and not now: the other side refuses it"
							+ " (expected: a valid one in the SSL bundle '{}', or another time of the clock)",
							each.getSubjectX500Principal(), side, each.getNotBefore().toInstant(),
							each.getNotAfter().toInstant(), this.material.options.name());
			}
		}
	}

	/**
	 * Options of handshakes and what is made of them.
	 *
	 * @param options the options
	 * @param engine its implementation
	 * @param context made from the options
	 * @param certificates own certificates, that of the key first; empty without a key
	 */
	private record Material(TlsOptions options, SslProvider engine, SslContext context,
			List<X509Certificate> certificates) {
	}

	/**
	 * Returns the context of a server.
	 * @param speaksHttp1 true to offer HTTP/1.1 to clients that cannot speak HTTP/2
	 * @param mostHandshakes largest number of handshakes at the same time, 1 or more
	 * @param threads runs the computations of handshakes
	 * @return null without TLS
	 * @throws InvalidOptionException if TLS cannot be used with these options
	 */
	public static @Nullable TlsContext server(@Nullable TlsOptions options, boolean speaksHttp1, int mostHandshakes,
			Executor threads) {
		return (options != null && options.mode() != TlsOptions.Mode.DISABLED)
				? new TlsContext(options, speaksHttp1 ? List.of(NATIVE, HTTP_2, HTTP_1) : List.of(NATIVE, HTTP_2),
						new HandshakeLimit(mostHandshakes, threads, System::nanoTime))
				: null;
	}

	/**
	 * Returns the context of the connections of a client.
	 * @param protocol name of their protocol in ALPN
	 * @throws InvalidOptionException if TLS cannot be used with these options
	 */
	static TlsContext client(TlsOptions options, String protocol) {
		return new TlsContext(options, List.of(protocol), null);
	}

	/** Returns a random time after which a connection with older options is replaced. */
	public static long renewalPause() {
		return ThreadLocalRandom.current().nextLong(RENEWAL_SPREAD_NANOS);
	}

	/** Returns the identity in the certificate of the peer; anonymous without one. */
	public static CallerIdentity identity(SSLSession session) {
		try {
			return CallerIdentity
				.ofCertificates(Arrays.stream(session.getPeerCertificates()).map(X509Certificate.class::cast).toList());
		}
		catch (SSLPeerUnverifiedException ex) { // it has sent none
			return CallerIdentity.anonymous();
		}
	}

	/** Returns the options of handshakes that begin now. */
	public TlsOptions options() {
		return this.material.options;
	}

	/**
	 * Changes the options of handshakes that begin from now on.
	 * @throws InvalidOptionException if TLS cannot be used with these options, or a
	 * certificate of them is not valid now; nothing has changed then
	 */
	public void renew(TlsOptions options) {
		Material next = create(options);
		requireValid(next);
		this.material = next;
	}

	/**
	 * Rejects certificates that are not valid now.
	 * @throws InvalidOptionException if there is one
	 */
	void requireValid() {
		requireValid(this.material);
	}

	private static void requireValid(Material used) {
		for (X509Certificate each : used.certificates) {
			try {
				each.checkValidity();
			}
			catch (CertificateException ex) {
				throw InvalidOptionException.unusable("ssl.bundle",
						"the certificate of '%s' is valid from %s to %s, and not now".formatted(
								each.getSubjectX500Principal(), each.getNotBefore().toInstant(),
								each.getNotAfter().toInstant()),
						"Replace the certificate, or set the clock.", ex);
			}
		}
	}

	/**
	 * Returns the state for tools.
	 * @param clearText connections in clear text since the start, by application
	 */
	public TlsInfo describe(Map<String, Long> clearText) {
		Material now = this.material;
		List<X509Certificate> chain = now.certificates;
		return new TlsInfo(now.options.name(),
				((this.handshakes != null) ? now.options.mode() : now.options.clientMode()).name()
					.toLowerCase(Locale.ROOT),
				(now.engine == SslProvider.JDK) ? TlsOptions.Engine.JDK : TlsOptions.Engine.OPENSSL,
				chain.isEmpty() ? "" : chain.get(0).getSubjectX500Principal().getName(),
				chain.isEmpty() ? List.of() : CertificateNames.of(chain.get(0)).stream().limit(MOST_NAMES).toList(),
				chain.stream().map((each) -> each.getNotBefore().toInstant()).max(Instant::compareTo).orElse(null),
				chain.stream().map((each) -> each.getNotAfter().toInstant()).min(Instant::compareTo).orElse(null),
				clearText);
	}

	/**
	 * Registers the time until the first of the own certificates expires, if it is known.
	 */
	public void offer(GaugeRegistrations gauges, InstantSource clock) {
		if (!this.material.certificates.isEmpty()) {
			gauges.offer((this.handshakes != null) ? Gauge.SERVER_CERTIFICATE_EXPIRY : Gauge.CLIENT_CERTIFICATE_EXPIRY,
					options().name(), () -> {
						Instant end = describe(Map.of()).notAfter();
						return (end != null) ? Options.nanos(Duration.between(clock.instant(), end)) : 0;
					});
		}
	}

	private Material create(TlsOptions options) {
		boolean isServer = this.handshakes != null;
		SslContext given = options.context();
		if (given != null) {
			String side = isServer ? "server" : "client";
			Options.require(given.isServer() == isServer, "ssl.context",
					given.isServer() ? "of a server" : "of a client", "one of SslContextBuilder for a " + side);
			return new Material(options,
					(given instanceof ReferenceCountedOpenSslContext) ? SslProvider.OPENSSL : SslProvider.JDK, given,
					List.of());
		}
		if (isServer && options.keys() == null) {
			throw InvalidOptionException.unusable("ssl.bundle", "has no key",
					"Set ssl.bundle to a bundle with a certificate and its private key, which a server needs.", null);
		}
		Trust.of(options).require(isServer);
		SslProvider engine = engine(options.engine());
		SslContextBuilder builder = isServer ? SslContextBuilder.forServer(options.keys())
				: SslContextBuilder.forClient().keyManager(options.keys()).endpointIdentificationAlgorithm("HTTPS");
		builder.trustManager(options.trusted())
			.sslProvider(engine)
			.protocols(options.protocols())
			.ciphers(options.ciphers().isEmpty() ? null : options.ciphers())
			.applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
					SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, this.protocols));
		if (isServer) {
			builder.clientAuth(io.netty.handler.ssl.ClientAuth.valueOf(switch (options.clientAuth()) {
				case NONE -> "NONE";
				case WANT -> "OPTIONAL";
				case NEED -> "REQUIRE";
			}));
		}
		try {
			SslContext context = builder.build();
			// else a wrong cipher would fail each handshake
			ReferenceCountUtil.release(context.newEngine(ByteBufAllocator.DEFAULT));
			List<X509Certificate> own = (options.keys() != null) ? TrialHandshake.certificates(options, engine)
					: List.of();
			if (isServer && !options.serverName().isEmpty()) {
				Options.require(CertificateNames.isFor(options.serverName(), own.get(0)), "ssl.server-name",
						options.serverName(), "a name in the certificate: " + CertificateNames.of(own.get(0)));
			}
			return new Material(options, engine, context, own);
		}
		catch (SSLException | DecoderException | IllegalArgumentException ex) {
			KeyManagerFactory keys = options.keys();
			if (keys != null && !OwnKey.fits(keys)) {
				throw InvalidOptionException.unusable("ssl.bundle",
						"cannot be used for TLS: the private key does not belong to the certificate",
						"Set ssl.bundle to a bundle with the private key of its certificate.", ex);
			}
			throw InvalidOptionException.unusable("ssl.bundle", "cannot be used for TLS: " + TlsFailureText.of(ex),
					"Set ssl.bundle to a bundle whose key and certificates fit, and whose protocols and ciphers this JVM knows.",
					ex);
		}
	}

	private static SslProvider engine(TlsOptions.Engine engine) {
		boolean isOpenSsl = switch (engine) {
			case JDK -> false;
			case OPENSSL -> true;
			case AUTO -> OpenSsl.isAvailable();
		};
		if (isOpenSsl && !OpenSsl.isAvailable()) {
			throw InvalidOptionException.unusable("ssl.engine",
					"openssl is not available: " + TlsFailureText.of(OpenSsl.unavailabilityCause()),
					"Set ssl.engine to jdk or auto, or add io.netty:netty-tcnative-boringssl-static with the classifier of this platform.",
					null);
		}
		return isOpenSsl ? SslProvider.OPENSSL : SslProvider.JDK;
	}

	/**
	 * TLS of the connections to one server.
	 *
	 * @param context the context
	 * @param serverName host name that the certificate must have; empty for the host of
	 * the address
	 * @param application application that the certificate must name; empty for any
	 */
	public record Target(TlsContext context, String serverName, String application) {

		/**
		 * Adds TLS as the last handlers of an outgoing connection. The failure of a
		 * handshake arrives at the next handler as an exception. The caller limits the
		 * time of the handshake.
		 * @param server address of the server
		 */
		public void connect(Channel channel, Endpoint server) {
			Material now = this.context.material;
			String host = withoutRoot(this.serverName.isEmpty() ? server.host() : this.serverName);
			SslHandler handler = whole(now.context.newHandler(channel.alloc(), host, server.port()));
			handler.setHandshakeTimeoutMillis(0);
			channel.pipeline().addLast(handler, TlsHandshake.ofClient(host, this.application));
		}

		/** Names in certificates and SNI have no dot at the end, RFC 6066 section 3. */
		private static String withoutRoot(String host) {
			return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
		}

	}

	/**
	 * Adds TLS of a server before a handler of an accepted connection, now or when the
	 * handshake has a place. The caller limits the time of the handshake. Event loop of
	 * the channel only.
	 * @param before name of the handler
	 * @param network network of the client, which shares a turn
	 * @param begun called when TLS takes the received bytes
	 * @param failed gets the reason if the handshake fails
	 */
	public void accept(Channel channel, String before, String network, Runnable begun, Consumer<String> failed) {
		TlsHandshake handshake = TlsHandshake.ofServer(failed);
		Place place = Objects.requireNonNull(this.handshakes).enter(network, channel.eventLoop(), (own) -> {
			if (!channel.isActive()) {
				own.abandon();
				return;
			}
			SslHandler handler = whole(new ServerTlsHandler(this.material.context.newEngine(channel.alloc()), own));
			handler.handshakeFuture().addListener((ended) -> {
				if (ended.isSuccess()) {
					own.leave();
				}
				else {
					own.abandon();
				}
			});
			handler.setHandshakeTimeoutMillis(0);
			channel.pipeline().addBefore(before, null, handler).addBefore(before, null, handshake);
			begun.run();
		}, handshake::refuse);
		if (channel.pipeline().context(handshake) == null) {
			channel.closeFuture().addListener((closed) -> place.abandon());
		}
	}

	/**
	 * Lets a handler encrypt each write as a whole: records of 16 KiB in one buffer. By
	 * default it slices a write into 16 KiB first and allocates a buffer for each.
	 */
	private static SslHandler whole(SslHandler handler) {
		handler.setWrapDataSize(0);
		return handler;
	}

}
