package io.rpcboot.internal.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners of the end of one call, each called once. Any thread.
 *
 * @param <O> outcome of a call
 */
public final class EndListeners<O> {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private final MethodDescriptor method;

	private final List<Consumer<O>> listeners = new ArrayList<>();

	/** Null until the call ends. */
	private @Nullable O outcome;

	/**
	 * Creates an empty list.
	 * @param method called method, for messages
	 */
	public EndListeners(MethodDescriptor method) {
		this.method = method;
	}

	/**
	 * Adds a listener.
	 * @param listener called by the thread that ends the call; at once if it has ended
	 */
	public void add(Consumer<O> listener) {
		O known;
		synchronized (this.listeners) {
			known = this.outcome;
			if (known == null) {
				this.listeners.add(listener);
				return;
			}
		}
		notify(listener, known);
	}

	/**
	 * Ends the call and notifies the listeners. Does nothing the second time.
	 * @param how supplies the outcome, once
	 */
	public void ended(Supplier<O> how) {
		List<Consumer<O>> notified;
		O made;
		synchronized (this.listeners) {
			if (this.outcome != null) {
				return;
			}
			made = how.get();
			this.outcome = made;
			notified = List.copyOf(this.listeners);
			this.listeners.clear();
		}
		notified.forEach((each) -> notify(each, made));
	}

	private void notify(Consumer<O> listener, O how) {
		try {
			listener.accept(how);
		}
		catch (Throwable ex) { // a listener must not break the call
			logger.warn("Listener of {} failed", this.method, ex);
		}
	}

}
