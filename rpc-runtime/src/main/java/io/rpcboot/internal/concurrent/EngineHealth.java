package io.rpcboot.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the threads of a server or a client that nothing replaces are alive. What has
 * ended, although nobody closed its owner, is never mended: only a restart helps. Any
 * thread.
 */
public final class EngineHealth {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private final SurvivedErrorLog log = new SurvivedErrorLog();

	private final List<Consumer<String>> listeners = new ArrayList<>();

	/** The first failure; empty while there is none. */
	private volatile String failure = "";

	/**
	 * Where failures go that a thread has survived.
	 * @return the log
	 */
	public SurvivedErrorLog log() {
		return this.log;
	}

	/**
	 * Something has ended that the engine cannot live without. Never throws.
	 * @param what its name
	 * @param cause why, null if that is not known
	 */
	public void failed(String what, @Nullable Throwable cause) {
		try {
			String why = "%s has ended: %s".formatted(what, (cause != null) ? cause : "it was stopped from outside");
			logger.error("The RPC engine is broken and needs a restart: {}", why, cause);
			tell(why);
		}
		catch (Throwable ex) {
			this.log.survived("Engine broken", ex);
			tell(what);
		}
	}

	private void tell(String why) {
		List<Consumer<String>> told;
		synchronized (this) {
			if (!this.failure.isEmpty()) {
				return;
			}
			this.failure = why;
			told = this.listeners;
		}
		told.forEach((listener) -> tell(listener, why));
	}

	private void tell(Consumer<String> listener, String why) {
		try {
			listener.accept(why);
		}
		catch (Throwable ex) {
			this.log.survived("Listener of failures", ex);
		}
	}

	/**
	 * The first failure.
	 * @return what has ended and why; empty while all is well
	 */
	public String failure() {
		return this.failure;
	}

	/**
	 * Tell someone of the first failure, once; at once if it has happened already.
	 * @param listener called on the thread that ends; may take its time
	 */
	public void onFailure(Consumer<String> listener) {
		synchronized (this) {
			if (this.failure.isEmpty()) {
				this.listeners.add(listener);
				return;
			}
		}
		tell(listener, this.failure);
	}

}
