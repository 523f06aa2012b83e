package io.rpcboot.internal.serialization.protostuff;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.composite.ChoiceType;
import io.rpcboot.internal.serialization.protostuff.composite.CollectionType;
import io.rpcboot.internal.serialization.protostuff.composite.HolderType;
import io.rpcboot.internal.serialization.protostuff.composite.MapType;
import io.rpcboot.internal.serialization.protostuff.composite.StructType;
import io.rpcboot.internal.serialization.protostuff.composite.ValueSlot;
import io.rpcboot.internal.serialization.protostuff.scalar.ArrayType;
import io.rpcboot.internal.serialization.protostuff.scalar.ConvertedNumber;
import io.rpcboot.internal.serialization.protostuff.scalar.EnumType;
import io.rpcboot.internal.serialization.protostuff.scalar.PrimitiveArrayType;
import io.rpcboot.internal.serialization.protostuff.scalar.SurrogateType;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueTypes;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * Creates the types and codecs of one graph in protostuff's format. For one thread at a
 * time.
 */
public final class ProtostuffFormat extends Format<ValueType> {

	@Override
	protected MethodCodec codec(MethodNode method) {
		ValueSlot[] parameters = new ValueSlot[method.parameters().size()];
		for (int i = 0; i < parameters.length; i++) {
			parameters[i] = slot(i + 1, method.parameters().get(i));
		}
		ValueSlot result = (method.result() != null) ? slot(1, method.result()) : null;
		List<@Nullable StructType> exceptions = new ArrayList<>();
		for (Thrown each : method.exceptions()) {
			exceptions.add((each.type() != null) ? (StructType) type(each.type()) : null);
		}
		return new ProtostuffMethodCodec(method.name(), parameters, result, new DeclaredExceptions(method, exceptions));
	}

	private ValueSlot slot(int number, MethodNode.Slot slot) {
		return new ValueSlot(number, slot.name(), type(slot.type()), slot.isRequired() ? slot.type().ref() : null);
	}

	@Override
	protected ValueType create(Node node) {
		if (node instanceof ValueNode value) {
			return value(value);
		}
		if (node instanceof StructNode struct) {
			return later(new StructType(struct), (type) -> type.link(this::type));
		}
		if (node instanceof CollectionNode collection) {
			return new CollectionType(collection, type(collection.element()));
		}
		if (node instanceof MapNode map) {
			return new MapType(map, type(map.key()), type(map.value()));
		}
		if (node instanceof EnumNode constants) {
			return new EnumType(constants);
		}
		if (node instanceof ChoiceNode choice) {
			return later(new ChoiceType(choice), (type) -> type.link(this::type));
		}
		if (node instanceof DelegateNode delegate) {
			return new SurrogateType(delegate.conversion(), type(delegate.surrogate()));
		}
		if (node instanceof HolderNode holder) {
			return new HolderType(holder.kind(), type(holder.held()));
		}
		return (node instanceof ArrayNode array) ? array(array) : new SkippedType();
	}

	private ValueType value(ValueNode node) {
		ValueType own = Objects.requireNonNull(ValueTypes.ALL.get(node.javaType()));
		Class<?> written = Numbers.box(node.written());
		return (node.written().equals(node.ref()) || written == Numbers.box(node.ref())) ? own
				: new ConvertedNumber(node, Objects.requireNonNull(ValueTypes.ALL.get(written)));
	}

	private ValueType array(ArrayNode node) {
		if (!node.component().isPrimitive()) {
			return new ArrayType(node, type(node.element()));
		}
		boolean isConverted = node.element() instanceof ValueNode value && !value.written().equals(value.ref());
		return new PrimitiveArrayType(node.component(), isConverted ? new ArrayType(node, type(node.element())) : null);
	}

	/**
	 * Result that the peer's method returns and the own method does not. It is skipped.
	 */
	private static final class SkippedType extends ValueType {

		SkippedType() {
			super(WireFormat.WIRETYPE_VARINT);
		}

		@Override
		public @Nullable Object takeField(ProtostuffInput in, int number) {
			in.skip(number, number);
			return null;
		}

		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			throw new IllegalStateException("a skipped type only reads");
		}

		@Override
		public Object read(ProtostuffInput in) {
			throw new IllegalStateException("a skipped type is no element");
		}

	}

}
