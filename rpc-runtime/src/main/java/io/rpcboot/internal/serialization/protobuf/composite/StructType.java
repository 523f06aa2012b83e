package io.rpcboot.internal.serialization.protobuf.composite;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.protostuff.Tag;
import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.MessageType;
import io.rpcboot.internal.serialization.protobuf.scalar.ScalarType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.kind.Creator;
import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractType.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Class with fields. An absent field is null, zero or empty, whatever a no-arg
 * constructor put into it, because protobuf does not write zeros. Linked to its fields
 * after it was created, because a field may hold the class itself. Thread-safe once
 * linked.
 */
public final class StructType extends MessageType {

	private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

	private static final MethodType WRITER = MethodType.methodType(void.class, ProtobufOutput.class, Object.class);

	private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

	private final StructNode node;

	private final StructClass type;

	/** True for an exception, of which subclasses are carried too. */
	private final boolean isException;

	private final LockLine line;

	private MessageFields fields = new MessageFields(List.of());

	private boolean[] present = {};

	private @Nullable Creator creator;

	/** Created by the first instance that is written. */
	private volatile MethodHandle @Nullable [] writers;

	public StructType(StructNode node, Numbering numbering) {
		super(0);
		this.node = node;
		this.type = node.type();
		this.isException = this.type.kind() == Kind.EXCEPTION;
		this.line = numbering.number(node.javaType().getName(), node.definition().aliases(),
				this.type.fields().stream().map(StructField::member).toList(), isTagged(node.javaType()));
	}

	private static boolean isTagged(@Nullable Class<?> type) {
		return type != null
				&& (Arrays.stream(type.getDeclaredFields()).anyMatch((each) -> each.isAnnotationPresent(Tag.class))
						|| isTagged(type.getSuperclass()));
	}

	public void link(Function<Node, FieldType> types) {
		List<Slot> slots = new ArrayList<>();
		for (Part each : this.node.parts()) {
			StructField field = Objects.requireNonNull(each.field());
			String name = field.member().name();
			slots.add(new Slot(Objects.requireNonNull(this.line.numbers().get(name)), field.index(), name, "." + name,
					types.apply(each.type())));
		}
		this.fields = new MessageFields(slots);
		this.present = new boolean[slots.size()];
		Arrays.fill(this.present, true);
		this.creator = this.type.creator(this.present);
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		Object exact = (value.getClass() == this.type.javaType() || this.isException) ? value : this.type.exact(value);
		MethodHandle[] known = this.writers;
		MethodHandle[] handles = (known != null) ? known : makeWriters();
		try {
			for (MethodHandle each : handles) {
				each.invokeExact(out, exact);
			}
		}
		catch (Throwable ex) {
			throw PathException.through(exact, ex);
		}
	}

	private synchronized MethodHandle[] makeWriters() {
		MethodHandle[] result = this.writers;
		if (result == null) {
			result = new MethodHandle[this.present.length];
			Arrays.setAll(result, (place) -> writer(this.fields.slot(place)));
			this.writers = result;
		}
		return result;
	}

	/**
	 * Returns a handle {@code (ProtobufOutput, Object)void} that writes a field of an
	 * instance. A primitive is not boxed.
	 */
	private MethodHandle writer(Slot slot) {
		StructField field = this.type.fields().get(slot.index());
		Class<?> carrier = (slot.type() instanceof ScalarType scalar) ? scalar.carrier() : null;
		try {
			if (carrier == null) {
				return MethodHandles.collectArguments(LOOKUP.findVirtual(Slot.class, "write", WRITER).bindTo(slot), 1,
						field.getter().asType(GETTER));
			}
			MethodHandle put = LOOKUP.findVirtual(ProtobufOutput.class, "put",
					MethodType.methodType(void.class, int.class, carrier));
			return MethodHandles.collectArguments(MethodHandles.insertArguments(put, 1, slot.number()), 1,
					field.getter().asType(MethodType.methodType(carrier, Object.class)));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		@Nullable Object[] values = (before != null) ? (@Nullable Object[]) before : begin(in);
		this.fields.readPart(in, values);
		return values;
	}

	private @Nullable Object[] begin(ProtobufInput in) {
		in.charge(this.type.size());
		@Nullable Object[] values = this.type.values();
		in.note(2 * (ReadBudget.OBJECT + (long) values.length * Integer.BYTES));
		return values;
	}

	@Override
	protected Object create(ProtobufInput in, Object state) {
		@Nullable Object[] values = (@Nullable Object[]) state;
		this.fields.finish(in, values);
		return this.type.create(Objects.requireNonNull(this.creator), values, this.present);
	}

	@Override
	public TypeName name(Declarations file) {
		return file.message(this.node.ref(), () -> this.fields.declare(file, members()), this.line.reserved());
	}

	/** Returns the fields of the class and of its superclasses. */
	private Map<String, Field> members() {
		Map<String, Field> members = new HashMap<>();
		for (Class<?> each = this.node.javaType(); each != null; each = each.getSuperclass()) {
			for (Field field : each.getDeclaredFields()) {
				if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
					members.putIfAbsent(field.getName(), field);
				}
			}
		}
		return members;
	}

}
