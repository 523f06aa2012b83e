package io.rpcboot.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health of the irreplaceable threads of a server or a client. If one of them ends
 * although its owner was not closed, only a restart helps. Any thread.
 */
public final class EngineHealth {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private final SurvivedErrorLog log = new SurvivedErrorLog();

	private final List<Consumer<String>> listeners = new ArrayList<>();

	/** First failure; empty while there is none. */
	private volatile String failure = "";

	/**
	 * Returns the log of failures that did not end their thread.
	 * @return the log
	 */
	public SurvivedErrorLog log() {
		return this.log;
	}

	/**
	 * Records that an irreplaceable part of the engine has ended. Never throws.
	 * @param what its name
	 * @param cause null if it is unknown
	 */
	public void failed(String what, @Nullable Throwable cause) {
		try {
			String why = "%s has ended: %s".formatted(what, (cause != null) ? cause : "it was stopped from outside");
			logger.error("The RPC engine is broken and needs a restart: {}", why, cause);
			tell(why);
		}
		catch (Throwable ex) {
			tell(what); // first: the rest may fail
			this.log.survived("Engine broken", ex);
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
	 * Returns the first failure.
	 * @return what has ended and why; empty without a failure
	 */
	public String failure() {
		return this.failure;
	}

	/**
	 * Adds a listener for the first failure; notified at once if it has happened already.
	 * @param listener called once on the thread that ends; may block
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
