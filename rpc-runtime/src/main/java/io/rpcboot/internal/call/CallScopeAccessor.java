package io.rpcboot.internal.call;

import io.micrometer.context.ThreadLocalAccessor;
import io.rpcboot.internal.context.CurrentTask;
import org.jspecify.annotations.Nullable;

/**
 * Accessor of the served call and the call options of a thread for Micrometer's context
 * propagation, which carries both to other threads. That library finds the class by the
 * service loader.
 */
public final class CallScopeAccessor implements ThreadLocalAccessor<Object> {

	private static final String KEY = "io.rpcboot.call";

	/** Creates an accessor. Called by the service loader. */
	public CallScopeAccessor() {
	}

	@Override
	public Object key() {
		return KEY;
	}

	/** Returns null if the calling thread serves no call and has no options. */
	@Override
	public @Nullable Object getValue() {
		return CurrentTask.current();
	}

	@Override
	public void setValue(Object carried) {
		CurrentTask.carry(carried);
	}

	@Override
	public void setValue() {
		CurrentTask.restore(null);
	}

}
