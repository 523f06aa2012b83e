package io.rpcboot.spring.security;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/**
 * Publishes events of Spring Security on a thread of its own: at most one a second for
 * each caller and rule, and for each kind of failed check, so that strangers cannot flood
 * listeners. Never blocks. Any thread.
 */
final class SecurityEvents implements AutoCloseable {

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Maximum of callers and rules whose last event is known. */
	private static final int MAX_KEYS = 1_000;

	private static final int MAX_WAITING = 100;

	private final AuthenticationEventPublisher authentications;

	private final AuthorizationEventPublisher authorizations;

	private final LongSupplier nanoTime;

	private final ThreadPoolExecutor thread = new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(MAX_WAITING), SecurityEvents::thread, new ThreadPoolExecutor.DiscardPolicy());

	/** Times of the last events. */
	private final Map<Object, Long> last = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Entry<Object, Long> eldest) {
			return size() > MAX_KEYS;
		}

	};

	SecurityEvents(AuthenticationEventPublisher authentications, AuthorizationEventPublisher authorizations,
			LongSupplier nanoTime) {
		this.authentications = authentications;
		this.authorizations = authorizations;
		this.nanoTime = nanoTime;
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "rpc-security-events");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Publishes that a call was denied.
	 * @param rule the rule, null for none
	 */
	void denied(Supplier<Authentication> caller, CallAuthorizationContext call, AuthorizationResult result,
			@Nullable CallRule rule) {
		if (isDue(List.of(call.caller().getName(), (rule != null) ? rule : ""))) {
			this.thread.execute(() -> this.authorizations.publishAuthorizationEvent(caller, call, result));
		}
	}

	void authenticated(Authentication caller) {
		if (isDue(List.of(caller.getName(), caller.getClass()))) {
			this.thread.execute(() -> this.authentications.publishAuthenticationSuccess(caller));
		}
	}

	/**
	 * Publishes that credentials were refused.
	 * @param request description of the credentials, without their value: listeners log
	 * the name of what they get
	 */
	void failed(AuthenticationException failure, String request) {
		if (isDue(failure.getClass())) {
			this.thread.execute(() -> this.authentications.publishAuthenticationFailure(failure,
					new PreAuthenticatedAuthenticationToken(request, "")));
		}
	}

	private synchronized boolean isDue(Object key) {
		long now = this.nanoTime.getAsLong();
		Long before = this.last.get(key);
		if (before != null && now - before < INTERVAL_NANOS) {
			return false;
		}
		this.last.put(key, now);
		return true;
	}

	@Override
	public void close() {
		this.thread.shutdown();
	}

}
