package io.rpcboot.test;

import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Caller of the calls of a test without sockets, for which rules, lists and annotations
 * decide as they do on the wire. At first, and again after each test, it is a stranger:
 * one that has proved nothing. Calls that a service makes have the same caller. Available
 * as a parameter of a test method and as a bean. Thread-safe. Example: <pre class="code">
 * &#064;Test
 * void cancel_isRefused_withoutItsAuthority(RpcCaller caller) {
 * 	caller.authenticate("ann", "SCOPE_read");
 * 	assertThatThrownBy(() -> this.orders.cancel(7)).hasMessageContaining("PERMISSION_DENIED");
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class RpcCaller {

	private static final String SCHEME = "Test-Caller";

	/** Identities by the values of their credentials, until the end of the test. */
	private final Map<String, CallerIdentity> known = new ConcurrentHashMap<>();

	private CallerIdentity identity = CallerIdentity.anonymous();

	/** Credentials of the next calls, null for a stranger. */
	private volatile @Nullable Credentials credentials;

	RpcCaller() {
	}

	/**
	 * Lets the next calls come from a caller with credentials. An earlier certificate
	 * stays.
	 * @param name name of the caller, in lists behind {@code user:}
	 * @param authorities what Spring Security has granted, such as {@code SCOPE_orders};
	 * without any they are those of {@code RpcSecurity.withAuthorities}
	 * @throws IllegalStateException if there are authorities, but no Spring Security on
	 * the class path
	 */
	public void authenticate(String name, String... authorities) {
		authenticate((authorities.length == 0) ? new User(name) : user(name, authorities));
	}

	private static Principal user(String name, String... authorities) {
		try {
			return AuthenticatedUser.of(name, authorities);
		}
		catch (NoClassDefFoundError ex) {
			throw new IllegalStateException(
					"authorities: %s, but Spring Security is not on the class path (expected: none, or spring-boot-starter-security)"
						.formatted(List.of(authorities)),
					ex);
		}
	}

	/**
	 * Lets the next calls come from a caller with credentials. An earlier certificate
	 * stays.
	 * @param principal what the authenticator of the server would return, with Spring
	 * Security an {@code Authentication}
	 */
	public synchronized void authenticate(Principal principal) {
		become(this.identity.with(principal, Instant.MAX));
	}

	/**
	 * Lets the next calls come from a caller with a certificate. An earlier principal
	 * stays.
	 * @param name name in the certificate: a URI such as a SPIFFE id, or any text, which
	 * is the common name
	 * @param more further names, URIs or names of hosts
	 */
	public synchronized void certificate(String name, String... more) {
		CallerIdentity certified = CallerIdentity.ofCertificates(List.of(TestCertificate.of(name, more)));
		Principal principal = this.identity.principal();
		become((principal != null) ? certified.with(principal, Instant.MAX) : certified);
	}

	/** Lets the next calls come from a stranger. */
	public synchronized void reset() {
		this.identity = CallerIdentity.anonymous();
		this.credentials = null;
		this.known.clear();
	}

	private void become(CallerIdentity next) {
		Credentials created = Credentials.of(SCHEME + " " + UUID.randomUUID());
		this.known.put(created.value(), next);
		this.identity = next;
		this.credentials = created;
	}

	/** Sends the credentials of the caller with each call. */
	RpcClientInterceptor interceptor() {
		return this::intercept;
	}

	private @Nullable Object intercept(ClientInvocation call) throws Throwable {
		Credentials used = this.credentials;
		if (used != null) {
			call.attachments().put(Credentials.ATTACHMENT, used.header());
		}
		return call.proceed();
	}

	/**
	 * Returns options by which a server knows the caller. Only the application's own
	 * options say whether one is needed.
	 */
	AccessOptions identifiedBy(AccessOptions options) {
		Authenticator application = options.authenticator();
		return options.withAuthenticator((each) -> identity(each, application))
			.withAnonymousCallers(application == null || options.anonymousCallers());
	}

	private CallerIdentity identity(Credentials sent, @Nullable Authenticator application) {
		if (!sent.scheme().equals(SCHEME)) {
			// without an authenticator they are any attachment
			return (application != null) ? application.authenticate(sent) : CallerIdentity.anonymous();
		}
		CallerIdentity caller = this.known.get(sent.value());
		if (caller == null) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "the test of this caller has ended", false);
		}
		return caller;
	}

	/** User without authorities. */
	private record User(String name) implements Principal {

		@Override
		public String getName() {
			return this.name;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
