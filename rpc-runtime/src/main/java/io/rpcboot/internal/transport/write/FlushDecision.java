package io.rpcboot.internal.transport.write;

/** What a batch does in mode AUTO that has found the queue empty. */
public enum FlushDecision {

	/** It leaves, because rounds have brought nothing of late. */
	GO,

	/** It waits a round, because rounds have brought frames. */
	WAIT,

	/** It waits a round to see whether rounds bring frames now. */
	PROBE

}
