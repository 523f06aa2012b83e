package io.rpcboot.hotpath;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** Calls that need all of the seam between calls and protocols. */
public interface SeamService {

	byte[] echo(byte[] body);

	CompletableFuture<byte[]> later(byte[] body);

	/** Never completes. */
	CompletableFuture<Void> hang();

	void fail(boolean declared) throws SeamException;

	@RpcMethod(oneWay = true)
	void tell(byte[] body);

	/** Declared exception. */
	class SeamException extends Exception {

		private static final long serialVersionUID = 1;

		public SeamException(String message) {
			super(message);
		}

	}

}
