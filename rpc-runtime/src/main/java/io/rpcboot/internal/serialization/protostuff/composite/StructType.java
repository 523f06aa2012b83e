package io.rpcboot.internal.serialization.protostuff.composite;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.kind.Creator;
import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractMember;
import org.jspecify.annotations.Nullable;

/**
 * Class with fields: a group whose fields have rising numbers. A reader checks each field
 * in turn, and refuses fields that are left over. A field that did not arrive is set to
 * null or zero, whatever a no-arg constructor put into it. Linked to its fields after it
 * was created, because a field may hold the class itself. The first message that needs
 * handles creates them, because most services of a process are rarely called. Thread-safe
 * once linked.
 */
public final class StructType extends ValueType {

	private final StructNode node;

	private final StructClass type;

	private final boolean isFilled;

	private final int size;

	/** Types of the node's parts; null for a part that only the writer has. */
	private @Nullable ValueType[] values = {};

	/** Created by the first instance that is written. */
	private volatile MethodHandle @Nullable [] writers;

	/** Created by the first instance that is read. */
	private volatile MethodHandle @Nullable [] readers;

	/** True for each own field that the writer has, by index. */
	private boolean[] present = {};

	/** Creator for the fields of the writer; null for a class that is filled. */
	private @Nullable Creator creator;

	public StructType(StructNode node) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.node = node;
		this.type = node.type();
		this.isFilled = this.type.isFilled();
		this.size = this.type.size();
	}

	public void link(Function<Node, ValueType> types) {
		List<Part> parts = this.node.parts();
		this.values = new @Nullable ValueType[parts.size()];
		this.present = new boolean[this.type.fields().size()];
		for (int i = 0; i < this.values.length; i++) {
			StructField field = parts.get(i).field();
			if (field != null) {
				this.values[i] = types.apply(parts.get(i).type());
				this.present[field.index()] = true;
			}
		}
		this.creator = this.isFilled ? null : this.type.creator(this.present);
	}

	private synchronized MethodHandle[] makeWriters() {
		MethodHandle[] result = this.writers;
		if (result == null) {
			List<MethodHandle> each = new ArrayList<>();
			for (int i = 0; i < this.values.length; i++) {
				Part part = this.node.parts().get(i);
				each.add(FieldHandles.writer(Objects.requireNonNull(part.field()), part.written().number(),
						Objects.requireNonNull(this.values[i])));
			}
			result = FieldHandles.compose(each);
			this.writers = result;
		}
		return result;
	}

	private synchronized MethodHandle[] makeReaders() {
		MethodHandle[] result = this.readers;
		if (result == null) {
			List<MethodHandle> each = new ArrayList<>();
			addReaders(each);
			result = FieldHandles.compose(each);
			this.readers = result;
		}
		return result;
	}

	private void addReaders(List<MethodHandle> readers) {
		int first = 0;
		for (int i = 0; i < this.values.length; i++) {
			Part each = this.node.parts().get(i);
			StructField field = each.field();
			if (field != null) {
				MethodHandle setter = this.isFilled ? field.setter() : FieldHandles.elementSetter(field);
				readers.add(FieldHandles.reader(each, field, setter, Objects.requireNonNull(this.values[i])));
				first = 0;
				continue;
			}
			if (first > 0) {
				readers.remove(readers.size() - 1);
			}
			first = (first > 0) ? first : each.written().number();
			readers.add(FieldHandles.skipper(first, each.written().number()));
		}
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		Object exact = (value.getClass() == this.type.javaType()) ? value : this.type.exact(value);
		out.startGroup(number);
		writeFields(out, exact);
		out.endGroup(number);
	}

	public void writeFields(ProtostuffOutput out, Object instance) {
		MethodHandle[] known = this.writers;
		MethodHandle[] writers = (known != null) ? known : makeWriters();
		try {
			for (MethodHandle each : writers) {
				each.invokeExact(out, instance);
			}
		}
		catch (Throwable ex) {
			throw PathException.through(instance, ex);
		}
	}

	@Override
	public Object read(ProtostuffInput in) {
		int end = in.enterGroup();
		in.charge(this.size);
		Object value = this.isFilled ? fill(this.type.create(), in) : construct(in);
		int tag = in.readTag();
		if (tag != end) {
			throw unknown(tag);
		}
		in.leaveGroup();
		return value;
	}

	private Object construct(ProtostuffInput in) {
		@Nullable Object[] values = this.type.values();
		in.note(2 * (ReadBudget.OBJECT + (long) values.length * Integer.BYTES));
		fill(values, in);
		return this.type.create(Objects.requireNonNull(this.creator), values, this.present);
	}

	/** Fills a bean, or the array of values for a constructor. */
	private Object fill(Object target, ProtostuffInput in) {
		MethodHandle[] known = this.readers;
		MethodHandle[] readers = (known != null) ? known : makeReaders();
		try {
			for (MethodHandle each : readers) {
				each.invokeExact(in, target);
			}
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
		return target;
	}

	private PathException unknown(int tag) {
		return new PathException("unexpected field number %d of wire type %d (expected: the fields of %s: %s)"
			.formatted(WireFormat.getTagFieldNumber(tag), WireFormat.getTagWireType(tag), this.type,
					PathException.some(this.node.parts().stream().map(Part::written).map(StructType::text))));
	}

	private static String text(ContractMember member) {
		return "%d %s %s".formatted(member.number(), member.name(), member.type());
	}

}
