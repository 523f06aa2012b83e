package io.rpcboot.engine.access;

import io.rpcboot.RpcMethod;

/** Service whose methods differ in who may call them. */
public interface Guarded {

	/** Name of the caller. */
	String caller();

	/** As {@link #caller()}, on the event loop. */
	@RpcMethod(nonBlocking = true)
	String callerOnLoop(byte[] any);

	/** As {@link #caller()}, on the event loop. */
	@RpcMethod(nonBlocking = true)
	String callerAtOnce();

	/** Names of the caller at the begin and at the end of a call that waits. */
	String callerTwice();

	/** Method for few. */
	String open(Document document);

	/** Argument that tells when it is read. */
	record Document(String title) {

		public Document {
			GuardedImpl.READ.incrementAndGet();
		}

	}

}
