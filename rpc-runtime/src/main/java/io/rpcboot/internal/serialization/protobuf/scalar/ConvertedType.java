package io.rpcboot.internal.serialization.protobuf.scalar;

import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import org.jspecify.annotations.Nullable;

/**
 * Class that is written as a repeated field, such as the surrogate of a delegate that is
 * a list.
 */
final class ConvertedType extends FieldType {

	/** Heap size of an instance, in bytes, see {@link SurrogateType}. */
	private static final int WEIGHT = 72;

	private final ScalarSurrogate conversion;

	private final FieldType basis;

	ConvertedType(ScalarSurrogate conversion, FieldType basis) {
		this.conversion = conversion;
		this.basis = basis;
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		this.basis.writeField(out, number, (value != null) ? this.conversion.write(value) : null);
	}

	@Override
	public @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		return this.basis.readField(in, tag, before);
	}

	@Override
	public @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		Object simple = this.basis.finish(in, state);
		in.charge(WEIGHT);
		return (simple != null) ? this.conversion.read(simple, in) : null;
	}

	@Override
	public FieldDeclaration declare(Declarations file, String name, int number) {
		return this.basis.declare(file, name, number);
	}

}
