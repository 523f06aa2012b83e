package io.rpcboot.internal.server.runtime;

/** Creates pools of call credits for tests of other packages. */
public final class CallCreditPools {

	private CallCreditPools() {
	}

	/** Returns a pool of which nothing is granted. */
	public static CallCreditPool of(long capacity, long maxPerConnection, long minPerConnection) {
		return new CallCreditPool(capacity, maxPerConnection, minPerConnection);
	}

}
