package io.rpcboot.internal.client.call;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/** A method as a reference calls it. Immutable, for any thread. */
public final class BoundMethod {

	public final MethodDescriptor descriptor;

	/** How the caller waits. */
	public final Style style;

	/** Its serialization. */
	public final MethodCodec codec;

	/** Its metrics, null if nobody listens. */
	public final @Nullable CallRecorder recorder;

	/** Time allowed. */
	final long timeoutNanos;

	/** Its number on the wire. */
	public final int number;

	/** For messages, of which there may be many; null until the first asks. */
	private @Nullable String name;

	/** Why a call fails whose time is over; null until the first does. Any thread. */
	@Nullable String noReply;

	/** Whether it does not depend on a call for which it is made. */
	final boolean detached;

	/** Whether calls may be made once more that have failed. */
	public final boolean isRepeatable;

	/** Whether they are sent to a second instance, too, when they take long. */
	public final boolean isHedged;

	/** Whether its calls may be made once more, in either way, and so earn that. */
	public final boolean usesBudget;

	/** Which argument is the key of a call, below 0 if none is. */
	public final int keyArgument;

	public BoundMethod(MethodDescriptor descriptor, MethodCodec codec, @Nullable CallRecorder recorder,
			long timeoutNanos, int number, boolean detached, boolean repeatable, boolean hedged, int keyArgument) {
		this.descriptor = descriptor;
		this.style = descriptor.style();
		this.codec = codec;
		this.recorder = recorder;
		this.timeoutNanos = timeoutNanos;
		this.number = number;
		this.detached = detached;
		this.isRepeatable = repeatable;
		this.isHedged = hedged;
		this.usesBudget = repeatable || hedged;
		this.keyArgument = keyArgument;
	}

	/** The same for one of several calls that are made once each, and not waited for. */
	public BoundMethod pinned() {
		MethodDescriptor described = this.descriptor
			.withStyle((this.style == Style.BLOCKING) ? Style.FUTURE : this.style);
		return new BoundMethod(described, this.codec, this.recorder, this.timeoutNanos, this.number, this.detached,
				false, false, -1);
	}

	/** Service and method. Any thread: a text of its own would do as well. */
	String name() {
		String known = this.name;
		if (known == null) {
			known = this.descriptor.toString();
			this.name = known;
		}
		return known;
	}

	/** The same with other metrics. */
	public BoundMethod recordedBy(@Nullable CallRecorder other) {
		return new BoundMethod(this.descriptor, this.codec, other, this.timeoutNanos, this.number, this.detached,
				this.isRepeatable, this.isHedged, this.keyArgument);
	}

}
