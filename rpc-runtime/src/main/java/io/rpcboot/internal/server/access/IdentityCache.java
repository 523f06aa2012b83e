package io.rpcboot.internal.server.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;

import io.rpcboot.context.CallerIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Identities of credentials that were checked lately, by their SHA-256: the credentials
 * themselves are not kept. The least recently used ones make room. Any thread.
 */
final class IdentityCache {

	/** Maximum of identities: an entry takes some hundred bytes. */
	private static final int MAX_ENTRIES = 10_000;

	/** Longest time for which an answer holds, so that a withdrawn token ends soon. */
	private static final Duration MAX_AGE = Duration.ofSeconds(60);

	private final InstantSource clock;

	private final Map<ByteBuffer, Known> known = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Entry<ByteBuffer, Known> eldest) {
			return size() > MAX_ENTRIES;
		}

	};

	IdentityCache(InstantSource clock) {
		this.clock = clock;
	}

	private record Known(CallerIdentity identity, Instant until) {
	}

	/** Returns the key of a header. */
	static ByteBuffer key(String header) {
		try {
			return ByteBuffer
				.wrap(MessageDigest.getInstance("SHA-256").digest(header.getBytes(StandardCharsets.ISO_8859_1)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("each JVM has SHA-256", ex);
		}
	}

	/** Returns the identity of credentials, null if they have to be checked. */
	synchronized @Nullable CallerIdentity get(ByteBuffer key) {
		Known found = this.known.get(key);
		if (found == null) {
			return null;
		}
		if (this.clock.instant().isBefore(found.until)) {
			return found.identity;
		}
		this.known.remove(key);
		return null;
	}

	synchronized void put(ByteBuffer key, CallerIdentity identity) {
		Instant most = this.clock.instant().plus(MAX_AGE);
		this.known.put(key, new Known(identity, identity.expiresAt().isBefore(most) ? identity.expiresAt() : most));
	}

}
