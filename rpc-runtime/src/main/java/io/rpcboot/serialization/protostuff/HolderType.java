package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * What holds one value or none: a group that holds the value as field 1, or nothing.
 */
final class HolderType extends ValueType {

	private final ServiceHolder kind;

	private final ValueType value;

	HolderType(ServiceHolder kind, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, Groups.ARRAY);
		this.kind = kind;
		this.value = value;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object holder) {
		Exact.require(holder, this.kind.javaType());
		Groups.start(out, number);
		Object held = this.kind.get(holder);
		if (held != null) {
			this.value.writeField(out, 1, held);
		}
		Groups.end(out, number);
	}

	@Override
	Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		Object held = this.value.takeField(in, 1);
		Groups.leave(in, end);
		return this.kind.create(held);
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.kind.javaType().getName(), this.value.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new HolderType(this.kind, this.value.translate(translator.argument(written, 0), translator));
	}

}
