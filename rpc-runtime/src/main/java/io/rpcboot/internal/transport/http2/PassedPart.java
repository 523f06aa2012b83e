package io.rpcboot.internal.transport.http2;

import java.util.List;

import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/** Part of a message that a relay passes on: HEADERS, a frame of DATA, or the end. */
public final class PassedPart {

	/** Kind of a part. */
	public enum Kind {

		/** Header fields that DATA or the end follow. */
		HEAD,

		/** Bytes of the body. */
		DATA,

		/** End of the message, with its trailers if it has some. */
		END

	}

	private final Kind kind;

	private final byte[] bytes;

	private final int length;

	private final @Nullable List<HeaderField> fields;

	/** True once the next hop has taken it. Guarded by its {@link Passage}. */
	boolean isTaken;

	private PassedPart(Kind kind, byte[] bytes, int length, @Nullable List<HeaderField> fields) {
		this.kind = kind;
		this.bytes = bytes;
		this.length = length;
		this.fields = fields;
	}

	/** Returns header fields. */
	public static PassedPart head(List<HeaderField> fields) {
		return new PassedPart(Kind.HEAD, OutboundFrame.NOTHING, 0, fields);
	}

	/** Returns a copy of bytes of the body. */
	public static PassedPart data(byte[] source, int from, int to) {
		return new PassedPart(Kind.DATA, OutboundFrame.copy(source, from, to), to - from, null);
	}

	/**
	 * Returns the end of a message.
	 * @param trailers null if the last DATA is the end
	 */
	public static PassedPart end(@Nullable List<HeaderField> trailers) {
		return new PassedPart(Kind.END, OutboundFrame.NOTHING, 0, trailers);
	}

	public Kind kind() {
		return this.kind;
	}

	/** Returns an array that begins with the bytes of DATA. */
	public byte[] bytes() {
		return this.bytes;
	}

	/** Returns the number of bytes of DATA. */
	public int length() {
		return this.length;
	}

	/** Returns the memory of the part, in bytes. */
	public int memory() {
		int memory = this.length;
		if (this.fields != null) {
			for (HeaderField each : this.fields) {
				memory += each.memory();
			}
		}
		return memory;
	}

	/** Returns header fields or trailers, null without any. */
	public @Nullable List<HeaderField> fields() {
		return this.fields;
	}

	/** Returns true for the end of a message without trailers. */
	public boolean isBareEnd() {
		return this.kind == Kind.END && this.fields == null;
	}

}
