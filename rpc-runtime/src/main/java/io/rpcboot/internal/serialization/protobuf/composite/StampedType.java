package io.rpcboot.internal.serialization.protobuf.composite;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.MessageType;
import io.rpcboot.internal.serialization.protobuf.scalar.ValueTypes;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import org.jspecify.annotations.Nullable;

/**
 * Holder with a stamp, such as {@code AtomicStampedReference}: a message of the value (1)
 * and the stamp (2).
 */
public final class StampedType extends MessageType {

	/** Heap size of an instance and of the array for its values, in bytes. */
	private static final int WEIGHT = 64;

	private final HolderNode node;

	private final MessageFields fields;

	public StampedType(HolderNode node, FieldType held) {
		super(WEIGHT);
		this.node = node;
		this.fields = new MessageFields(
				List.of(new Slot(1, 0, "value", "", held), new Slot(2, 1, "stamp", "", ValueTypes.of(int.class))));
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		this.fields.slot(0).write(out, this.node.kind().get(value));
		this.fields.slot(1).write(out, this.node.kind().stamp(value));
	}

	@Override
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		@Nullable Object[] values = (before != null) ? (@Nullable Object[]) before : new @Nullable Object[2];
		this.fields.readPart(in, values);
		return values;
	}

	@Override
	protected Object create(ProtobufInput in, Object state) {
		@Nullable Object[] values = (@Nullable Object[]) state;
		this.fields.finish(in, values);
		return this.node.kind().create(values[0], (Integer) Objects.requireNonNull(values[1]));
	}

	@Override
	public TypeName name(Declarations file) {
		return file.message(this.node.ref(), () -> this.fields.declare(file, Map.of()), List.of());
	}

}
