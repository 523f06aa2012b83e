package io.rpcboot.spring.autoconfigure.registry;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.rpcboot.registry.Registry;
import io.rpcboot.registry.snapshot.SnapshotOptions;
import io.rpcboot.registry.snapshot.SnapshotRegistry;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Snapshot;

import org.springframework.core.env.Environment;

/**
 * Decorates a registry with the snapshot file of the application, if a directory is set.
 */
final class SnapshotRegistryDecorator {

	private static final String PROPERTY = "rpc.registry.snapshot.directory";

	private static final int LONGEST_NAME = 64;

	private static final int HASH_BYTES = 4;

	private SnapshotRegistryDecorator() {
	}

	/**
	 * Rejects wrong properties, before a registry is created that would have to be
	 * closed.
	 */
	static void check(Snapshot properties) {
		if (!properties.directory().isBlank()) {
			options(properties, "", "");
		}
	}

	/**
	 * Returns the registry, decorated if a directory is set.
	 * @param source identity of the registry, so that environments have different files
	 */
	static Registry decorate(Registry registry, String source, Snapshot properties, Environment environment) {
		if (properties.directory().isBlank()) {
			return registry;
		}
		return new SnapshotRegistry(registry, options(properties, ApplicationName.of(environment), source));
	}

	private static SnapshotOptions options(Snapshot properties, String application, String source) {
		return SnapshotOptions.defaults(directory(properties).resolve(fileName(application, source)))
			.withSource(source)
			.withMaxAge(properties.maxAge())
			.withWaitForRegistry(properties.waitForRegistry());
	}

	private static Path directory(Snapshot properties) {
		try {
			return Path.of(properties.directory());
		}
		catch (InvalidPathException ex) {
			throw new InvalidPropertyException(PROPERTY, properties.directory(), "the path of a directory");
		}
	}

	/**
	 * Applications of one host have files of their own, and so has each registry of an
	 * application.
	 */
	static String fileName(String application, String source) {
		String name = application.isEmpty() ? "application" : application.replaceAll("[^A-Za-z0-9._-]", "_");
		return "%s-%s.snapshot".formatted(name.substring(0, Math.min(name.length(), LONGEST_NAME)),
				hash(application + "\n" + source));
	}

	private static String hash(String text) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

}
