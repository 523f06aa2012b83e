package io.rpcboot.serialization.protostuff;

import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicStampedReference;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * A reference with a stamp, or with a mark, which is the stamp 0 or 1: a group of the
 * value (1), if it is not null, and the stamp (2).
 */
final class StampedType extends ValueType {

	private static final int STAMP = 2;

	private static final int STAMP_TAG = WireFormat.makeTag(STAMP, WireFormat.WIRETYPE_VARINT);

	private final boolean isMark;

	private final ValueType value;

	StampedType(boolean isMark, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, 40);
		this.isMark = isMark;
		this.value = value;
	}

	private Class<?> type() {
		return this.isMark ? AtomicMarkableReference.class : AtomicStampedReference.class;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object reference) {
		Exact.require(reference, type());
		int[] stamp = new int[1];
		boolean[] mark = new boolean[1];
		Object held = this.isMark ? ((AtomicMarkableReference<?>) reference).get(mark)
				: ((AtomicStampedReference<?>) reference).get(stamp);
		Groups.start(out, number);
		if (held != null) {
			this.value.writeField(out, 1, held);
		}
		NumberOutput.writeInt32(out, STAMP, mark[0] ? 1 : stamp[0]);
		Groups.end(out, number);
	}

	@Override
	Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		Object held = this.value.takeField(in, 1);
		if (!in.tryTag(STAMP_TAG)) {
			throw new PathException("tag %d (expected: field %d)".formatted(in.readTag(), STAMP));
		}
		Object reference = this.isMark ? new AtomicMarkableReference<>(held, NumberInput.readBool(in))
				: new AtomicStampedReference<>(held, NumberInput.readInt32(in));
		Groups.leave(in, end);
		return reference;
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(type().getName(), this.value.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new StampedType(this.isMark, this.value.translate(translator.argument(written, 0), translator));
	}

}
