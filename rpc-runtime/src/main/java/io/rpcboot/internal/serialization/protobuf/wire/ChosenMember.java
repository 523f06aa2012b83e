package io.rpcboot.internal.serialization.protobuf.wire;

import org.jspecify.annotations.Nullable;

/**
 * Member of a {@code oneof} that is being read. An input uses its instances again, so a
 * message with one allocates nothing for it.
 */
public final class ChosenMember {

	/** Heap size of an instance, in bytes. */
	static final int SIZE = 32;

	/** Field of the member that was read last, null before the first one. */
	public @Nullable Object field;

	/** State of that field. */
	public @Nullable Object state;

	/** Number of a member that this side does not know, 0 if none has come. */
	public int unknown;

	/** Next instance that is free. */
	@Nullable ChosenMember next;

}
