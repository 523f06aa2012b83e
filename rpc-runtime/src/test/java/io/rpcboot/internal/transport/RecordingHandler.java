package io.rpcboot.internal.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.serialization.LongValue;
import org.jspecify.annotations.Nullable;

/** Keeps what it is told; throws when asked to. */
class RecordingHandler implements FrameHandler {

	final List<Wire.Frame> frames = new ArrayList<>();

	final List<@Nullable Throwable> closed = new ArrayList<>();

	final List<Integer> announced = new ArrayList<>();

	/** Of the bodies with an array of their own; null for those in one piece. */
	final List<@Nullable LongValue> values = new ArrayList<>();

	boolean admitting = true;

	int ownBodies;

	int opened;

	int reads;

	int readsCompleted;

	@Nullable Throwable throwOnFrame;

	@Override
	public void onOpen() {
		this.opened++;
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.reads++;
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length) {
		this.frames.add(Wire.Frame.of(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length)));
		if (this.throwOnFrame instanceof RuntimeException ex) {
			throw ex;
		}
		if (this.throwOnFrame instanceof Error ex) {
			throw ex;
		}
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		this.announced.add(length);
		return this.admitting;
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, IncomingBody body) {
		this.ownBodies++;
		this.values.add(body.value());
		onFrame(type, flags, code, callId, body.join(), 0, body.size());
	}

	@Override
	public void onReadComplete() {
		this.readsCompleted++;
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.closed.add(cause);
	}

}
