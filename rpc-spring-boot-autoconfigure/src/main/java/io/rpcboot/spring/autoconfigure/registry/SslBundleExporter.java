package io.rpcboot.spring.autoconfigure.registry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

import io.rpcboot.registry.zookeeper.ZooKeeperTls;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;

/**
 * Exports an SSL bundle to key store files, because ZooKeeper's client reads only files,
 * at each connect. The files are readable for this user only, encrypted with a random
 * password of this process, rewritten when the bundle changes, and deleted at shutdown.
 */
final class SslBundleExporter implements AutoCloseable {

	private static final String PROPERTY = "rpc.registry.zookeeper.ssl.bundle";

	private static final int PASSWORD_BYTES = 24;

	private final String password;

	private final Path directory;

	private final ZooKeeperTls tls;

	/**
	 * Writes the files.
	 * @throws InvalidPropertyException if the bundle does not exist or has no
	 * certificates
	 */
	SslBundleExporter(String name, SslBundles bundles) {
		byte[] random = new byte[PASSWORD_BYTES];
		new SecureRandom().nextBytes(random);
		this.password = HexFormat.of().formatHex(random);
		if (!bundles.getBundleNames().contains(name)) {
			throw new InvalidPropertyException(PROPERTY, name, "the name of a bundle of spring.ssl.bundle");
		}
		try {
			// readable for this user only, if the file system has permissions
			this.directory = Files.createTempDirectory("rpc-zookeeper-tls");
			this.tls = write(bundles.getBundle(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(
					"%s: ZooKeeper's client needs files in java.io.tmpdir, which cannot be written".formatted(PROPERTY),
					ex);
		}
		bundles.addBundleUpdateHandler(name, this::update);
	}

	Path directory() {
		return this.directory;
	}

	ZooKeeperTls tls() {
		return this.tls;
	}

	private void update(SslBundle bundle) {
		try {
			write(bundle);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private ZooKeeperTls write(SslBundle bundle) throws IOException {
		ZooKeeperTls result = ZooKeeperTls.defaults();
		KeyStore trust = copy(bundle.getStores().getTrustStore(), null);
		if (trust != null) {
			result = result.withTrustStore(write("trust.p12", trust), this.password);
		}
		KeyStore key = copy(bundle.getStores().getKeyStore(), bundle);
		if (key != null) {
			result = result.withKeyStore(write("key.p12", key), this.password);
		}
		SslOptions options = bundle.getOptions();
		if (options.getEnabledProtocols() != null) {
			result = result.withProtocols(List.of(options.getEnabledProtocols()));
		}
		return (options.getCiphers() != null) ? result.withCiphers(List.of(options.getCiphers())) : result;
	}

	/**
	 * Returns a copy of a store: its certificates, or with a bundle its keys (one, if the
	 * bundle names it).
	 */
	private @Nullable KeyStore copy(@Nullable KeyStore store, @Nullable SslBundle keys) {
		if (store == null) {
			return null;
		}
		try {
			KeyStore copy = KeyStore.getInstance("PKCS12");
			copy.load(null, null);
			for (String alias : Collections.list(store.aliases())) {
				if (keys == null && store.getCertificate(alias) != null) {
					copy.setCertificateEntry(alias, store.getCertificate(alias));
				}
				else if (keys != null && store.isKeyEntry(alias) && isWanted(alias, keys.getKey().getAlias())) {
					copy.setKeyEntry(alias, store.getKey(alias, keyPassword(keys)), this.password.toCharArray(),
							store.getCertificateChain(alias));
				}
			}
			// an empty trust store trusts nothing and fails later; a missing key is
			// allowed
			return (keys == null || copy.size() > 0) ? copy : null;
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(PROPERTY + ": its stores cannot be read", ex);
		}
	}

	private static boolean isWanted(String alias, @Nullable String wanted) {
		return wanted == null || wanted.isEmpty() || wanted.equalsIgnoreCase(alias);
	}

	private static char @Nullable [] keyPassword(SslBundle bundle) {
		String own = bundle.getKey().getPassword();
		String password = (own != null) ? own : bundle.getStores().getKeyStorePassword();
		return (password != null) ? password.toCharArray() : null;
	}

	private Path write(String name, KeyStore store) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try {
			store.store(bytes, this.password.toCharArray());
		}
		catch (GeneralSecurityException ex) {
			throw new IOException(ex);
		}
		Path written = Files.createTempFile(this.directory, name, null);
		Files.write(written, bytes.toByteArray());
		return Files.move(written, this.directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
	}

	@Override
	public void close() throws IOException {
		for (String name : new String[] { "trust.p12", "key.p12" }) {
			Files.deleteIfExists(this.directory.resolve(name));
		}
		Files.deleteIfExists(this.directory);
	}

}
