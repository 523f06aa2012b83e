package io.rpcboot.spring.observation;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** For calls in every style. */
public interface Things {

	String now(String word);

	CompletableFuture<String> later(String word);

	@RpcMethod(oneWay = true)
	void told(String word);

	String declared(String word) throws Declared;

	/** Declared. */
	class Declared extends Exception {

		private static final long serialVersionUID = 1L;

		public Declared(String message) {
			super(message);
		}

	}

}
