package io.rpcboot.internal.server.connection.http2;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.call.CallResponder;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.connection.ClientIdentity;
import io.rpcboot.internal.server.connection.RequestCallers;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Access of requests, from their header fields on: their credentials are checked before
 * anything else about them is answered, so that a refused caller does not learn which
 * methods there are. Event loop only.
 */
final class RequestAccess {

	/** Maximum of open calls of callers who are not known. */
	private static final int MAX_UNKNOWN = 16;

	private final Connection connection;

	private final ServerTransport calls;

	private final AccessControl access;

	private final CallResponder responder;

	private final RequestCallers callers;

	/** Open calls with public requests whose callers are not known. */
	private int unknown;

	RequestAccess(Connection connection, ServerTransport calls, CallResponder responder, AccessControl access,
			RequestCallers callers) {
		this.connection = connection;
		this.calls = calls;
		this.access = access;
		this.responder = responder;
		this.callers = callers;
	}

	/** Returns the identity of the certificate until that expires. */
	private CallerIdentity peer() {
		return this.responder.caller().certified;
	}

	/**
	 * Decides about a request.
	 * @param method null if it is not offered, which is refused in any case
	 * @param then gets the caller, and the refusal or null: now, or when the credentials
	 * were checked
	 */
	void decide(RequestHeaders request, @Nullable Invocation method,
			BiConsumer<CallerIdentity, @Nullable AccessDenial> then) {
		String path = request.path();
		decide(path, request.credentials(),
				(caller) -> (method != null)
						? this.access.decide(caller, method.descriptor().service(), method.descriptor().name())
						: this.access.unknown(caller, service(path), method(path)),
				then);
	}

	private void decide(String path, @Nullable String credentials,
			Function<CallerIdentity, @Nullable AccessDenial> rules,
			BiConsumer<CallerIdentity, @Nullable AccessDenial> then) {
		if (credentials == null || !this.access.takesCredentials()) {
			then.accept(peer(), logged(path, peer(), rules.apply(peer())));
			return;
		}
		this.access.authenticate(credentials, peer(), this.calls.remote(), this.calls.isPrivate())
			.whenComplete((caller, failure) -> this.connection.executeNow(() -> {
				if (failure == null) {
					this.callers.requested(caller);
					then.accept(caller, logged(path, caller, rules.apply(caller)));
				}
				else {
					then.accept(CallerIdentity.anonymous(), logged(path, peer(), AccessControl.refusal(failure)));
				}
			}));
	}

	private @Nullable AccessDenial logged(String path, CallerIdentity caller, @Nullable AccessDenial refused) {
		if (refused != null) {
			this.calls.refused(caller, service(path).toString(), method(path), refused.status());
			this.access.log(this.connection, path, refused);
		}
		return refused;
	}

	/** Begins a call of a method of the server itself. */
	StreamHandler.Requests begin(StreamHandler handler, RequestHeaders request, StreamHandler.Responses responses) {
		Guard guard = new Guard(handler, request.path(), request.credentials());
		GuardedRequests requests = new GuardedRequests(responses, guard);
		if (!handler.hasPublicRequests()) {
			requests.decide();
		}
		else if (guard.isUnknown && this.unknown > MAX_UNKNOWN) {
			requests.refuse(new AccessDenial(RpcStatus.RESOURCE_EXHAUSTED,
					"%d health requests of an unknown caller are open on the connection (expected: fewer)"
						.formatted(MAX_UNKNOWN)));
		}
		return requests;
	}

	/** Guard of a call of a method of the server itself. */
	private final class Guard implements GuardedRequests.Guard, ClientIdentity.Listener {

		private final StreamHandler handler;

		private final String path;

		private final @Nullable String credentials;

		/** Set when the caller has to be known. */
		private @Nullable GuardedRequests requests;

		private @Nullable ClientIdentity identity;

		/** Caller with which the call began; null before. */
		private @Nullable CallerIdentity begun;

		/** True while the call counts as one of an unknown caller. */
		private boolean isUnknown;

		Guard(StreamHandler handler, String path, @Nullable String credentials) {
			this.handler = handler;
			this.path = path;
			this.credentials = credentials;
			if (handler.hasPublicRequests() && !peer().isAuthenticated()) {
				this.isUnknown = true;
				RequestAccess.this.unknown++;
			}
		}

		@Override
		public @Nullable Function<StreamHandler.Responses, StreamHandler.Requests> publicHandler(byte[] bytes,
				int offset, int length) {
			boolean isPublic = this.handler.isPublic(bytes, offset, length)
					&& RequestAccess.this.access.isPublic(peer(), service(this.path), method(this.path));
			return isPublic ? permitted(peer()) : null;
		}

		@Override
		public void decide(GuardedRequests guarded) {
			this.requests = guarded;
			ClientIdentity caller = new ClientIdentity(RequestAccess.this.connection, RequestAccess.this.access,
					InstantSource.system(), System::nanoTime, this);
			this.identity = caller;
			if (this.credentials != null && RequestAccess.this.access.takesCredentials()) {
				caller.arrived(this.credentials);
			}
			caller.introduced();
		}

		/** Begins the call, or ends it with the proof of its caller. */
		@Override
		public void identified(CallerProof proof) {
			CallerIdentity before = this.begun;
			AccessDenial refused = decide(proof);
			if (refused != null) {
				refuse(proof.identity, refused);
			}
			else if (before == null) {
				this.begun = proof.identity;
				if (proof.identity.principal() != null) {
					RequestAccess.this.callers.requested(proof.identity);
				}
				if (proof.identity.isAuthenticated()) {
					known();
				}
				Objects.requireNonNull(this.requests).permit(permitted(proof.identity));
			}
			else if (!before.getName().equals(proof.identity.getName())) {
				refused(new AccessDenial(RpcStatus.UNAUTHENTICATED, "the proof of the caller has ended"));
			}
		}

		private @Nullable AccessDenial decide(CallerProof proof) {
			AccessControl rules = RequestAccess.this.access;
			List<MethodDescriptor> callable = this.handler.callable();
			AccessDenial refused = callable.isEmpty() ? rules.decide(proof, service(this.path), method(this.path))
					: null;
			for (MethodDescriptor each : callable) {
				refused = rules.decide(proof, each.service(), each.name());
				if (refused == null) {
					break;
				}
			}
			return refused;
		}

		@Override
		public void refused(AccessDenial why) {
			refuse(peer(), why);
		}

		private void refuse(CallerIdentity caller, AccessDenial why) {
			logged(this.path, caller, why);
			Objects.requireNonNull(this.requests).refuse(why);
		}

		@Override
		public void certificateEnded() {
			refused(new AccessDenial(RpcStatus.UNAUTHENTICATED, CERTIFICATE_ENDED));
		}

		private Function<StreamHandler.Responses, StreamHandler.Requests> permitted(CallerIdentity caller) {
			return (responses) -> this.handler.begin(responses,
					(asked) -> logged(this.path, caller, RequestAccess.this.access.decide(caller, asked)));
		}

		@Override
		public void onEnd() {
			known();
			if (this.identity != null) {
				this.identity.close();
			}
		}

		private void known() {
			if (this.isUnknown) {
				this.isUnknown = false;
				RequestAccess.this.unknown--;
			}
		}

	}

	/** Returns the service of a path; an unknown one for a malformed path. */
	private static ServiceId service(String path) {
		int end = path.lastIndexOf('/');
		try {
			return new ServiceId(path.substring(Math.min(1, path.length()), Math.max(1, end)), "", "");
		}
		catch (RuntimeException ex) {
			return new ServiceId("unknown", "", "");
		}
	}

	private static String method(String path) {
		return path.substring(path.lastIndexOf('/') + 1);
	}

}
