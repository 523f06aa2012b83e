package io.rpcboot.internal.client.call;

/** Why a call is sent again. */
public enum RedispatchReason {

	/** Its server has answered that it did not run it. */
	REFUSED,

	/**
	 * Its connection takes no more calls: the server goes away, or nobody names the
	 * instance any more.
	 */
	GO_AWAY,

	/** Its connection was lost before the call was written. */
	DISCONNECTED,

	/** It has failed and may have run, and its method is idempotent. */
	FAILED,

	/** It takes long, and goes to a second instance, too. */
	HEDGED

}
