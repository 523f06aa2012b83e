package io.rpcboot.internal.serialization.protobuf.composite;

import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.kind.HolderKind;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;

/**
 * Holder of one value or none, such as {@code Optional}: an {@code optional} field. Null
 * arrives as an empty holder.
 */
public final class HolderType extends FieldType {

	private final HolderKind kind;

	private final SingularType held;

	public HolderType(HolderKind kind, SingularType held) {
		this.kind = kind;
		this.held = held;
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object holder) {
		Object value = (holder != null) ? this.kind.get(holder) : null;
		if (value != null) {
			this.held.write(out, number, value);
		}
	}

	@Override
	public @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		return this.held.readField(in, tag, before);
	}

	@Override
	public Object finish(ProtobufInput in, @Nullable Object state) {
		in.charge(ReadBudget.OBJECT);
		return this.kind.create((state != null) ? this.held.finish(in, state) : null, 0);
	}

	@Override
	public FieldDeclaration declare(Declarations file, String name, int number) {
		return new FieldDeclaration(name, number, Label.OPTIONAL, this.held.name(file), null);
	}

}
