package io.rpcboot.internal.server.call;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.rpcboot.RpcException;
import io.rpcboot.internal.text.PrintableText;
import org.jspecify.annotations.Nullable;

/** Causes of exceptions that methods throw. */
final class ThrownCauses {

	/** Bound for causes that refer to each other. */
	private static final int MAX_DEPTH = 20;

	/** Longest text of a declared exception, in characters. */
	private static final int MAX_TEXT = 2_000;

	private ThrownCauses() {
	}

	/**
	 * Returns the exception with which a call is answered, from inside of the wrappers of
	 * futures and proxies. The wrapper of an application hides its cause, unless the
	 * deadline has passed and the cause is a nested call.
	 * @return null if the exception is not for the caller
	 */
	static @Nullable RpcException answer(@Nullable Throwable thrown, boolean late) {
		Throwable each = thrown;
		boolean isBare = true;
		for (int depth = 0; each != null && depth < MAX_DEPTH; depth++) {
			if (each instanceof RpcException found) {
				return (isBare || (late && found.calledMethod() != null)) ? found : null;
			}
			isBare &= isWrapper(each);
			each = each.getCause();
		}
		return null;
	}

	/** Returns an exception without the wrappers of futures and proxies. */
	static @Nullable Throwable bare(@Nullable Throwable thrown) {
		Throwable each = thrown;
		for (int depth = 0; each != null && isWrapper(each) && each.getCause() != null && depth < MAX_DEPTH; depth++) {
			each = each.getCause();
		}
		return each;
	}

	private static boolean isWrapper(Throwable thrown) {
		return thrown instanceof CompletionException || thrown instanceof ExecutionException
				|| thrown instanceof UndeclaredThrowableException;
	}

	/** Returns simple name and text of a declared exception. */
	static String text(Throwable thrown) {
		String text = thrown.getMessage();
		String name = thrown.getClass().getSimpleName();
		return (text == null || text.isEmpty()) ? name : PrintableText.of(name + ": " + text, MAX_TEXT);
	}

	/**
	 * Returns true if an exception of a cancelled call only says that it is cancelled.
	 */
	static boolean isOfCancellation(@Nullable Throwable thrown) {
		Throwable each = thrown;
		for (int depth = 0; each != null && depth < MAX_DEPTH; depth++) {
			if (each instanceof CancellationException || each instanceof InterruptedException
					|| each instanceof RpcException || GrpcStatusAnswer.isStatus(each)) {
				return true;
			}
			each = each.getCause();
		}
		return false;
	}

}
