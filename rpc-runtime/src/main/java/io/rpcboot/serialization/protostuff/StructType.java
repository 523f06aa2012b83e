package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.types.Node;
import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.ReadBudget;
import io.rpcboot.serialization.types.StructClass;
import io.rpcboot.serialization.types.StructField;
import io.rpcboot.serialization.types.StructNode;
import io.rpcboot.serialization.types.StructNode.Part;

import org.jspecify.annotations.Nullable;

/**
 * A class with fields. On the wire a group whose fields rise by number, so that a reader
 * asks each field in turn whether it is next, and what is left over is an error. What a
 * no-arg constructor put into a field never survives: a field that did not arrive is set
 * to null or zero. It is linked to its fields after it was made, because a field may hold
 * the class itself.
 */
final class StructType extends ValueType {

	private final StructNode node;

	private final StructClass type;

	private final boolean isFilled;

	private final int size;

	private MethodHandle[] writers = {};

	/**
	 * Of a class that is filled {@code (ProtostuffInput, Object)void}, else
	 * {@code (ProtostuffInput)Object}.
	 */
	private MethodHandle[] readers = {};

	/** The field that each reader takes, or -1. */
	private int[] indexes = {};

	/** Which own fields the writer has. */
	private boolean[] present = {};

	StructType(StructNode node) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.node = node;
		this.type = node.type();
		this.isFilled = this.type.isFilled();
		this.size = this.type.size();
	}

	void link(Function<Node, ValueType> types) {
		if (this.node.isOwn()) {
			this.writers = Fields.compose(this.node.parts().stream().map((each) -> writer(each, types)).toList());
		}
		List<MethodHandle> readers = new ArrayList<>();
		List<Integer> indexes = new ArrayList<>();
		this.present = new boolean[this.type.fields().size()];
		int first = 0;
		for (Part each : this.node.parts()) {
			StructField field = each.field();
			if (field != null) {
				ValueType value = types.apply(each.type());
				readers.add(this.isFilled ? Fields.reader(each, field, value) : Fields.taker(each, field, value));
				indexes.add(field.index());
				this.present[field.index()] = true;
				first = 0;
				continue;
			}
			if (first > 0) {
				readers.remove(readers.size() - 1);
				indexes.remove(indexes.size() - 1);
			}
			first = (first > 0) ? first : each.written().number();
			MethodHandle skip = Fields.skipper(first, each.written().number());
			readers.add(this.isFilled ? MethodHandles.dropArguments(skip, 1, Object.class)
					: MethodHandles.filterReturnValue(skip, MethodHandles.constant(Object.class, null)));
			indexes.add(-1);
		}
		this.readers = this.isFilled ? Fields.compose(readers) : readers.toArray(MethodHandle[]::new);
		this.indexes = indexes.stream().mapToInt(Integer::intValue).toArray();
	}

	private static MethodHandle writer(Part part, Function<Node, ValueType> types) {
		return Fields.writer(Objects.requireNonNull(part.field()), part.written().number(), types.apply(part.type()));
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		if (value.getClass() != this.type.javaType()) {
			this.type.requireExact(value);
		}
		Groups.start(out, number);
		writeFields(out, value);
		Groups.end(out, number);
	}

	void writeFields(ProtostuffOutput out, Object instance) {
		try {
			for (MethodHandle each : this.writers) {
				each.invokeExact(out, instance);
			}
		}
		catch (Throwable ex) {
			throw PathException.through(instance, ex);
		}
	}

	@Override
	Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		in.charge(this.size);
		Object value = this.isFilled ? fill(in) : construct(in);
		int tag = in.readTag();
		if (tag != end) {
			throw unknown(tag);
		}
		Groups.leave(in);
		return value;
	}

	private Object fill(ProtostuffInput in) {
		Object bean = this.type.create();
		try {
			for (MethodHandle each : this.readers) {
				each.invokeExact(in, bean);
			}
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
		return bean;
	}

	private Object construct(ProtostuffInput in) {
		@Nullable Object[] values = this.type.values();
		MethodHandle[] takers = this.readers;
		in.note(2 * (ReadBudget.OBJECT + (long) values.length * Integer.BYTES));
		try {
			for (int i = 0; i < takers.length; i++) {
				Object value = (Object) takers[i].invokeExact(in);
				if (this.indexes[i] >= 0) {
					values[this.indexes[i]] = value;
				}
			}
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
		return this.type.create(values, this.present);
	}

	private PathException unknown(int tag) {
		return new PathException("unexpected field number %d of wire type %d (expected: the fields of %s: %s)"
			.formatted(WireFormat.getTagFieldNumber(tag), WireFormat.getTagWireType(tag), this.type,
					this.node.parts()
						.stream()
						.map(Part::written)
						.map(StructType::text)
						.collect(Collectors.joining(", "))));
	}

	private static String text(ContractMember member) {
		return "%d %s %s".formatted(member.number(), member.name(), member.type());
	}

}
