package io.rpcboot.internal.transport;

/** What a frame decides right before it is written. */
public enum Admission {

	/** Write it now. */
	WRITE,
	/** It is no longer wanted. */
	SKIP,
	/** It may not go yet; ask again after {@link WriteQueue#resume()}. */
	HOLD

}
