package io.rpcboot.internal.server.connection.binary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceContract;
import org.jspecify.annotations.Nullable;

/**
 * Methods of a connection by their numbers: gives those that its client may call to the
 * table of calls, the others to the rejected ones. Decides when a service is bound, and
 * again when the identity of the client changes, so that a call costs no decision. Event
 * loop only.
 */
final class MethodAccess {

	private static final ServiceId UNKNOWN = new ServiceId("unknown", "", "");

	/** Methods that the client may call, by number. */
	private final IntObjectHashMap<Invocation> methods;

	private final RejectedMethods rejected;

	/** Null without limits of access. */
	private final @Nullable AccessControl access;

	private final List<Bound> bound = new ArrayList<>();

	/**
	 * Decisions about methods for the identity of the client; empty where it may call.
	 */
	private final Map<Invocation, Optional<AccessDenial>> decisions = new HashMap<>();

	/** Latest refusal; empty without any. */
	private Optional<AccessDenial> denial = Optional.empty();

	/** Proof of the client, null until it is known. */
	private @Nullable CallerProof caller;

	MethodAccess(IntObjectHashMap<Invocation> methods, RejectedMethods rejected, @Nullable AccessControl access) {
		this.methods = methods;
		this.rejected = rejected;
		this.access = access;
	}

	/** Methods from a number on, null for those that are rejected in any case. */
	private record Bound(int first, List<@Nullable Invocation> methods) {
	}

	/** Notes who the client is, and decides again. */
	void identified(CallerProof proof) {
		this.caller = proof;
		this.decisions.clear();
		if (this.access != null) {
			this.bound.forEach(this::decide);
		}
	}

	/** Returns true if it is known who the client is. */
	boolean isIdentified() {
		return this.caller != null;
	}

	/**
	 * Returns the refusal of a service: the client may call none of its methods, or it is
	 * not offered. A client whose single calls may have credentials may bind a service
	 * whose contract it knows: it learns no more.
	 * @param offered null if it is not offered
	 * @return null if the service may be bound
	 */
	@Nullable AccessDenial refusalOf(Bind bind, @Nullable ServiceContract offered) {
		if (this.access == null) {
			return null;
		}
		ServiceId service = serviceOf(bind);
		if (offered == null) {
			return this.access.unknown(known(), service, "");
		}
		boolean knows = bind.contract().equals(offered.hash()) || bind.known().contains(offered.hash());
		if (this.access.takesCredentials() && knows) {
			return null;
		}
		for (Invocation each : offered.methods()) {
			if (decide(each) == null) {
				return null;
			}
		}
		return this.access.unknown(known(), service, "");
	}

	/** Decides about a method, once for each identity of the client. */
	private @Nullable AccessDenial decide(Invocation method) {
		AccessControl control = this.access;
		return (control == null) ? null
				: this.decisions
					.computeIfAbsent(method,
							(any) -> shared(
									control.decide(known(), method.descriptor().service(), method.descriptor().name())))
					.orElse(null);
	}

	/** Returns one object for all methods that the client may not call. */
	private Optional<AccessDenial> shared(@Nullable AccessDenial why) {
		if (why == null) {
			return Optional.empty();
		}
		if (!why.equals(this.denial.orElse(null))) {
			this.denial = Optional.of(why);
		}
		return this.denial;
	}

	private CallerIdentity known() {
		return (this.caller != null) ? this.caller.identity : CallerIdentity.anonymous();
	}

	/** Returns the service; an unknown one for a malformed name. */
	private static ServiceId serviceOf(Bind bind) {
		try {
			return ServiceId.parse(bind.service());
		}
		catch (RuntimeException ex) {
			return UNKNOWN;
		}
	}

	/**
	 * Binds methods to numbers.
	 * @param first number of the first one
	 * @param methods null for those that are rejected in any case
	 */
	void bind(int first, List<@Nullable Invocation> methods) {
		Bound added = new Bound(first, methods);
		if (this.access != null) {
			this.bound.add(added);
		}
		decide(added);
	}

	private void decide(Bound each) {
		AccessDenial suspended = (this.caller != null) ? this.caller.suspended : null;
		int number = each.first() - 1;
		for (Invocation method : each.methods()) {
			number++;
			if (method == null) {
				continue;
			}
			AccessDenial refused = (suspended != null) ? suspended : decide(method);
			if (refused == null) {
				this.methods.put(number, method);
				this.rejected.permit(number);
			}
			else {
				this.methods.remove(number);
				this.rejected.deny(number, method, refused);
			}
		}
	}

}
