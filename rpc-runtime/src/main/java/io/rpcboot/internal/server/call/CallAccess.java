package io.rpcboot.internal.server.call;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.Dispatch;

/**
 * Access of single calls of a connection, before their arguments are read: those with
 * attachments, which may have credentials of their own, over the native protocol. Others
 * were decided about when the client bound the method, or with the header of the request.
 * A call whose credentials have to be checked waits without a thread, and is run again.
 */
final class CallAccess {

	private final AccessControl access;

	private final ServerTransport connection;

	private final CallResponder responder;

	/** Calls whose credentials are being checked; who removes one may end or run it. */
	private final Set<ServerCall> waiting = ConcurrentHashMap.newKeySet();

	/** True once a one-way call was given up: the connection has ended. */
	private volatile boolean ended;

	CallAccess(AccessControl access, ServerTransport connection, CallResponder responder) {
		this.access = access;
		this.connection = connection;
		this.responder = responder;
	}

	/**
	 * Decides about a call.
	 * @param source holds the arguments
	 * @return true if the call was refused, or waits and is run again
	 */
	boolean keepsOut(ServerCall call, byte[] source) {
		String header = call.context().attachments().get(Credentials.ATTACHMENT);
		if (header == null || !this.access.takesCredentials()) {
			return refuses(call);
		}
		CompletableFuture<CallerIdentity> check = this.access.authenticate(header, call.caller.certified,
				this.connection.remote(), this.connection.isPrivate());
		if (check.isDone()) {
			return refuses(call, check);
		}
		keep(call, source);
		this.waiting.add(call);
		if ((call.oneWay ? this.ended : call.cancelled) && this.waiting.remove(call)) {
			this.responder.finishUnchecked(call); // it was given up meanwhile
		}
		else {
			check.whenComplete((identity, failure) -> decided(call, check));
		}
		return true;
	}

	/**
	 * Returns true if a call waited for the check of its credentials, and does not any
	 * more.
	 */
	boolean giveUp(ServerCall call) {
		if (call.oneWay) {
			this.ended = true;
		}
		return this.waiting.remove(call);
	}

	/** Decides about a call whose credentials were checked. */
	private boolean refuses(ServerCall call, CompletableFuture<CallerIdentity> check) {
		try {
			call.caller = call.caller.with(check.join());
			return refuses(call);
		}
		catch (CompletionException ex) {
			this.responder.refuse(call, AccessControl.refusal(ex));
			return true;
		}
	}

	/** Refuses a call that waited, or runs it again, unless it was given up. */
	private void decided(ServerCall call, CompletableFuture<CallerIdentity> check) {
		if (!this.waiting.remove(call)) {
			return;
		}
		try {
			if (!refuses(call, check)) {
				this.responder.runAgain(call);
			}
		}
		catch (Throwable ex) {
			this.responder.unexpected(call, ex);
		}
	}

	private boolean refuses(ServerCall call) {
		AccessDenial refused = this.access.decide(call.caller, call.method.descriptor.service(),
				call.method.descriptor.name());
		if (refused != null) {
			this.responder.refuse(call, refused);
		}
		return refused != null;
	}

	/** Gives the request back to the call, because it waits. */
	private static void keep(ServerCall call, byte[] source) {
		boolean isOfLoop = call.method.dispatch == Dispatch.EVENT_LOOP;
		int start = call.requestOffset();
		int count = call.requestLength();
		if (isOfLoop) {
			call.request(Arrays.copyOfRange(source, start, start + count), 0, count);
		}
		else {
			call.request(source, start, count);
		}
	}

}
