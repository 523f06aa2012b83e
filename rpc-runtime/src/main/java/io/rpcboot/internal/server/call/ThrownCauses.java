package io.rpcboot.internal.server.call;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.rpcboot.RpcException;
import org.jspecify.annotations.Nullable;

/** Causes of exceptions that methods throw. */
final class ThrownCauses {

	/** Bound for causes that refer to each other. */
	private static final int MAX_DEPTH = 20;

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
			isBare &= each instanceof CompletionException || each instanceof ExecutionException
					|| each instanceof UndeclaredThrowableException;
			each = each.getCause();
		}
		return null;
	}

	/**
	 * Returns true if an exception of a cancelled call only says that it is cancelled.
	 */
	static boolean isOfCancellation(@Nullable Throwable thrown) {
		Throwable each = thrown;
		for (int depth = 0; each != null && depth < MAX_DEPTH; depth++) {
			if (each instanceof CancellationException || each instanceof InterruptedException
					|| each instanceof RpcException) {
				return true;
			}
			each = each.getCause();
		}
		return false;
	}

}
