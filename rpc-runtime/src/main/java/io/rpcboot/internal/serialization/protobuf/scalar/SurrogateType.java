package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import org.jspecify.annotations.Nullable;

/**
 * Class that is written as a simpler value, such as a date as its text.
 */
final class SurrogateType extends SingularType {

	/**
	 * Heap size of an instance, in bytes: three objects. Larger instances are charged by
	 * their readers.
	 */
	private static final int WEIGHT = 72;

	private final ScalarSurrogate conversion;

	private final SingularType basis;

	SurrogateType(ScalarSurrogate conversion, SingularType basis) {
		super(basis.isPacked() ? WireFormat.WIRETYPE_VARINT : WireFormat.WIRETYPE_LENGTH_DELIMITED,
				basis.isPacked() ? ReadBudget.BOX : WEIGHT + basis.weight());
		this.conversion = conversion;
		this.basis = basis;
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		this.basis.write(out, number, this.conversion.write(value));
	}

	@Override
	public void pack(ProtobufOutput out, Object value) {
		this.basis.pack(out, this.conversion.write(value));
	}

	@Override
	public @Nullable Object read(ProtobufInput in) {
		Object simple = this.basis.read(in);
		return (simple != null) ? this.conversion.read(simple, in) : null;
	}

	/**
	 * Reads the simpler value, which {@link #finish} converts: only the last one counts.
	 */
	@Override
	public @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		if (before == null) {
			in.note(weight() - this.basis.weight());
		}
		return this.basis.readField(in, tag, before);
	}

	@Override
	public @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		Object simple = this.basis.finish(in, state);
		return (simple != null) ? this.conversion.read(simple, in) : null;
	}

	@Override
	public boolean isMapKey() {
		return this.basis.isMapKey();
	}

	@Override
	public TypeName name(Declarations file) {
		TypeName name = this.basis.name(file);
		String form = TextForms.of(this.conversion.javaType());
		return (form != null) ? name.withForm(form) : name;
	}

}
