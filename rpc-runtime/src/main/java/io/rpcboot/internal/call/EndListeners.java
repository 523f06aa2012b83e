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
 * Those who are told how one call has ended, each once. Thread-safe.
 *
 * @param <O> the outcome of a call
 */
public final class EndListeners<O> {

	private static final Logger logger = LoggerFactory.getLogger("rpc.engine");

	private final MethodDescriptor method;

	private final List<Consumer<O>> waiting = new ArrayList<>();

	/** Null while the call has no end. */
	private @Nullable O outcome;

	/**
	 * For a call that begins.
	 * @param method what is called, for messages
	 */
	public EndListeners(MethodDescriptor method) {
		this.method = method;
	}

	/**
	 * Add one.
	 * @param listener told by who ends the call; at once if it has its end
	 */
	public void add(Consumer<O> listener) {
		O known;
		synchronized (this.waiting) {
			known = this.outcome;
			if (known == null) {
				this.waiting.add(listener);
				return;
			}
		}
		tell(listener, known);
	}

	/**
	 * The call has ended. Does nothing the second time.
	 * @param how made once
	 */
	public void ended(Supplier<O> how) {
		List<Consumer<O>> told;
		O made;
		synchronized (this.waiting) {
			if (this.outcome != null) {
				return;
			}
			made = how.get();
			this.outcome = made;
			told = List.copyOf(this.waiting);
			this.waiting.clear();
		}
		told.forEach((each) -> tell(each, made));
	}

	private void tell(Consumer<O> listener, O how) {
		try {
			listener.accept(how);
		}
		catch (Throwable ex) { // whatever it throws, the call goes on
			logger.warn("A listener of {} has failed", this.method, ex);
		}
	}

}
