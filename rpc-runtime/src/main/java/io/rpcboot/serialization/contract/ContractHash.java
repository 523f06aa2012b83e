package io.rpcboot.serialization.contract;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * 128-bit hash of a contract. Its text is 32 hexadecimal digits.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 * @since 0.1.0
 */
public record ContractHash(long high, long low) {

	/**
	 * Returns the hash of a contract: the first half of SHA-256 over its text.
	 * @param text text of the contract
	 * @return the hash
	 */
	public static ContractHash of(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			ByteBuffer words = ByteBuffer.wrap(digest);
			return new ContractHash(words.getLong(), words.getLong());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JDK has SHA-256", ex);
		}
	}

	/**
	 * Parses a hash.
	 * @param text result of {@link #toString()}
	 * @return the hash
	 * @throws ContractException if the text has not 32 hexadecimal digits
	 */
	public static ContractHash parse(String text) {
		if (!text.matches("[0-9a-f]{32}")) {
			throw new ContractException("hash", text, "32 hexadecimal digits");
		}
		return new ContractHash(Long.parseUnsignedLong(text.substring(0, 16), 16),
				Long.parseUnsignedLong(text.substring(16), 16));
	}

	@Override
	public String toString() {
		return "%016x%016x".formatted(this.high, this.low);
	}

}
