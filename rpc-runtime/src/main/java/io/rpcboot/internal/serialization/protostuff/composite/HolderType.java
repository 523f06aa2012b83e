package io.rpcboot.internal.serialization.protostuff.composite;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.kind.HolderKind;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;

/**
 * Holder of one value or none, such as {@code Optional}: a group of the value (1), unless
 * it is null, and the stamp (2), if the kind has one.
 */
public final class HolderType extends ValueType {

	private static final int STAMP = 2;

	private static final int STAMP_TAG = WireFormat.makeTag(STAMP, WireFormat.WIRETYPE_VARINT);

	/** Heap size of a holder with a stamp, in bytes. */
	private static final int STAMPED = 40;

	private final HolderKind kind;

	private final ValueType value;

	public HolderType(HolderKind kind, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, kind.isStamped() ? STAMPED : ReadBudget.OBJECT);
		this.kind = kind;
		this.value = value;
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object holder) {
		Object held = this.kind.get(holder);
		out.startGroup(number);
		if (held != null) {
			this.value.writeField(out, 1, held);
		}
		if (this.kind.isStamped()) {
			out.writeInt32(STAMP, this.kind.stamp(holder));
		}
		out.endGroup(number);
	}

	@Override
	public Object read(ProtostuffInput in) {
		int end = in.enterGroup();
		Object held = this.value.takeField(in, 1);
		int stamp = 0;
		if (this.kind.isStamped()) {
			if (!in.tryTag(STAMP_TAG)) {
				throw new PathException("tag %d (expected: field %d)".formatted(in.readTag(), STAMP));
			}
			stamp = in.readInt32();
		}
		in.leaveGroup(end);
		return this.kind.create(held, stamp);
	}

}
