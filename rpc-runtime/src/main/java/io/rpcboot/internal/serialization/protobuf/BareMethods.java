package io.rpcboot.internal.serialization.protobuf;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.serialization.contract.ContractType.Kind;

/** Rules for values that are messages themselves, see {@link RpcMethod#bare()}. */
final class BareMethods {

	private static final List<Class<?>> MESSAGES = List.of(Instant.class, Duration.class);

	private BareMethods() {
	}

	static boolean isBare(MethodDescriptor method) {
		RpcMethod policy = method.method().getAnnotation(RpcMethod.class);
		return policy != null && policy.bare();
	}

	/** Returns true for a message of a library, which is itself without an annotation. */
	static boolean isGenerated(Node node) {
		return node instanceof DelegateNode delegate && delegate.message() != null;
	}

	/**
	 * Checks a method.
	 * @throws RpcConfigurationException if a value of a bare method cannot be a message
	 */
	static void check(MethodDescriptor method, MethodNode node) {
		if (!isBare(method)) {
			return;
		}
		if (node.parameters().size() > 1) {
			throw new RpcConfigurationException(
					"%s: bare = true with %d parameters (expected: at most one, the request message itself)"
						.formatted(method, node.parameters().size()),
					"Declare one class that has them as its fields, or remove bare = true from @RpcMethod.");
		}
		node.parameters().forEach((each) -> check(method, "argument" + each.name(), each.type()));
		if (node.result() != null) {
			check(method, "result", node.result().type());
		}
	}

	private static void check(MethodDescriptor method, String path, Node node) {
		boolean isMessage = node instanceof StructNode || isGenerated(node)
				|| (node instanceof ChoiceNode choice && choice.kind() != Kind.ANY)
				|| (node instanceof ValueNode && MESSAGES.contains(node.javaType()));
		if (!isMessage) {
			throw new RpcConfigurationException(
					"%s: %s: %s is no message, which bare = true makes of it (expected: a class with fields, a sealed interface, a generated message, Instant or Duration)"
						.formatted(method, path, node.javaType().getTypeName()),
					"Declare a class that has it as its field, or remove bare = true from @RpcMethod.");
		}
	}

}
