package io.rpcboot.internal.serialization.protobuf.scalar;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractMember;
import org.jspecify.annotations.Nullable;

/**
 * Enum. Null is 0, the constants follow from 1. If a constant has 0, an absent field is
 * that constant, and null is refused. An unknown number is read as the
 * {@code @RpcEnumDefault} constant, else as null.
 */
public final class EnumType extends SingularType {

	/** Value to write for null, and state of a field whose number is unknown. */
	private static final Object UNSPECIFIED = new Object();

	private final EnumNode node;

	private final LockLine line;

	private final int[] numbers;

	private final Map<Integer, Enum<?>> constants = new HashMap<>();

	private final @Nullable Enum<?> unknown;

	/** Constant with the number 0. */
	private final @Nullable Enum<?> zero;

	public EnumType(EnumNode node, Numbering numbering) {
		super(WireFormat.WIRETYPE_VARINT, 0);
		this.node = node;
		this.unknown = EnumNode.defaultConstant(node.javaType());
		EnumNumbers declared = EnumNumbers.of(node);
		List<ContractMember> members = declared.members();
		this.line = numbering.numberConstants(node.javaType().getName(), node.definition().aliases(), members,
				declared.isTagged());
		this.numbers = members.stream().map(ContractMember::name).mapToInt(this.line.numbers()::get).toArray();
		for (EnumNode.Constant each : node.constants()) {
			Enum<?> constant = (Enum<?>) node.javaType().getEnumConstants()[each.written().number()];
			this.constants.put(this.numbers[constant.ordinal()], constant);
		}
		this.zero = this.constants.get(0);
	}

	private int numberOf(Object value) {
		if (value == UNSPECIFIED && this.zero != null) {
			throw refusalOfNull(this.zero);
		}
		return (value == UNSPECIFIED) ? 0 : this.numbers[((Enum<?>) this.node.javaType().cast(value)).ordinal()];
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		out.writeInt32(number, numberOf(value));
	}

	private static PathException refusalOfNull(Enum<?> zero) {
		return new PathException("null (expected: a constant of %s, because 0 is %s over gRPC)"
			.formatted(zero.getDeclaringClass().getTypeName(), zero.name()));
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		if (value == null && this.zero != null) {
			throw refusalOfNull(this.zero);
		}
		if (value != this.zero) {
			super.writeField(out, number, value);
		}
	}

	@Override
	public void pack(ProtobufOutput out, Object value) {
		out.packVarint(numberOf(value));
	}

	@Override
	public @Nullable Object read(ProtobufInput in) {
		int number = in.readInteger();
		Enum<?> known = this.constants.get(number);
		return (number != 0 && known == null) ? this.unknown : known;
	}

	@Override
	public @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		Object read = super.readField(in, tag, before);
		return (read == null && this.zero != null) ? UNSPECIFIED : read;
	}

	@Override
	public @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		if (this.zero == null) {
			return state;
		}
		return (state == null) ? this.zero : (state == UNSPECIFIED) ? null : state;
	}

	@Override
	public Object ofNull() {
		return UNSPECIFIED;
	}

	@Override
	public TypeName name(Declarations file) {
		return file.enumeration(this.node.ref(), this.node.javaType(), this.line.numbers(), this.line.reserved());
	}

	@Override
	protected Label label() {
		return Label.IMPLICIT;
	}

}
