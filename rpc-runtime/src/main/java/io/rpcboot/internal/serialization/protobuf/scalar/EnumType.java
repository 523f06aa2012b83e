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
import io.rpcboot.serialization.contract.ContractMember;
import org.jspecify.annotations.Nullable;

/**
 * Enum. Null is 0, the constants follow from 1. An unknown number is read as the
 * {@code @RpcEnumDefault} constant, else as null.
 */
public final class EnumType extends SingularType {

	/** Value to write for null. */
	private static final Object UNSPECIFIED = new Object();

	private final EnumNode node;

	private final LockLine line;

	private final int[] numbers;

	private final Map<Integer, Enum<?>> constants = new HashMap<>();

	private final @Nullable Enum<?> unknown;

	public EnumType(EnumNode node, Numbering numbering) {
		super(WireFormat.WIRETYPE_VARINT, 0);
		this.node = node;
		this.unknown = EnumNode.defaultConstant(node.javaType());
		List<ContractMember> members = node.constants()
			.stream()
			.map(EnumNode.Constant::written)
			.map((each) -> new ContractMember(each.number() + 1, each.name(), each.type(), each.aliases()))
			.toList();
		this.line = numbering.number(node.javaType().getName(), node.definition().aliases(), members, false);
		this.numbers = members.stream().map(ContractMember::name).mapToInt(this.line.numbers()::get).toArray();
		for (EnumNode.Constant each : node.constants()) {
			Enum<?> constant = (Enum<?>) node.javaType().getEnumConstants()[each.written().number()];
			this.constants.put(this.numbers[constant.ordinal()], constant);
		}
	}

	private int numberOf(Object value) {
		return (value == UNSPECIFIED) ? 0 : this.numbers[((Enum<?>) this.node.javaType().cast(value)).ordinal()];
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		out.writeInt32(number, numberOf(value));
	}

	@Override
	public void pack(ProtobufOutput out, Object value) {
		out.packVarint(numberOf(value));
	}

	@Override
	public @Nullable Object read(ProtobufInput in) {
		int number = in.readInteger();
		Enum<?> known = (number != 0) ? this.constants.get(number) : null;
		return (number != 0 && known == null) ? this.unknown : known;
	}

	@Override
	public Object ofNull() {
		return UNSPECIFIED;
	}

	@Override
	public TypeName name(Declarations file) {
		return file.enumeration(this.node.ref(), this.line.numbers(), this.line.reserved());
	}

	@Override
	protected Label label() {
		return Label.IMPLICIT;
	}

}
