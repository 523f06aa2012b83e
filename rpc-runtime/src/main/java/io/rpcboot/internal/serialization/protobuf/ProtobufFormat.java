package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
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
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.graph.CallbackNode;
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
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Creates the types and codecs of one graph in protobuf's format. For one thread at a
 * time.
 */
final class ProtobufFormat extends Format<FieldType> {

	private final Numbering numbering;

	private final ProtoNames names;

	private final Map<String, RequestParameters> requests;

	private final Map<Node, SingularType> wrappers = new IdentityHashMap<>();

	/**
	 * Creates a format.
	 * @param requests parameters of methods by the names of their nodes
	 */
	ProtobufFormat(Numbering numbering, ProtoNames names, Map<String, RequestParameters> requests) {
		this.numbering = numbering;
		this.names = names;
		this.requests = requests;
	}

	@Override
	protected CarriedMethod codec(MethodNode method) {
		LockLine request = line(method);
		ProtobufMethodCodec codec = codec(method, request);
		List<CallbackMessages> callbacks = new ArrayList<>();
		for (CallbackNode each : method.callbacks()) {
			callbacks.add(callback(each, callbacks.size(), Objects.requireNonNull(request.numbers().get(each.name()))));
		}
		return callbacks.isEmpty() ? codec : new CallbackMethodCodec(method.name(), codec, callbacks);
	}

	private CallbackMessages callback(CallbackNode node, int index, int number) {
		List<ContractMember> members = node.definition()
			.members()
			.stream()
			.map((each) -> new ContractMember(each.number() + CallbackMessages.FIRST - 1, each.name(), TypeRef.VOID,
					each.aliases()))
			.toList();
		String name = node.type().type().getName();
		LockLine line = this.numbering.number(name, node.definition().aliases(), members, false);
		line.numbers().forEach((method, each) -> {
			if (each < CallbackMessages.FIRST) {
				throw new RpcConfigurationException(
						"%s: %s has %s=%d (expected: %d or more, for a method of a callback)"
							.formatted(NumberLock.RESOURCE, name, method, each, CallbackMessages.FIRST),
						"Correct the line, or let the file be written again.");
			}
		});
		return new CallbackMessages(node, index, number, line,
				node.methods().stream().map((each) -> codec(each, line(each))).toList(),
				node.methods().stream().map((each) -> request(each).methodName()).toList());
	}

	private RequestParameters request(MethodNode method) {
		return Objects.requireNonNull(this.requests.get(method.name()));
	}

	private LockLine line(MethodNode method) {
		RequestParameters request = request(method);
		return isBare(method, method.parameters()) ? LockLine.of(request.path(), request.members())
				: this.numbering.numberRequest(request.path(), request.members(), request.isNamed());
	}

	private ProtobufMethodCodec codec(MethodNode method, LockLine line) {
		boolean isBare = isBare(method, method.parameters());
		RequestParameters request = request(method);
		List<String> names = new ArrayList<>(request.members().stream().map(ContractMember::name).toList());
		method.callbacks().forEach((each) -> names.remove(each.name()));
		List<Slot> parameters = new ArrayList<>();
		for (MethodNode.Slot each : method.parameters()) {
			int index = parameters.size();
			String name = names.get(index);
			int number = Objects.requireNonNull(line.numbers().get(name));
			parameters.add(new Slot(number, index, name, each.name(), type(each.type())));
		}
		List<Slot> result = (method.result() != null) ? List
			.of(new Slot(1, 0, ProtobufMethodCodec.RESULT, method.result().name(), type(method.result().type())))
				: List.of();
		List<StructType> exceptions = new ArrayList<>();
		List<String> exceptionNames = new ArrayList<>();
		for (MethodNode.Thrown each : method.exceptions()) {
			StructNode thrown = Objects.requireNonNull(each.type());
			exceptions.add((StructType) type(thrown));
			exceptionNames.add(this.names.full(thrown.ref()));
		}
		return new ProtobufMethodCodec(method.name(), new MethodMessage(parameters, isBare, line.reserved()),
				new MethodMessage(result, isBare(method, Stream.ofNullable(method.result()).toList()), List.of()),
				new DeclaredExceptions(method, exceptions, exceptionNames));
	}

	private boolean isBare(MethodNode method, List<MethodNode.Slot> values) {
		return request(method).isBare() || (values.size() == 1 && BareMethods.isGenerated(values.get(0).type()));
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
