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
 * Puts the snapshot of an application beside its registry, if there is a place for it.
 */
final class SnapshotRegistryDecorator {

	private static final String PROPERTY = "rpc.registry.snapshot.directory";

	private static final int LONGEST_NAME = 64;

	private static final int HASH_BYTES = 4;

	private SnapshotRegistryDecorator() {
	}

	/**
	 * What can be refused is, before there is a registry that would have to be closed.
	 */
	static void check(Snapshot properties) {
		if (!properties.directory().isBlank()) {
			options(properties, "", "");
		}
	}

	/**
	 * The registry, with its file if a directory is named.
	 * @param source what its lists are from, which tells environments apart
	 */
	static Registry beside(Registry registry, String source, Snapshot properties, Environment environment) {
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
