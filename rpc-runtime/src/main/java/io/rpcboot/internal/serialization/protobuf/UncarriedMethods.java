package io.rpcboot.internal.serialization.protobuf;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.scalar.EnumNumbers;
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.types.graph.CallbackNode;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.ContractType.Kind;

/**
 * Finds the methods that protobuf cannot carry, each with the first type in the way.
 */
final class UncarriedMethods {

	private final MethodDescriptor method;

	private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

	private UncarriedMethods(MethodDescriptor method) {
		this.method = method;
	}

	/**
	 * Returns the reasons by the numbers of methods.
	 * @throws io.rpcboot.RpcConfigurationException if a value cannot be a message itself,
	 * or an enum has wrong numbers in {@code @Tag}
	 */
	static Map<Integer, UnsupportedTypeException> of(ServiceDescriptor service, List<MethodNode> methods) {
		Map<String, Long> names = service.methods()
			.stream()
			.collect(Collectors.groupingBy(ProtobufCodec::methodName, Collectors.counting()));
		Map<Integer, UnsupportedTypeException> all = new LinkedHashMap<>();
		for (MethodDescriptor each : service.methods()) {
			String name = ProtobufCodec.methodName(each);
			BareMethods.check(each, methods.get(each.number()));
			if (Objects.requireNonNull(names.get(name)) > 1) {
				all.put(each.number(), new UnsupportedTypeException(
						"%s: %d methods are named %s in protobuf (expected: one, because a service of protobuf has no overloads)"
							.formatted(each, names.get(name), name),
						"Give all of them but one another name, by @RpcMethod(name = ...) or in the interface."));
				continue;
			}
			try {
				new UncarriedMethods(each).check(methods.get(each.number()));
			}
			catch (UnsupportedTypeException ex) {
				all.put(each.number(), ex);
			}
		}
		return all;
	}

	private void check(MethodNode node) {
		check(node, "");
		for (CallbackNode callback : node.callbacks()) {
			Set<String> names = new HashSet<>();
			for (MethodDescriptor each : callback.type().methods()) {
				if (!names.add(ProtobufCodec.methodName(each))) {
					throw new UnsupportedTypeException(
							"%s: two methods of the callback are named %s in protobuf (expected: different names): %s"
								.formatted(this.method, ProtobufCodec.methodName(each), each),
							"Give one of them another name, by @RpcMethod(name = ...) or in the interface.");
				}
				check(callback.methods().get(each.number()), "callback %s: ".formatted(each));
			}
		}
	}

	private void check(MethodNode node, String where) {
		node.parameters().forEach((each) -> check(each.type(), where + "argument" + each.name()));
		if (node.result() != null) {
			check(node.result().type(), where + "result");
		}
		node.exceptions().forEach((each) -> {
			StructNode thrown = Objects.requireNonNull(each.type());
			check(thrown, where + "exception " + thrown.javaType().getSimpleName());
		});
	}

	private void check(Node node, String path) {
		if (!this.seen.add(node)) {
			return;
		}
		if (node instanceof StructNode struct) {
			struct.parts().forEach((each) -> check(struct, each, path));
		}
		else if (node instanceof EnumNode constants) {
			EnumNumbers.of(constants);
		}
		else if (node instanceof ChoiceNode choice) {
			check(choice, path);
		}
		else if (node instanceof MapNode map) {
			check(map.key(), path + "{key}");
			check(map.value(), path + "{}");
		}
		else if (node instanceof HolderNode holder) {
			check(holder.held(), path + "?");
		}
		else if (node instanceof CollectionNode || node instanceof ArrayNode) {
			check((node instanceof ArrayNode array) ? array.element() : ((CollectionNode) node).element(), path + "[]");
		}
		else if (node instanceof DelegateNode delegate) {
			check(delegate.surrogate(), path + "(" + delegate.surrogate().javaType().getSimpleName() + ")");
		}
	}

	private void check(StructNode struct, Part part, String path) {
		String field = path + "." + part.written().name();
		if (!LockLine.isNumber(part.written().number())) {
			throw refusal(field, struct, "protobuf keeps the number %d for itself".formatted(part.written().number()),
					"Change the number in @Tag.");
		}
		check(part.type(), field);
	}

	private void check(ChoiceNode choice, String path) {
		if (choice.kind() == Kind.ANY) {
			throw refusal(path, choice, "protobuf has no type for values of any type",
					"Declare the class that is meant, or a sealed interface of all that are meant. The native protocol carries the method as it is.");
		}
		choice.options()
			.forEach((each) -> check(Objects.requireNonNull(each.type()),
					path + "(" + each.javaType().getSimpleName() + ")"));
	}

	private UnsupportedTypeException refusal(String path, Node node, String reason, String action) {
		return new UnsupportedTypeException("%s: %s: %s cannot be sent in protobuf: %s".formatted(this.method, path,
				node.javaType().getTypeName(), reason), action);
	}

}
