package io.rpcboot.transport;

import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the connections of a server, a client or a reference: TLS 1.3 and 1.2.
 * Immutable. <pre>{@code
 * RpcServer.builder().tls(TlsOptions.of(keys, trusted).withClientAuth(ClientAuth.NEED))
 * RpcClient.builder().tls(TlsOptions.of(keys, trusted))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TlsOptions extends Options {

	private final @Nullable KeyManagerFactory keys;

	private final @Nullable TrustManagerFactory trusted;

	private Mode mode = Mode.REQUIRED;

	private ClientAuth clientAuth = ClientAuth.NONE;

	private Engine engine = Engine.AUTO;

	private List<String> protocols = List.of("TLSv1.3", "TLSv1.2");

	private List<String> ciphers = List.of();

	private String serverName = "";

	private String name = "default";

	private ClientMode clientMode = ClientMode.REQUIRED;

	private boolean verifiesApplication;

	private @Nullable SslContext context;

	private TlsOptions(@Nullable KeyManagerFactory keys, @Nullable TrustManagerFactory trusted) {
		this.keys = keys;
		this.trusted = trusted;
	}

	/** Traffic that the port of a server accepts. */
	public enum Mode {

		/** Clear text only. */
		DISABLED,

		/** Clear text and TLS, while clients migrate. */
		OPTIONAL,

		/** TLS only. */
		REQUIRED

	}

	/** Connections of a client that use TLS. */
	public enum ClientMode {

		/** All connections. */
		REQUIRED,

		/**
		 * Connections to instances that are registered with TLS, while servers migrate.
		 */
		REGISTRY

	}

	/** Demand of a server for certificates of its clients. */
	public enum ClientAuth {

		/** No certificate. */
		NONE,

		/** A certificate if the client has one, which then must be valid. */
		WANT,

		/** A valid certificate, also known as mutual TLS. */
		NEED

	}

	/** Implementation of TLS. */
	public enum Engine {

		/** OpenSSL if its library is present, else the JDK. */
		AUTO,

		/** The JDK. */
		JDK,

		/**
		 * OpenSSL or BoringSSL; start-up fails if {@code netty-tcnative} is not
		 * available.
		 */
		OPENSSL

	}

	/**
	 * Returns options with the key material of a side.
	 * @param keys own certificate with its key, initialized; null for none, which only a
	 * client may have
	 * @param trusted certificates of trusted authorities, initialized; null for those
	 * that this JVM trusts
	 * @return the options
	 */
	public static TlsOptions of(@Nullable KeyManagerFactory keys, @Nullable TrustManagerFactory trusted) {
		return new TlsOptions(keys, trusted);
	}

	/**
	 * Returns options with a context of Netty, which decides on everything but modes and
	 * names: certificates, engine, protocols, ciphers, ALPN and the check of host names.
	 * Nothing is known about its certificate.
	 * @param context for the side that uses the options
	 * @return the options
	 */
	public static TlsOptions of(SslContext context) {
		TlsOptions options = new TlsOptions(null, null);
		options.context = context;
		return options;
	}

	/**
	 * Returns the choice of clear text, for a reference of a client with TLS.
	 * @return options with {@link Mode#DISABLED}
	 */
	public static TlsOptions clearText() {
		return new TlsOptions(null, null).withMode(Mode.DISABLED);
	}

	/**
	 * Sets whether the port of a server also accepts clear text. A client uses clear text
	 * with {@link Mode#DISABLED}, and ignores other modes. Default:
	 * {@link Mode#REQUIRED}.
	 * @param mode the mode
	 * @return changed options
	 */
	public TlsOptions withMode(Mode mode) {
		return copy((changed) -> changed.mode = mode);
	}

	/**
	 * Sets whether a server asks clients for a certificate. A client ignores it. Default:
	 * {@link ClientAuth#NONE}.
	 * @param clientAuth the demand
	 * @return changed options
	 */
	public TlsOptions withClientAuth(ClientAuth clientAuth) {
		return copy((changed) -> changed.clientAuth = clientAuth);
	}

	/**
	 * Sets the implementation of TLS. Default: {@link Engine#AUTO}.
	 * @param engine the implementation
	 * @return changed options
	 */
	public TlsOptions withEngine(Engine engine) {
		return copy((changed) -> changed.engine = engine);
	}

	/**
	 * Sets the versions of TLS. Default: TLSv1.3 and TLSv1.2.
	 * @param protocols names as of the JDK, one or more
	 * @return changed options
	 * @throws InvalidOptionException if a version is older than TLSv1.2, or unknown
	 */
	public TlsOptions withProtocols(List<String> protocols) {
		require(!protocols.isEmpty() && List.of("TLSv1.3", "TLSv1.2").containsAll(protocols), "ssl.enabled-protocols",
				protocols, "TLSv1.3, TLSv1.2, or both");
		return copy((changed) -> changed.protocols = List.copyOf(protocols));
	}

	/**
	 * Sets the cipher suites. Default: those of the engine.
	 * @param ciphers names as of the JDK; empty for those of the engine
	 * @return changed options
	 */
	public TlsOptions withCiphers(List<String> ciphers) {
		return copy((changed) -> changed.ciphers = List.copyOf(ciphers));
	}

	/**
	 * Sets the host name that the certificate of a server has. A server registers it, so
	 * that clients check it in place of the advertised host. A client checks it for all
	 * instances, whatever they have registered. Clients also send it, so that a server
	 * may choose its certificate (SNI), and over gRPC as authority. Default: the host of
	 * the address that the client connects to, without {@code dns:}.
	 * @param name host name; empty for that of the address
	 * @return changed options
	 */
	public TlsOptions withServerName(String name) {
		return copy((changed) -> changed.serverName = name);
	}

	/**
	 * Sets which connections of a client use TLS. A server ignores it. Default:
	 * {@link ClientMode#REQUIRED}.
	 * @param mode the mode; {@code REGISTRY} only for references without addresses
	 * @return changed options
	 */
	public TlsOptions withClientMode(ClientMode mode) {
		return copy((changed) -> changed.clientMode = mode);
	}

	/**
	 * Sets whether a client calls an instance only if the certificate names its
	 * registered application: a DNS name or URI among the alternative names, or the
	 * common name, is equal to it. Instances without an application, for example of fixed
	 * addresses, are not verified. A server ignores it. Default: false.
	 * @param verifies true to verify the application
	 * @return changed options
	 */
	public TlsOptions withVerifyApplication(boolean verifies) {
		return copy((changed) -> changed.verifiesApplication = verifies);
	}

	/**
	 * Sets the name of these options in meters and messages, for example that of their
	 * bundle. Default: {@code default}.
	 * @param name the name, one of few
	 * @return changed options
	 */
	public TlsOptions withName(String name) {
		return copy((changed) -> changed.name = name);
	}

	/**
	 * Returns the own certificate with its key.
	 * @return null for none
	 */
	public @Nullable KeyManagerFactory keys() {
		return this.keys;
	}

	/**
	 * Returns the trusted authorities.
	 * @return null for those that this JVM trusts
	 */
	public @Nullable TrustManagerFactory trusted() {
		return this.trusted;
	}

	/**
	 * Returns whether the port of a server also accepts clear text.
	 * @return the mode
	 */
	public Mode mode() {
		return this.mode;
	}

	/**
	 * Returns whether a server asks clients for a certificate.
	 * @return the demand
	 */
	public ClientAuth clientAuth() {
		return this.clientAuth;
	}

	/**
	 * Returns the implementation of TLS.
	 * @return the implementation
	 */
	public Engine engine() {
		return this.engine;
	}

	/**
	 * Returns the versions of TLS.
	 * @return names as of the JDK
	 */
	public List<String> protocols() {
		return this.protocols;
	}

	/**
	 * Returns the cipher suites.
	 * @return names as of the JDK; empty for those of the engine
	 */
	public List<String> ciphers() {
		return this.ciphers;
	}

	/**
	 * Returns the host name that the certificate of a server has.
	 * @return host name; empty for that of the address
	 */
	public String serverName() {
		return this.serverName;
	}

	/**
	 * Returns the name in meters and messages.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns which connections of a client use TLS.
	 * @return the mode
	 */
	public ClientMode clientMode() {
		return this.clientMode;
	}

	/**
	 * Returns true if a client verifies the application of instances.
	 * @return false if any certificate for the host is accepted
	 */
	public boolean verifiesApplication() {
		return this.verifiesApplication;
	}

	/**
	 * Returns the context of Netty.
	 * @return null unless the options were made from one
	 */
	public @Nullable SslContext context() {
		return this.context;
	}

}
