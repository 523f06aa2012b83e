package io.rpcboot.engine.stream;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcCallback;
import io.rpcboot.RpcMethod;
import reactor.core.publisher.Mono;

/** Service of the tests whose methods call back. */
public interface Reports {

	String plain(String text);

	Report build(String id, @RpcCallback Progress progress);

	CompletableFuture<Report> later(@RpcCallback Progress progress, String id);

	/** As {@link #build}, for callers that do not wait. */
	CompletableFuture<Report> background(String id, @RpcCallback Progress progress);

	Mono<Report> reactive(String id, @RpcCallback Progress progress);

	void nothing(@RpcCallback Progress progress);

	int both(@RpcCallback Progress first, @RpcCallback Names second) throws NoNameException;

	/** Result of a method. */
	record Report(String id, List<Integer> steps) {
	}

	/** Callback of the tests. */
	interface Progress {

		void percent(int done);

		boolean goOn(String step);

		byte[] data(byte[] bytes);

		CompletableFuture<Integer> next(int number);

		Mono<Integer> nextMono(int number);

		@RpcMethod(timeout = "200ms")
		int hurried();

		default String twice(String step) {
			return goOn(step) + " " + goOn(step);
		}

	}

	/** Another callback, of which one method declares an exception. */
	interface Names {

		String name(int number) throws NoNameException;

	}

	/** Declared exception of a callback. */
	class NoNameException extends Exception {

		private static final long serialVersionUID = 1L;

		public NoNameException(String message) {
			super(message);
		}

	}

}
