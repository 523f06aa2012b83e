package io.rpcboot.internal.client.call;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import io.rpcboot.context.RpcContext.Registration;
import io.rpcboot.internal.concurrent.NonBlockingTask;
import io.rpcboot.internal.protocol.AttachmentsSection;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.frame.FrameBodies;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a call has beside its method and its arguments: attachments, a deadline of its
 * own, a call at this process's server for which it is made. Most calls have none of it
 * and no context. Stands beside client call.
 */
public final class CallMetadata {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	public static final byte[] NO_SECTION = {};

	/** Time allowed from the start of the call. */
	final long allowedNanos;

	/**
	 * With its length in front; empty if there are no attachments. Changed by the event
	 * loop that is about to write the call.
	 */
	private byte[] section;

	/** The same without what is optional. */
	private final byte[] least;

	/** Whose end ends this one, null if none does. */
	final @Nullable RpcContext outer;

	private final @Nullable Consumer<Attachments> replyListener;

	/** For which instances the call is; null if it does not say. */
	public final @Nullable String tag;

	/**
	 * Of the key of the call, 0 if it has none. Before any other thread knows the call.
	 */
	public int keyHash;

	/** Whether there was no room for something optional. */
	public boolean isLessThanWanted;

	/** Where the call is, null before it begins. */
	private volatile @Nullable Supplier<@Nullable Endpoint> place;

	/** What came with the answer. Written and read by who completes the call. */
	public Attachments reply = Attachments.none();

	private @Nullable Registration link;

	private boolean over;

	public CallMetadata(long allowedNanos, byte[] section, byte[] least, @Nullable String tag,
			@Nullable RpcContext outer, @Nullable Consumer<Attachments> replyListener) {
		this.allowedNanos = allowedNanos;
		this.section = section;
		this.least = least;
		this.tag = tag;
		this.outer = outer;
		this.replyListener = replyListener;
	}

	/** Of a call that has nothing but its arguments and a key. */
	static CallMetadata plain(long allowedNanos) {
		return new CallMetadata(allowedNanos, NO_SECTION, NO_SECTION, null, null, null);
	}

	/** For the same call at a second instance, whose end is seen to by the first one. */
	public CallMetadata forHedge() {
		CallMetadata made = new CallMetadata(this.allowedNanos, this.section, this.least, this.tag, null, null);
		made.keyHash = this.keyHash;
		return made;
	}

	static String whyCancelled(RpcContext outer) {
		return "nobody waits any more for the call of %s for which it is made".formatted(outer.method());
	}

	/** Whether nobody waits any more for the call for which this one is made. */
	public boolean isOuterCancelled() {
		return this.outer != null && this.outer.isCancelled();
	}

	/** Write before the arguments. */
	public void write(OutputBuffer out) {
		out.write(this.section, 0, this.section.length);
	}

	/** To be sent with the call. */
	public int flags() {
		return (this.section.length > 0) ? FrameHeader.FLAG_ATTACHMENTS : 0;
	}

	/** What a server must take to get the call. */
	int attachmentsLength() {
		return Math.max(0, this.section.length - AttachmentsSection.PREFIX_LENGTH);
	}

	/** Whether a server takes the call. */
	public boolean fits(int most) {
		return attachmentsLength() <= most;
	}

	/**
	 * Leave off what is optional. On the event loop, before the call is written.
	 * @param call has the section at the beginning of its body
	 * @return false if there is nothing
	 */
	public boolean leaveOff(OutboundFrame call) {
		if (this.section == this.least) {
			return false;
		}
		FrameBodies.replaceStart(call, this.section.length, this.least);
		this.section = this.least;
		return true;
	}

	/** The instance that has the call, or had it last; null for none. Any thread. */
	public @Nullable Endpoint endpoint() {
		Supplier<@Nullable Endpoint> known = this.place;
		return (known != null) ? known.get() : null;
	}

	/**
	 * The call is about to begin: it ends with the outer one, if that ends early.
	 * @param end ends it with words
	 * @param place says where it is
	 */
	public void begins(Consumer<String> end, Supplier<@Nullable Endpoint> place) {
		this.place = place;
		RpcContext before = this.outer;
		if (before == null) {
			return;
		}
		NonBlockingTask cancel = () -> end.accept(whyCancelled(before));
		Registration made = before.onCancel(cancel);
		synchronized (this) {
			this.link = made;
			if (!this.over) {
				return;
			}
		}
		made.remove();
	}

	/** The call has an end. Any thread. */
	void ended() {
		Registration made;
		synchronized (this) {
			this.over = true;
			made = this.link;
		}
		if (made != null) {
			made.remove();
		}
	}

	/**
	 * Read what came with a reply.
	 * @param context null if the call has none
	 * @return length of the section; 0 if there is none
	 * @throws SerializationException if it cannot be read
	 */
	static int read(@Nullable CallMetadata context, int flags, byte[] reply, int start, int length) {
		boolean any = (flags & FrameHeader.FLAG_ATTACHMENTS) != 0;
		try {
			int end = any ? AttachmentsSection.skip(reply, start, start + length) : start;
			Attachments arrived = any ? AttachmentsSection.decode(reply, start, end) : Attachments.none();
			if (context != null) {
				context.answered(arrived);
			}
			return end - start;
		}
		catch (ProtocolException ex) {
			throw new SerializationException(String.valueOf(ex.getMessage()));
		}
	}

	/** The call was answered, and its caller is about to go on. */
	void answered(Attachments arrived) {
		this.reply = arrived;
		try {
			if (this.replyListener != null) {
				this.replyListener.accept(arrived);
			}
		}
		catch (Throwable ex) { // the call has its end all the same
			logger.warn("A listener of CallOptions.onReply has failed", ex);
		}
	}

	/** The call has failed, and its caller is about to be told. */
	void failed(RpcException failure) {
		if (!failure.details().isEmpty()) {
			answered(Attachments.of(failure.details()));
		}
	}

	/** How long the call may take, for people. */
	String allowed() {
		String time = TimeUnit.NANOSECONDS.toMillis(this.allowedNanos) + " ms";
		return (this.outer != null) ? time + ", which the call for which it is made had left at most" : time;
	}

}
