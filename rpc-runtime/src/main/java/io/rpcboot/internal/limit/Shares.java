package io.rpcboot.internal.limit;

/**
 * Largest share of one user where several have a limit in common, so that one that hangs
 * leaves something to the others: three quarters, but one at least.
 *
 * <pre>most = max(1, limit - ceil(limit / 4))</pre>
 *
 * Example: of 200 threads a service has 150, of 2 calls one reference has 1.
 */
public final class Shares {

	private Shares() {
	}

	/** Returns the largest share of one user. */
	public static long most(long limit) {
		return Math.max(1, limit - (limit + 3) / 4);
	}

}
