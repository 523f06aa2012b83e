package io.rpcboot.internal.client.call;

import java.util.Set;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.protocol.AttachmentsSection;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/** Makes the contexts of calls, or says why a call must not begin. */
public final class CallMetadataFactory {

	private CallMetadataFactory() {
	}

	/**
	 * What the calling thread adds to a call. Returns null for nothing.
	 * @param forwarded names of the attachments that go on from the call being served
	 * @param maxAttachments most bytes of all attachments
	 * @throws RpcException if the call must not begin
	 */
	public static @Nullable CallMetadata ofCaller(BoundMethod method, Set<String> forwarded, int maxAttachments) {
		RpcContext served = RpcContext.current();
		CallOptions with = CallOptions.current();
		if (served == null && with == null) {
			return null;
		}
		Attachments attachments = attachments(served, with, forwarded);
		return of(method, attachments, timeout(method, with), isDetached(method, with) ? null : served, with,
				maxAttachments);
	}

	/**
	 * Make a context.
	 * @param timeoutNanos time allowed from now on, unless the outer call has less left
	 * @param outer null if the call does not depend on one
	 * @throws RpcException if the call must not begin
	 */
	public static CallMetadata of(BoundMethod method, Attachments attachments, long timeoutNanos,
			@Nullable RpcContext outer, @Nullable CallOptions with, int maxAttachments) {
		long allowed = (outer != null) ? Math.min(timeoutNanos, left(method, outer)) : timeoutNanos;
		Attachments sent = fitting(attachments, maxAttachments);
		byte[] section = encode(method, sent, maxAttachments);
		byte[] least = (sent.required() != sent) ? encode(method, sent.required(), maxAttachments) : section;
		CallMetadata made = new CallMetadata(allowed, section, least, attachments.get(RoutingOptions.TAG_ATTACHMENT),
				outer, (with != null) ? with.replyListener() : null);
		made.isLessThanWanted = sent != attachments;
		made.keyHash = RoutingKeys.hash(attachments.get(RoutingOptions.KEY_ATTACHMENT));
		return made;
	}

	/** What goes along unless an interceptor changes it. */
	public static Attachments attachments(@Nullable RpcContext served, @Nullable CallOptions with,
			Set<String> forwarded) {
		Attachments all = new Attachments();
		if (served != null && !forwarded.isEmpty()) {
			forwarded.forEach((name) -> {
				String value = served.attachments().get(name);
				if (value != null) {
					all.put(name, value);
				}
			});
		}
		return (with != null) ? all.putAll(with.attachments()) : all;
	}

	public static long timeout(BoundMethod method, @Nullable CallOptions with) {
		return (with != null && with.timeout() != null) ? Options.nanos(with.timeout()) : method.timeoutNanos;
	}

	public static boolean isDetached(BoundMethod method, @Nullable CallOptions with) {
		return method.detached || (with != null && with.isDetached());
	}

	/**
	 * Let nothing begin for a call for which nobody waits.
	 * @throws RpcException if that is so
	 */
	public static void requireOuter(BoundMethod method, @Nullable CallMetadata context) {
		if (context != null && context.outer != null) {
			left(method, context.outer);
		}
	}

	private static long left(BoundMethod method, RpcContext outer) {
		long left = outer.remaining().toNanos();
		if (left <= 0) {
			throw CallCompletion.refused(method.descriptor, RpcStatus.DEADLINE_EXCEEDED,
					"the call of %s for which it is made has no time left".formatted(outer.method()), null);
		}
		if (outer.isCancelled()) {
			throw CallCompletion.refused(method.descriptor, RpcStatus.CANCELLED, CallMetadata.whyCancelled(outer),
					null);
		}
		return left;
	}

	/**
	 * Without those for which there is no room. A section with optional ones is in the
	 * first chunk of a body, so that they can be cut out there.
	 */
	static Attachments fitting(Attachments attachments, int most) {
		return AttachmentsSection.fitting(attachments,
				Math.min(most, OutboundFrame.LARGE_BODY - AttachmentsSection.PREFIX_LENGTH));
	}

	private static byte[] encode(BoundMethod method, Attachments attachments, int most) {
		if (attachments.isEmpty()) {
			return CallMetadata.NO_SECTION;
		}
		try {
			return AttachmentsSection.encode(attachments, most);
		}
		catch (IllegalArgumentException ex) {
			throw CallCompletion.refused(method.descriptor, RpcStatus.INVALID_ARGUMENT, String.valueOf(ex.getMessage()),
					null);
		}
	}

}
