package io.rpcboot.spring.service;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Knowledge of whether a call has entered the implementation of its service. The
 * interceptor of the security context opens it on the threads of the call.
 *
 * @since 0.1.0
 */
public final class ServiceEntry {

	private static final ThreadLocal<@Nullable ServiceEntry> CURRENT = new ThreadLocal<>();

	/** True once a bean with a marker was called for the call. */
	private volatile boolean isMarked;

	/** True once the call may have entered an implementation; never false again. */
	private volatile boolean isEntered;

	/**
	 * Returns advice that notes the entry of a call, for the proxy of a service bean.
	 * @return stands behind the checks of method security that come first
	 */
	public static MethodInterceptor marker() {
		return new EntryMarker();
	}

	static @Nullable ServiceEntry current() {
		return CURRENT.get();
	}

	/**
	 * Makes this the entry of the calling thread.
	 * @return ends that
	 */
	public Runnable open() {
		ServiceEntry before = CURRENT.get();
		CURRENT.set(this);
		return () -> {
			if (before == null) {
				CURRENT.remove();
			}
			else {
				CURRENT.set(before);
			}
		};
	}

	/** Notes that the bean of the service is called next. */
	void begins(boolean marked) {
		this.isMarked = true;
		this.isEntered |= !marked;
	}

	/** Notes that the call has passed the checks in front of the implementation. */
	void entered() {
		this.isEntered = true;
	}

	/**
	 * Returns true if neither the body nor other advice than checks of method security
	 * was entered, as a marker proves.
	 * @return false if that is not known
	 */
	public boolean isRefusedBefore() {
		return this.isMarked && !this.isEntered;
	}

}
