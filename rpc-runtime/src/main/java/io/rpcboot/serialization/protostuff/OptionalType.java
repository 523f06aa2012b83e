package io.rpcboot.serialization.protostuff;

import java.util.Optional;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * An {@link Optional}: a group that holds the value as field 1, or nothing.
 */
final class OptionalType extends ValueType {

	private final ValueType value;

	OptionalType(ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, Groups.ARRAY);
		this.value = value;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object optional) {
		Groups.start(out, number);
		Object held = ((Optional<?>) optional).orElse(null);
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
		return Optional.ofNullable(held);
	}

	@Override
	TypeRef ref() {
		return TypeRef.of("java.util.Optional", this.value.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new OptionalType(this.value.translate(translator.argument(written, 0), translator));
	}

}
