package io.rpcboot.serialization.proto;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Slot;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.SkipNode;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;

/**
 * The wire of protobuf for scalars, nested messages and lists, compiled from the graph:
 * each message is one handle of its fields, whose numbers are those of the nodes. Nothing
 * here asks a class for its fields.
 */
final class ProtoFormat extends Format<ProtoType> {

	private static final MethodType WRITER = MethodType.methodType(void.class, ProtoWire.class, Object.class);

	@Override
	protected MethodCodec codec(MethodNode method) {
		List<Field> parameters = method.parameters().stream().map((each) -> field(1, each)).toList();
		return new Codec(method, parameters, (method.result() != null) ? field(1, method.result()) : null);
	}

	private Field field(int number, Slot slot) {
		return new Field(number, -1, type(slot.type()));
	}

	@Override
	protected ProtoType create(Node node) {
		if (node instanceof StructNode struct) {
			return later(new Message(struct), (message) -> message.link(this::type));
		}
		if (node instanceof CollectionNode collection) {
			return new Repeated(collection, type(collection.element()));
		}
		return (node == SkipNode.INSTANCE) ? ProtoType.SKIPPED : ProtoType.scalar(node.javaType());
	}

	/** A field of a message; its index is -1 if this side has none. */
	private record Field(int number, int index, ProtoType type) {

		void write(ProtoWire out, Object value) {
			if (value != null) {
				this.type.writeField(out, this.number, value);
			}
		}

	}

	/** A list is its elements, each under the number of the field. */
	private static final class Repeated extends ProtoType {

		private final CollectionNode node;

		private final ProtoType element;

		Repeated(CollectionNode node, ProtoType element) {
			super(element.wireType);
			this.node = node;
			this.element = element;
		}

		@Override
		void writeField(ProtoWire out, int number, Object value) {
			((Collection<?>) value).forEach((each) -> this.element.writeField(out, number, each));
		}

		@Override
		void write(ProtoWire out, Object value) {
			throw new PathException("a list of lists (expected: a list of messages or scalars)");
		}

		@Override
		Object read(ProtoWire in, Object before) {
			@SuppressWarnings("unchecked")
			Collection<Object> filled = (before != null) ? (Collection<Object>) before
					: this.node.begin(new ReadBudget(0), Order.PLAIN);
			filled.add(this.element.read(in, null));
			return filled;
		}

		@Override
		Object finish(Object value) {
			Collection<Object> filled = (value != null) ? cast(value) : this.node.begin(new ReadBudget(0), Order.PLAIN);
			return this.node.finish(filled, filled.size(), new ReadBudget(filled.size()), 0);
		}

		@SuppressWarnings("unchecked")
		private static Collection<Object> cast(Object value) {
			return (Collection<Object>) value;
		}

	}

	/** A class with fields, behind its length. */
	private static final class Message extends ProtoType {

		private final StructNode node;

		private final StructClass type;

		private final Map<Integer, Field> fields = new HashMap<>();

		private boolean[] present;

		private MethodHandle writer = MethodHandles.empty(WRITER);

		Message(StructNode node) {
			super(ProtoWire.BYTES);
			this.node = node;
			this.type = node.type();
		}

		void link(Function<Node, ProtoType> types) {
			this.present = new boolean[this.type.fields().size()];
			for (Part each : this.node.parts()) {
				int index = (each.field() != null) ? each.field().index() : -1;
				Field field = new Field(each.written().number(), index, types.apply(each.type()));
				this.fields.put(field.number(), field);
				if (index >= 0) {
					this.present[index] = true;
					this.writer = MethodHandles.foldArguments(writer(field, each.field().getter()), this.writer);
				}
			}
		}

		private static MethodHandle writer(Field field, MethodHandle getter) {
			try {
				MethodHandle write = MethodHandles.lookup().findVirtual(Field.class, "write", WRITER).bindTo(field);
				return MethodHandles.collectArguments(write, 1,
						getter.asType(MethodType.methodType(Object.class, Object.class)));
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		void write(ProtoWire out, Object value) {
			ProtoWire message = new ProtoWire();
			try {
				this.writer.invokeExact(message, value);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
			out.writeBytes(message.toByteArray());
		}

		@Override
		Object read(ProtoWire in, Object before) {
			ProtoWire message = new ProtoWire(ByteBuffer.wrap(in.readBytes()));
			Object[] values = this.type.values();
			while (message.hasRemaining()) {
				int tag = (int) message.readVarint();
				Field field = this.fields.get(tag >>> 3);
				if (field == null || field.type().wireType != (tag & 7) && field.index() >= 0) {
					throw new PathException("tag %d (expected: a field of %s)".formatted(tag, this.type));
				}
				if (field.index() < 0) {
					message.skip(tag & 7);
				}
				else {
					values[field.index()] = field.type().read(message, values[field.index()]);
				}
			}
			this.fields.values().stream().filter((each) -> each.index() >= 0).forEach((each) -> {
				values[each.index()] = each.type().finish(values[each.index()]);
			});
			return this.type.create(this.type.creator(this.present), values, this.present);
		}

	}

	/** The one argument of a method, and its result, as the field 1. */
	private record Codec(MethodNode method, List<Field> parameters, Field result) implements MethodCodec {

		@Override
		public void serializeArguments(Object[] arguments, OutputBuffer out) {
			write(this.parameters.get(0), arguments[0], out);
		}

		@Override
		public Object[] deserializeArguments(byte[] source, int offset, int length) {
			return new Object[] { read(this.parameters.get(0), source, offset, length) };
		}

		@Override
		public void serializeResult(Object result, OutputBuffer out) {
			write(this.result, result, out);
		}

		@Override
		public Object deserializeResult(byte[] source, int offset, int length) {
			return read(this.result, source, offset, length);
		}

		private static void write(Field field, Object value, OutputBuffer out) {
			ProtoWire wire = new ProtoWire();
			field.write(wire, value);
			out.write(wire.toByteArray(), 0, wire.toByteArray().length);
		}

		private Object read(Field field, byte[] source, int offset, int length) {
			try {
				ProtoWire in = new ProtoWire(ByteBuffer.wrap(source, offset, length));
				in.readVarint();
				return field.type().read(in, null);
			}
			catch (RuntimeException ex) {
				throw PathException.failure(this.method.name(), "value", ex);
			}
		}

		@Override
		public boolean serializeException(Throwable thrown, OutputBuffer out) {
			return false;
		}

		@Override
		public Throwable deserializeException(byte[] source, int offset, int length) {
			throw new UnsupportedOperationException("no exceptions");
		}

	}

}
