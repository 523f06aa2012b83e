package io.rpcboot.internal.call;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.rpcboot.context.RpcContext;

/** Context of a served call to which interceptors may have added scopes. */
public interface ScopedContext extends RpcContext {

	/** Runs a task in the scopes of the call. Any thread. */
	void inScopes(Runnable task);

	@Override
	default Runnable wrap(Runnable task) {
		Runnable carried = RpcContext.super.wrap(task);
		return () -> inScopes(carried);
	}

	@Override
	default <T> Callable<T> wrap(Callable<T> task) {
		Callable<T> carried = RpcContext.super.wrap(task);
		return () -> {
			FutureTask<T> run = new FutureTask<>(carried);
			inScopes(run);
			try {
				return run.get();
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof Error error) {
					throw error;
				}
				throw (ex.getCause() instanceof Exception cause) ? cause : ex;
			}
		};
	}

}
