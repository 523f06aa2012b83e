package io.rpcboot.internal.server.access;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.net.ClientNetwork;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Authorizer;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.RefusedCall;
import org.jspecify.annotations.Nullable;

/**
 * Decides who a client is and what it may call. Any thread; never blocks.
 * <p>
 * Credentials are checked by threads of their own. The number of checks that wait is
 * bounded, in all and by network, and networks of clients take turns (round robin):
 * credentials that are costly to check delay no calls, and not those of others.
 */
public final class AccessControl {

	/** Entry of an allow list that stands for each caller that is authenticated. */
	public static final String ANY = "*";

	/** Prefix of the name of a principal in an allow list. */
	public static final String USER = "user:";

	/** Longest wait for a check, as the default of the handshake timeout. */
	private static final int MAX_WAIT_SECONDS = 5;

	/** Longest path that a line of the log repeats. */
	private static final int MAX_SHOWN = 100;

	private static final String REFLECTION = "grpc.reflection.";

	/** Schemes that prove method and address of a request of HTTP. */
	private static final Set<String> OF_HTTP = Set.of("dpop", "digest");

	/** Refusals of callers that have proved nothing, and of credentials. */
	public final LongAdder unauthenticated = new LongAdder();

	/** Refusals of callers that are known. */
	public final LongAdder denied = new LongAdder();

	private final @Nullable Authenticator authenticator;

	private final @Nullable Authorizer authorizer;

	private final @Nullable Consumer<RefusedCall> refusals;

	/** Names of callers, by service. */
	private final Map<ServiceId, Set<String>> allowed;

	private final boolean takesClearText;

	/** True if callers without a proof may call what nothing guards. */
	private final boolean isOpen;

	private final RateLimitedLogger log;

	private final InstantSource clock;

	private final IdentityCache identities;

	private final CheckLine line;

	/**
	 * Creates the control.
	 * @param allowed names of callers by service, beside the authorizer
	 * @param threads runs the checks
	 */
	public AccessControl(AccessOptions options, Map<ServiceId, Set<String>> allowed, Executor threads,
			RateLimitedLogger log, InstantSource clock) {
		this.authenticator = options.authenticator();
		this.authorizer = options.authorizer();
		this.refusals = options.refusals();
		this.allowed = Map.copyOf(allowed);
		this.takesClearText = options.clearTextCredentials();
		this.isOpen = options.authenticator() == null || options.anonymousCallers();
		this.line = new CheckLine(threads);
		this.log = log;
		this.clock = clock;
		this.identities = new IdentityCache(clock);
	}

	/**
	 * Decides about calls of a method.
	 * @param service the service, which may not exist
	 * @return null if the caller may call it
	 */
	public @Nullable AccessDenial decide(CallerIdentity caller, ServiceId service, String method) {
		if (isAllowed(caller, service) && isPermitted(caller, service, method)) {
			return null;
		}
		return refusal(caller);
	}

	/** The same for the proof of a caller, which may be suspended. */
	public @Nullable AccessDenial decide(CallerProof caller, ServiceId service, String method) {
		return (caller.suspended != null) ? caller.suspended : decide(caller.identity, service, method);
	}

	private AccessDenial refusal(CallerIdentity caller) {
		(caller.isAuthenticated() ? this.denied : this.unauthenticated).increment();
		return caller.isAuthenticated()
				? new AccessDenial(RpcStatus.PERMISSION_DENIED,
						"caller '%s' may not call this, or it is not offered".formatted(caller))
				: new AccessDenial(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed");
	}

	/**
	 * Decides about a question for services: which there are, or their status.
	 * @param services the services; empty for all, or for one that does not exist
	 * @return null if the caller is on the lists of all of them
	 */
	public @Nullable AccessDenial decide(CallerIdentity caller, Collection<ServiceId> services) {
		boolean allowed = services.isEmpty() ? isOnAllLists(caller)
				: services.stream().allMatch((each) -> isAllowed(caller, each));
		return allowed ? null : refusal(caller);
	}

	/**
	 * Decides about an answer that is for everybody unless there are rules.
	 * @return true if the caller needs no other proof
	 */
	public boolean isPublic(CallerIdentity caller, ServiceId service, String method) {
		return this.authorizer == null || isPermitted(caller, service, method);
	}

	private boolean isOnAllLists(CallerIdentity caller) {
		return this.allowed.values().stream().allMatch((names) -> isOneOf(names, caller));
	}

	private boolean isAllowed(CallerIdentity caller, ServiceId service) {
		if (service.name().startsWith(REFLECTION)) { // it tells about all services
			return isOnAllLists(caller);
		}
		Set<String> names = this.allowed.get(service);
		return names == null || isOneOf(names, caller);
	}

	private boolean isPermitted(CallerIdentity caller, ServiceId service, String method) {
		if (this.authorizer == null) {
			return this.isOpen || caller.isAuthenticated();
		}
		try {
			return this.authorizer.permits(caller, service, method);
		}
		catch (RuntimeException ex) {
			this.log.warn("Authorizer failed", this.authorizer.getClass(),
					() -> "the call of %s/%s is refused: %s".formatted(service, method, ex), ex);
			return false;
		}
	}

	private static boolean isOneOf(Set<String> names, CallerIdentity caller) {
		if (!caller.isAuthenticated()) {
			return false;
		}
		boolean isUser = caller.principal() != null && names.contains(USER + caller.getName());
		return names.contains(ANY) || isUser
				|| caller.names().stream().anyMatch((each) -> !each.startsWith(USER) && names.contains(each));
	}

	/**
	 * Logs a refused request, at most one a second and status.
	 * @param connection its connection
	 * @param path path of the request, as the client has sent it
	 */
	public void log(Object connection, String path, AccessDenial refused) {
		this.log.warn("Call refused", refused.status(),
				() -> "%s: %s: %s".formatted(connection, PrintableText.of(path, MAX_SHOWN), refused.message()), null);
	}

	/** Reports a refused call to the listener of the application. */
	public void report(RefusedCall call) {
		Consumer<RefusedCall> listener = this.refusals;
		if (listener == null) {
			return;
		}
		try {
			listener.accept(call);
		}
		catch (RuntimeException ex) {
			this.log.warn("Listener failed", listener.getClass(), () -> "of refused calls: " + ex, ex);
		}
	}

	/** Returns true if single calls may have credentials of their own. */
	public boolean takesCredentials() {
		return this.authenticator != null;
	}

	/** Returns the refusal of a service that does not exist. */
	public AccessDenial unknown(CallerIdentity caller, ServiceId service, String method) {
		AccessDenial refused = decide(caller, service, method);
		return (refused != null) ? refused : refusal(caller);
	}

	/**
	 * Finds out who has sent credentials.
	 * @param header the credentials
	 * @param peer identity of the certificate
	 * @param remote address and port of the client
	 * @param isPrivate true if they came over TLS, or from this process
	 * @return the identity, or {@link RpcException} whose message is for the client
	 */
	public CompletableFuture<CallerIdentity> authenticate(String header, CallerIdentity peer, String remote,
			boolean isPrivate) {
		return identify(header, remote, isPrivate).thenApply((identity) -> withCertificate(identity, peer));
	}

	/** The same, without the certificate. */
	public CompletableFuture<CallerIdentity> identify(String header, String remote, boolean isPrivate) {
		if (this.authenticator == null) {
			return failed(RpcStatus.UNAUTHENTICATED, "the server takes no credentials");
		}
		if (!isPrivate && !this.takesClearText) {
			return failed(RpcStatus.UNAUTHENTICATED, "credentials came over clear text (expected: TLS)");
		}
		CompletableFuture<CallerIdentity> check = check(header, remote, false);
		return check.isDone() ? check : check.copy().orTimeout(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
	}

	/**
	 * Checks credentials again that a connection uses, apart from those of others.
	 * Nothing waits for it, so that it may take any time.
	 */
	public CompletableFuture<CallerIdentity> identifyAgain(String header, String remote) {
		return check(header, remote, true);
	}

	private CompletableFuture<CallerIdentity> check(String header, String remote, boolean inUse) {
		ByteBuffer key = IdentityCache.key(header);
		CallerIdentity known = this.identities.get(key);
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		Credentials credentials;
		try {
			credentials = Credentials.of(header);
		}
		catch (RuntimeException ex) {
			return failed(RpcStatus.UNAUTHENTICATED, "the credentials are malformed");
		}
		String network = ClientNetwork.of(remote);
		CompletableFuture<CallerIdentity> check = this.line.add(key, network, inUse,
				() -> identity(key, credentials, network));
		return (check != null) ? check
				: failed(RpcStatus.RESOURCE_EXHAUSTED, "too many credentials wait for their check at the server");
	}

	/**
	 * Adds the identity of credentials, null without any, to that of a certificate,
	 * unless the authenticator has found certificates.
	 */
	static CallerIdentity withCertificate(@Nullable CallerIdentity found, CallerIdentity peer) {
		if (found == null) {
			return peer;
		}
		return (found.principal() != null && found.certificates().isEmpty())
				? peer.with(found.principal(), found.expiresAt()) : found;
	}

	private static CompletableFuture<CallerIdentity> failed(RpcStatus status, String message) {
		return CompletableFuture.failedFuture(new RpcException(status, message, false));
	}

	/** Asks the authenticator. */
	private CallerIdentity identity(ByteBuffer key, Credentials credentials, String network) {
		Authenticator checking = this.authenticator;
		try {
			CallerIdentity identity = (checking != null) ? checking.authenticate(credentials)
					: CallerIdentity.anonymous();
			if (!this.clock.instant().isBefore(identity.expiresAt())) {
				throw new RpcException(RpcStatus.UNAUTHENTICATED, "the credentials have expired", false);
			}
			this.identities.put(key, identity);
			return identity;
		}
		catch (Throwable ex) {
			RpcStatus status = (ex instanceof RpcException known) ? known.status() : RpcStatus.UNAVAILABLE;
			this.log.warn("Credentials refused", status,
					() -> "%s: %s".formatted(network, reason(credentials.scheme(), ex)),
					(ex instanceof RpcException) ? null : ex);
			this.unauthenticated.increment();
			throw new RpcException(status, (status == RpcStatus.UNAUTHENTICATED) ? "the credentials are not valid"
					: "the server cannot check credentials now", false);
		}
	}

	private static String reason(String scheme, Throwable failure) {
		return OF_HTTP.contains(scheme.toLowerCase(Locale.ROOT))
				? "%s; %s is not carried: its proof is for a request of HTTP (expected: Bearer or Basic)"
					.formatted(failure.getMessage(), scheme)
				: String.valueOf(failure.getMessage());
	}

	/** Returns the refusal for a failure of {@link #authenticate}. */
	public static AccessDenial refusal(Throwable failure) {
		return (Results.cause(failure) instanceof RpcException known)
				? new AccessDenial(known.status(), String.valueOf(known.getMessage()))
				: new AccessDenial(RpcStatus.UNAVAILABLE, "the server cannot check credentials now");
	}

}
