package io.rpcboot.serialization.fory;

import java.util.List;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A primitive type or its box. A primitive has no flag before it. What a writer declares
 * as another type of the same family is converted.
 */
final class ForyScalar extends ForyType {

	private static final List<Class<?>> PRIMITIVES = List.of(byte.class, short.class, int.class, long.class,
			float.class, double.class, boolean.class, char.class);

	private static final List<Class<?>> BOXES = List.of(Byte.class, Short.class, Integer.class, Long.class, Float.class,
			Double.class, Boolean.class, Character.class);

	private static final int FLOAT = 4;

	private static final int DOUBLE = 5;

	private static final int BOOLEAN = 6;

	private static final int CHAR = 7;

	private final int own;

	private final boolean ownPrimitive;

	private final int written;

	private final boolean writtenPrimitive;

	private ForyScalar(String own, String written) {
		super(BOXES.get(kind(own)));
		this.own = kind(own);
		this.ownPrimitive = isPrimitive(own);
		this.written = kind(written);
		this.writtenPrimitive = isPrimitive(written);
	}

	/** Null if it is neither a primitive nor a box. */
	static @Nullable ForyScalar of(String own, String written) {
		return (kind(own) >= 0 && kind(written) >= 0) ? new ForyScalar(own, written) : null;
	}

	private static int kind(String name) {
		for (int i = 0; i < PRIMITIVES.size(); i++) {
			if (PRIMITIVES.get(i).getName().equals(name) || BOXES.get(i).getName().equals(name)) {
				return i;
			}
		}
		return -1;
	}

	private static boolean isPrimitive(String name) {
		return PRIMITIVES.stream().anyMatch((each) -> each.getName().equals(name));
	}

	/** The own class, primitive or not. */
	Class<?> declared() {
		return (this.ownPrimitive ? PRIMITIVES : BOXES).get(this.own);
	}

	/** What the writer's value is as the own type. */
	@Nullable Object convert(@Nullable Object value) {
		if (value == null) {
			return this.ownPrimitive ? zero() : null;
		}
		if (value instanceof Number number) {
			return convert(number.longValue(), number.doubleValue());
		}
		return value;
	}

	@Override
	void writeNullable(ForyOutput out, @Nullable Object value) {
		if (!this.ownPrimitive) {
			super.writeNullable(out, value);
			return;
		}
		if (value == null) {
			throw new ForyFailure("null (expected: %s)".formatted(PRIMITIVES.get(this.own)));
		}
		write(out, value);
		out.passOn();
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireExactly(javaType(), value);
		MemoryBuffer buffer = out.buffer;
		switch (this.own) {
			case 0 -> buffer.writeByte((byte) value);
			case 1 -> buffer.writeInt16((short) value);
			case 2 -> buffer.writeVarInt32((int) value);
			case 3 -> buffer.writeVarInt64((long) value);
			case FLOAT -> buffer.writeFloat32((float) value);
			case DOUBLE -> buffer.writeFloat64((double) value);
			case BOOLEAN -> buffer.writeByte((boolean) value ? 1 : 0);
			default -> buffer.writeInt16((short) (char) value);
		}
	}

	@Override
	@Nullable Object readNullable(ForyInput in) {
		Object value = (this.writtenPrimitive || in.flag()) ? read(in) : null;
		return (value == null && this.ownPrimitive) ? zero() : value;
	}

	/** What the writer's null box is as a primitive. */
	private Object zero() {
		return switch (this.own) {
			case BOOLEAN -> false;
			case CHAR -> '\0';
			default -> convert(0, 0);
		};
	}

	@Override
	Object read(ForyInput in) {
		MemoryBuffer buffer = in.buffer;
		in.budget.charge(ReadBudget.BOX);
		return switch (this.written) {
			case 0 -> convert(buffer.readByte(), 0);
			case 1 -> convert(buffer.readInt16(), 0);
			case 2 -> convert(buffer.readVarInt32(), 0);
			case 3 -> convert(buffer.readVarInt64(), 0);
			case FLOAT -> convert(0, buffer.readFloat32());
			case DOUBLE -> buffer.readFloat64();
			case BOOLEAN -> in.flag();
			default -> (char) buffer.readInt16();
		};
	}

	private Object convert(long integer, double floating) {
		return switch (this.own) {
			case 0 -> (byte) within(integer, Byte.MIN_VALUE, Byte.MAX_VALUE);
			case 1 -> (short) within(integer, Short.MIN_VALUE, Short.MAX_VALUE);
			case 2 -> (int) within(integer, Integer.MIN_VALUE, Integer.MAX_VALUE);
			case 3 -> integer;
			case FLOAT -> (float) floating;
			default -> floating;
		};
	}

	private static long within(long value, long least, long most) {
		if (value < least || value > most) {
			throw new ForyFailure("%d (expected: %d to %d)".formatted(value, least, most));
		}
		return value;
	}

}
