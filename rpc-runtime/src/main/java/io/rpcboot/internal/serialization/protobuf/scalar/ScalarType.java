package io.rpcboot.internal.serialization.protobuf.scalar;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Primitive, whose zero is absent, or its box, a text or a byte array, which are
 * {@code optional}.
 */
public final class ScalarType extends SingularType {

	static final List<ScalarType> ALL = all();

	private final Kind kind;

	private final boolean isPrimitive;

	private ScalarType(Kind kind, boolean isPrimitive) {
		super(kind.wireType, (kind.javaType == boolean.class || !kind.javaType.isPrimitive()) ? 0 : ReadBudget.BOX);
		this.kind = kind;
		this.isPrimitive = isPrimitive;
	}

	private static List<ScalarType> all() {
		List<ScalarType> all = new ArrayList<>();
		for (Kind each : Kind.values()) {
			all.add(new ScalarType(each, false));
			if (each.javaType.isPrimitive()) {
				all.add(new ScalarType(each, true));
			}
		}
		return List.copyOf(all);
	}

	/** Returns the type of a primitive. */
	static ScalarType of(Class<?> primitive) {
		return ALL.stream().filter((each) -> each.javaType() == primitive).findFirst().orElseThrow();
	}

	private static void refuse(ProtobufOutput out, Object value) {
		throw new IllegalStateException("values behind a length are not packed");
	}

	Class<?> javaType() {
		return this.isPrimitive ? this.kind.javaType : Numbers.box(this.kind.javaType);
	}

	/**
	 * Returns the type of the number in the method {@code put} of the output; null for
	 * any other type than a primitive.
	 */
	public @Nullable Class<?> carrier() {
		boolean isInt = this.kind.type == TypeName.INT32 || this.kind.type == TypeName.UINT32;
		return !this.isPrimitive ? null : isInt ? int.class : this.kind.javaType;
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		this.kind.writer.write(out, number, value);
	}

	@Override
	public void pack(ProtobufOutput out, Object value) {
		this.kind.packer.accept(out, value);
	}

	@Override
	public Object read(ProtobufInput in) {
		return this.kind.reader.apply(in);
	}

	@Override
	public boolean isMapKey() {
		return this.kind.type.isKey();
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		if (!this.isPrimitive) {
			super.writeField(out, number, value);
		}
		else if (value == null) {
			throw PathException.missing(TypeRef.of(this.kind.javaType.getName()));
		}
		else if (!value.equals(this.kind.zero)) {
			write(out, number, value);
		}
	}

	@Override
	public @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		return (state == null && this.isPrimitive) ? this.kind.zero : state;
	}

	@Override
	public TypeName name(Declarations file) {
		return this.kind.type;
	}

	@Override
	protected Label label() {
		return this.isPrimitive ? Label.IMPLICIT : Label.OPTIONAL;
	}

	/** Kind of number. */
	private enum Kind {

		BYTE(byte.class, TypeName.INT32, WireFormat.WIRETYPE_VARINT,
				(out, number, value) -> out.writeInt32(number, (Byte) value),
				(out, value) -> out.packVarint((Byte) value),
				(in) -> (byte) in.readNarrow(Byte.MIN_VALUE, Byte.MAX_VALUE), (byte) 0),

		SHORT(short.class, TypeName.INT32, WireFormat.WIRETYPE_VARINT,
				(out, number, value) -> out.writeInt32(number, (Short) value),
				(out, value) -> out.packVarint((Short) value),
				(in) -> (short) in.readNarrow(Short.MIN_VALUE, Short.MAX_VALUE), (short) 0),

		CHAR(char.class, TypeName.UINT32, WireFormat.WIRETYPE_VARINT,
				(out, number, value) -> out.writeInt32(number, (Character) value),
				(out, value) -> out.packVarint((Character) value),
				(in) -> (char) in.readNarrow(Character.MIN_VALUE, Character.MAX_VALUE), '\0'),

		INT(int.class, TypeName.INT32, WireFormat.WIRETYPE_VARINT,
				(out, number, value) -> out.writeInt32(number, (Integer) value),
				(out, value) -> out.packVarint((Integer) value), (in) -> in.readInteger(), 0),

		LONG(long.class, TypeName.INT64, WireFormat.WIRETYPE_VARINT,
				(out, number, value) -> out.writeInt64(number, (Long) value),
				(out, value) -> out.packVarint((Long) value), (in) -> in.readLargeInt64(), 0L),

		BOOLEAN(boolean.class, TypeName.BOOL, WireFormat.WIRETYPE_VARINT,
				(out, number, value) -> out.writeBool(number, (Boolean) value),
				(out, value) -> out.packVarint((Boolean) value ? 1 : 0), (in) -> in.readBoolean(), false),

		FLOAT(float.class, TypeName.FLOAT, WireFormat.WIRETYPE_FIXED32,
				(out, number, value) -> out.writeFloat(number, (Float) value),
				(out, value) -> out.packFloat((Float) value), (in) -> in.readFloat(), 0f),

		DOUBLE(double.class, TypeName.DOUBLE, WireFormat.WIRETYPE_FIXED64,
				(out, number, value) -> out.writeDouble(number, (Double) value),
				(out, value) -> out.packDouble((Double) value), (in) -> in.readDouble(), 0d),

		TEXT(String.class, TypeName.STRING, WireFormat.WIRETYPE_LENGTH_DELIMITED,
				(out, number, value) -> out.writeString(number, (String) value), ScalarType::refuse,
				(in) -> in.readString(), null),

		BYTES(byte[].class, TypeName.BYTES, WireFormat.WIRETYPE_LENGTH_DELIMITED,
				(out, number, value) -> out.writeByteArray(number, (byte[]) value), ScalarType::refuse,
				(in) -> in.readByteArray(), null);

		private final Class<?> javaType;

		private final TypeName type;

		private final int wireType;

		private final Writer writer;

		private final BiConsumer<ProtobufOutput, Object> packer;

		private final Function<ProtobufInput, Object> reader;

		private final @Nullable Object zero;

		Kind(Class<?> javaType, TypeName type, int wireType, Writer writer, BiConsumer<ProtobufOutput, Object> packer,
				Function<ProtobufInput, Object> reader, @Nullable Object zero) {
			this.javaType = javaType;
			this.type = type;
			this.wireType = wireType;
			this.writer = writer;
			this.packer = packer;
			this.reader = reader;
			this.zero = zero;
		}

	}

	/** Writes a box with its tag. */
	private interface Writer {

		void write(ProtobufOutput out, int number, Object value);

	}

}
