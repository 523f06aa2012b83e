package io.rpcboot.internal.server.connection.http2;

import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.grpc.StreamHandler;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.transport.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Access of requests before their messages are read. A request with credentials to an
 * offered method is decided about when its call runs. Event loop only.
 */
final class RequestAccess {

	private final Connection connection;

	private final ServerTransport calls;

	private final AccessControl access;

	private final CallerIdentity certified;

	RequestAccess(Connection connection, ServerTransport calls, AccessControl access) {
		this.connection = connection;
		this.calls = calls;
		this.access = access;
		this.certified = connection.certified();
	}

	/** Returns the identity of the certificate until that expires. */
	private CallerIdentity peer() {
		return AccessControl.valid(this.certified);
	}

	/**
	 * Returns the refusal of a request without credentials.
	 * @return null if it is permitted, or has credentials
	 */
	@Nullable AccessDenial refusalOf(ServerMethod method, RequestHeaders request) {
		return (request.credentials() == null || !this.access.takesCredentials())
				? this.access.decide(peer(), method.descriptor.service(), method.descriptor.name()) : null;
	}

	/**
	 * Refuses a request to a method that is not offered, as one that is not permitted.
	 * @param refuse gets the reason, now or when the credentials were checked
	 */
	void refuseUnknown(RequestHeaders request, Consumer<AccessDenial> refuse) {
		String path = request.path();
		decide(request, (caller) -> this.access.unknown(caller, service(path), method(path)), (refused) -> {
			if (refused != null) {
				refuse.accept(refused);
			}
		});
	}

	/**
	 * Returns a handler that begins when the caller is known and permitted. It is used
	 * before the next request is read.
	 */
	StreamHandler guarded(StreamHandler handler, RequestHeaders request) {
		String path = request.path();
		return (responses) -> {
			GuardedRequests requests = new GuardedRequests(responses);
			decide(request, (caller) -> {
				AccessDenial refused = this.access.decide(caller, service(path), method(path));
				if (refused == null) {
					requests.permit((then) -> handler.begin(then, (asked) -> this.access.decide(caller, asked)));
				}
				return refused;
			}, (refused) -> {
				if (refused != null) {
					requests.refuse(refused.status(), refused.message());
				}
			});
			return requests;
		};
	}

	private void decide(RequestHeaders request, Function<CallerIdentity, @Nullable AccessDenial> rules,
			Consumer<@Nullable AccessDenial> then) {
		String credentials = request.credentials();
		if (credentials == null || !this.access.takesCredentials()) {
			then.accept(rules.apply(peer()));
			return;
		}
		this.access.authenticate(credentials, peer(), this.calls.remote(), this.calls.isEncrypted())
			.whenComplete((caller, failure) -> this.connection.executeNow(
					() -> then.accept((failure != null) ? AccessControl.refusal(failure) : rules.apply(caller))));
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
