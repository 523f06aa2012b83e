package io.rpcboot.internal.serialization.protobuf.composite;

import java.util.List;
import java.util.Map;

import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.MessageType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Message around a value that is not one value of protobuf, such as a list within a list:
 * its only field has the number 1.
 */
public final class WrapperType extends MessageType {

	/** Heap size of the array for the value, in bytes. */
	private static final int WEIGHT = 24;

	private final TypeRef ref;

	private final MessageFields fields;

	/**
	 * Creates a type.
	 * @param ref the type in the contract, for the name of the message
	 * @param name name of the field
	 */
	public WrapperType(TypeRef ref, String name, FieldType content) {
		super(WEIGHT);
		this.ref = ref;
		this.fields = new MessageFields(List.of(new Slot(1, 0, name, "", content)));
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		try {
			this.fields.slot(0).write(out, value);
		}
		catch (RuntimeException ex) {
			throw PathException.through(value, ex);
		}
	}

	@Override
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		@Nullable Object[] values = (before != null) ? (@Nullable Object[]) before : new @Nullable Object[1];
		this.fields.readPart(in, values);
		return values;
	}

	@Override
	protected @Nullable Object create(ProtobufInput in, Object state) {
		@Nullable Object[] values = (@Nullable Object[]) state;
		this.fields.finish(in, values);
		return values[0];
	}

	@Override
	public TypeName name(Declarations file) {
		return file.message(this.ref, () -> this.fields.declare(file, Map.of()), List.of());
	}

}
