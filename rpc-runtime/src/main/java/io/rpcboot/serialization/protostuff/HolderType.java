package io.rpcboot.serialization.protostuff;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * What holds one value or none: a group that holds the value as field 1, or nothing.
 */
final class HolderType extends ValueType {

	private final Kind kind;

	private final ValueType value;

	HolderType(Kind kind, ValueType value) {
		super(WireFormat.WIRETYPE_START_GROUP, Groups.ARRAY);
		this.kind = kind;
		this.value = value;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object holder) {
		Exact.require(holder, this.kind.type);
		Groups.start(out, number);
		Object held = this.kind.getter.apply(holder);
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
		return this.kind.factory.apply(held);
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.kind.type.getName(), this.value.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new HolderType(this.kind, this.value.translate(translator.argument(written, 0), translator));
	}

	/** What holds the value. */
	enum Kind {

		OPTIONAL(Optional.class, (holder) -> ((Optional<?>) holder).orElse(null), Optional::ofNullable),

		REFERENCE(AtomicReference.class, (holder) -> ((AtomicReference<?>) holder).get(), AtomicReference::new);

		private final Class<?> type;

		private final Function<Object, @Nullable Object> getter;

		private final Function<@Nullable Object, Object> factory;

		Kind(Class<?> type, Function<Object, @Nullable Object> getter, Function<@Nullable Object, Object> factory) {
			this.type = type;
			this.getter = getter;
			this.factory = factory;
		}

	}

}
