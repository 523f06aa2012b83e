package io.rpcboot.serialization;

/**
 * A 128-bit hash of a contract.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record ContractHash(long high, long low) {

	@Override
	public String toString() {
		return "%016x%016x".formatted(this.high, this.low);
	}

}
