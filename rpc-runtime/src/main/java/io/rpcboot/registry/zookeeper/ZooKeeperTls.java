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
 * How connections to ZooKeeper are encrypted: its client takes files. They are read again
 * at each connect. Immutable; says nothing of passwords.
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
	 * The defaults: certificates that this JVM trusts, no certificate of our own, and the
	 * server's certificate must name the host of the connect string.
	 * @return the options
	 */
	public static ZooKeeperTls defaults() {
		return new ZooKeeperTls();
	}

	/**
	 * Change whose certificates are trusted.
	 * @param file a key store of type PKCS12 or JKS
	 * @param password its password
	 * @return a copy
	 */
	public ZooKeeperTls withTrustStore(Path file, String password) {
		return copy(
				(changed) -> changed.trustStore = store("registry.zookeeper.ssl.trust-store", file, password, true));
	}

	/**
	 * Change what the client shows of itself.
	 * @param file a key store of type PKCS12 or JKS
	 * @param password its password, and that of its key
	 * @return a copy
	 */
	public ZooKeeperTls withKeyStore(Path file, String password) {
		return copy((changed) -> changed.keyStore = store("registry.zookeeper.ssl.key-store", file, password, false));
	}

	/**
	 * Change the versions of TLS.
	 * @param protocols such as {@code TLSv1.3}; none for ZooKeeper's own choice
	 * @return a copy
	 */
	public ZooKeeperTls withProtocols(List<String> protocols) {
		return copy((changed) -> changed.protocols = List.copyOf(protocols));
	}

	/**
	 * Change the cipher suites.
	 * @param ciphers their names; none for ZooKeeper's own choice
	 * @return a copy
	 */
	public ZooKeeperTls withCiphers(List<String> ciphers) {
		return copy((changed) -> changed.ciphers = List.copyOf(ciphers));
	}

	/** Say at the start what a connect would only write into a log. */
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

	/** A file with certificates, and perhaps a key. */
	record Store(Path file, String password, String type) {

		@Override
		public String toString() {
			return this.file.toString();
		}

	}

}
