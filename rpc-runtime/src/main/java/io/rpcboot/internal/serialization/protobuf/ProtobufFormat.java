package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.rpcboot.internal.serialization.protobuf.composite.ArrayType;
import io.rpcboot.internal.serialization.protobuf.composite.ChoiceType;
import io.rpcboot.internal.serialization.protobuf.composite.CollectionType;
import io.rpcboot.internal.serialization.protobuf.composite.HolderType;
import io.rpcboot.internal.serialization.protobuf.composite.MapType;
import io.rpcboot.internal.serialization.protobuf.composite.Slot;
import io.rpcboot.internal.serialization.protobuf.composite.StampedType;
import io.rpcboot.internal.serialization.protobuf.composite.StructType;
import io.rpcboot.internal.serialization.protobuf.composite.WrapperType;
import io.rpcboot.internal.serialization.protobuf.scalar.EnumType;
import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.GeneratedType;
import io.rpcboot.internal.serialization.protobuf.scalar.PrimitiveArrayType;
import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.scalar.ValueTypes;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.serialization.GeneratedMessage;

/**
 * Creates the types and codecs of one graph in protobuf's format. For one thread at a
 * time.
 */
final class ProtobufFormat extends Format<FieldType> {

	private final Numbering numbering;

	private final ProtoNames names;

	private final Set<String> bare;

	private final Map<Node, SingularType> wrappers = new IdentityHashMap<>();

	/**
	 * Creates a format.
	 * @param bare names of the methods whose values are messages themselves
	 */
	ProtobufFormat(Numbering numbering, ProtoNames names, Set<String> bare) {
		this.numbering = numbering;
		this.names = names;
		this.bare = bare;
	}

	@Override
	protected ProtobufMethodCodec codec(MethodNode method) {
		List<Slot> parameters = new ArrayList<>();
		for (MethodNode.Slot each : method.parameters()) {
			parameters.add(slot(parameters.size(), each.name().strip(), each));
		}
		List<Slot> result = (method.result() != null) ? List.of(slot(0, "value", method.result())) : List.of();
		List<StructType> exceptions = new ArrayList<>();
		List<String> exceptionNames = new ArrayList<>();
		for (MethodNode.Thrown each : method.exceptions()) {
			StructNode thrown = Objects.requireNonNull(each.type());
			exceptions.add((StructType) type(thrown));
			exceptionNames.add(this.names.full(thrown.ref()));
		}
		return new ProtobufMethodCodec(method.name(),
				new MethodMessage(parameters, isBare(method, method.parameters())),
				new MethodMessage(result, isBare(method, Stream.ofNullable(method.result()).toList())),
				new DeclaredExceptions(method, exceptions, exceptionNames));
	}

	private boolean isBare(MethodNode method, List<MethodNode.Slot> values) {
		return this.bare.contains(method.name())
				|| (values.size() == 1 && BareMethods.isGenerated(values.get(0).type()));
	}

	private Slot slot(int index, String name, MethodNode.Slot slot) {
		return new Slot(index + 1, index, name, slot.name(), type(slot.type()));
	}

	@Override
	protected FieldType create(Node node) {
		if (node instanceof ValueNode value) {
			return ValueTypes.of(value.javaType());
		}
		if (node instanceof StructNode struct) {
			return later(new StructType(struct, this.numbering), (type) -> type.link(this::type));
		}
		if (node instanceof CollectionNode collection) {
			return new CollectionType(collection, element(collection.element()));
		}
		if (node instanceof MapNode map) {
			return new MapType(map, type(map.key()), type(map.value()));
		}
		if (node instanceof EnumNode constants) {
			return new EnumType(constants, this.numbering);
		}
		if (node instanceof ChoiceNode choice) {
			return later(new ChoiceType(choice, this.numbering), (type) -> type.link(this::element));
		}
		if (node instanceof DelegateNode delegate) {
			GeneratedMessage message = delegate.message();
			return (message != null) ? new GeneratedType(delegate.conversion(), message)
					: ValueTypes.of(delegate.conversion(), type(delegate.surrogate()));
		}
		if (node instanceof HolderNode holder) {
			return holder.kind().isStamped() ? new StampedType(holder, element(holder.held()))
					: new HolderType(holder.kind(), element(holder.held()));
		}
		ArrayNode array = (ArrayNode) node;
		return array.component().isPrimitive() ? new PrimitiveArrayType(array.component())
				: new ArrayType(array, element(array.element()));
	}

	/**
	 * Returns the type of an element, which is one value of protobuf: any other value is
	 * within a message.
	 */
	private SingularType element(Node node) {
		FieldType type = type(node);
		if (type instanceof SingularType singular) {
			return singular;
		}
		SingularType known = this.wrappers.get(node);
		if (known == null) {
			known = new WrapperType(node.ref(), (node instanceof HolderNode) ? "value" : "items", type);
			this.wrappers.put(node, known);
		}
		return known;
	}

}
