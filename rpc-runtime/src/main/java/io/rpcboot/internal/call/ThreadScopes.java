package io.rpcboot.internal.call;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.interceptor.ThreadScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scopes that interceptors have added to one call. Any thread. */
public final class ThreadScopes {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	/** Replaced by each addition. */
	private volatile List<ThreadScope> scopes = List.of();

	public synchronized void add(ThreadScope scope) {
		List<ThreadScope> more = new ArrayList<>(this.scopes);
		more.add(scope);
		this.scopes = List.copyOf(more);
	}

	public boolean isEmpty() {
		return this.scopes.isEmpty();
	}

	/**
	 * Runs a task in all scopes; those that fail to open are logged and left out.
	 * @param scopes null for none
	 */
	public static void run(@Nullable ThreadScopes scopes, Runnable task) {
		if (scopes != null) {
			scopes.run(task);
		}
		else {
			task.run();
		}
	}

	private void run(Runnable task) {
		List<Runnable> opened = new ArrayList<>();
		for (ThreadScope each : this.scopes) {
			try {
				opened.add(each.open());
			}
			catch (RuntimeException | LinkageError ex) {
				failed(ex);
			}
		}
		try {
			task.run();
		}
		finally {
			for (int i = opened.size() - 1; i >= 0; i--) {
				close(opened.get(i));
			}
		}
	}

	private static void close(Runnable opened) {
		try {
			opened.run();
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
		}
	}

	private static void failed(Throwable ex) {
		logger.warn("A scope of an interceptor has failed", ex);
	}

}
