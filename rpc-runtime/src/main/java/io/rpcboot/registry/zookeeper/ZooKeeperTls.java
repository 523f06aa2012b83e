package io.rpcboot.registry.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;

/**
 * TLS options of connections to ZooKeeper. ZooKeeper's client needs files, which it reads
 * again at each connect. Immutable; passwords are in no message. <pre>{@code
 * ZooKeeperSecurity.defaults()
 *     .withTls(ZooKeeperTls.defaults().withTrustStore(Path.of("zk-trust.p12"), password))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ZooKeeperTls extends Options {

	private static final String NETTY_CLASS = "io.netty.channel.epoll.Epoll";

	private @Nullable Store trustStore;

	private @Nullable Store keyStore;

	private List<String> protocols = List.of();

	private List<String> ciphers = List.of();

	private ZooKeeperTls() {
	}

	/**
	 * Returns the defaults: certificates that this JVM trusts, no client certificate, and
	 * verification of the host name.
	 * @return the options
	 */
	public static ZooKeeperTls defaults() {
		return new ZooKeeperTls();
	}

	/**
	 * Returns a copy with another trust store.
	 * @param file a key store of type PKCS12 or JKS
	 * @param password its password
	 * @return a copy
	 * @throws InvalidOptionException if it cannot be opened or has no certificate
	 */
	public ZooKeeperTls withTrustStore(Path file, String password) {
		return copy(
				(changed) -> changed.trustStore = store("registry.zookeeper.ssl.trust-store", file, password, true));
	}

	/**
	 * Returns a copy with another client certificate.
	 * @param file a key store of type PKCS12 or JKS
	 * @param password password of the store and of its key
	 * @return a copy
	 * @throws InvalidOptionException if it cannot be opened or has no key
	 */
	public ZooKeeperTls withKeyStore(Path file, String password) {
		return copy((changed) -> changed.keyStore = store("registry.zookeeper.ssl.key-store", file, password, false));
	}

	/**
	 * Returns a copy with other versions of TLS.
	 * @param protocols for example {@code TLSv1.3}; empty for the default of ZooKeeper
	 * @return a copy
	 */
	public ZooKeeperTls withProtocols(List<String> protocols) {
		return copy((changed) -> changed.protocols = List.copyOf(protocols));
	}

	/**
	 * Returns a copy with other cipher suites.
	 * @param ciphers their names; empty for the default of ZooKeeper
	 * @return a copy
	 */
	public ZooKeeperTls withCiphers(List<String> ciphers) {
		return copy((changed) -> changed.ciphers = List.copyOf(ciphers));
	}

	/** Fails at start-up; a connect would only log the missing class. */
	static void requireNetty() {
		try {
			Class.forName(NETTY_CLASS, false, ZooKeeperTls.class.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw InvalidOptionException.unusable("registry.zookeeper.ssl",
					"TLS needs ZooKeeper's Netty client, and %s is not on the class path".formatted(NETTY_CLASS),
					"Set up io.netty:netty-transport-classes-epoll and io.netty:netty-handler as dependencies, "
							+ "which io.rpcboot:rpc-runtime brings unless they are excluded.",
					ex);
		}
	}

	private static Store store(String name, Path file, String password, boolean trust) {
		require(Files.isReadable(file), name, file, "a file that this process may read");
		String expected = "a key store of type PKCS12 or JKS with " + (trust ? "trusted certificates" : "a key");
		try {
			KeyStore store = KeyStore.getInstance(file.toFile(), password.toCharArray());
			boolean useful = false;
			for (String alias : Collections.list(store.aliases())) {
				useful |= trust ? store.isCertificateEntry(alias) : store.isKeyEntry(alias);
			}
			require(useful, name, file, expected);
			return new Store(file, password, store.getType().toUpperCase(Locale.ROOT));
		}
		catch (IOException | GeneralSecurityException | IllegalArgumentException ex) {
			throw InvalidOptionException.unusable(name,
					"%s cannot be opened (expected: %s, and its password)".formatted(file, expected),
					"Set %s to %s, and its password.".formatted(name, expected), ex);
		}
	}

	@Nullable Store trustStore() {
		return this.trustStore;
	}

	@Nullable Store keyStore() {
		return this.keyStore;
	}

	List<String> protocols() {
		return this.protocols;
	}

	List<String> ciphers() {
		return this.ciphers;
	}

	/**
	 * Key store with certificates, and possibly a key.
	 *
	 * @param file the file
	 * @param password its password
	 * @param type PKCS12 or JKS
	 */
	record Store(Path file, String password, String type) {

		@Override
		public String toString() {
			return this.file.toString();
		}

	}

}
