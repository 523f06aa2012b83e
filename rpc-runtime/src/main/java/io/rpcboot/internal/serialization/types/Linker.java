package io.rpcboot.internal.serialization.types;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Slot;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.graph.Node.Option;
import io.rpcboot.internal.serialization.types.graph.Node.SkipNode;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.Conversions;
import io.rpcboot.serialization.contract.MemberMatch;
import io.rpcboot.serialization.contract.SubtypeMatch;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Links own types to the types that a peer with another contract writes in their place.
 * Callers link only pairs that {@code ContractMatch} found to be readable. The own types
 * bound the amount of work and the depth of recursion, the peer's contract does not. For
 * one thread at a time.
 */
final class Linker {

	/**
	 * Maximum number of linked pairs, far more than any service has. A peer's aliases
	 * could create pairs without end.
	 */
	private static final int MAX_TYPES = 10_000;

	private final Contract peer;

	/** Linked nodes by the own node and the peer's type. */
	private final Map<Node, Map<ContractType, Node>> linked = new IdentityHashMap<>();

	/** Choices with one own class, by that class. */
	private final Map<StructNode, ChoiceNode> alone = new IdentityHashMap<>();

	private final Queue<Runnable> links = new ArrayDeque<>();

	private int count;

	/** The first failure; nodes that are linked in part must not be used. */
	private @Nullable RuntimeException failure;

	Linker(Contract peer) {
		this.peer = peer;
	}

	/** Returns the node that reads the arguments of a peer's method. */
	MethodNode arguments(MethodNode own, ContractMethod written) {
		return finished(() -> {
			List<Slot> parameters = new ArrayList<>();
			for (int i = 0; i < own.parameters().size(); i++) {
				parameters.add(link(own.parameters().get(i), written.parameters().get(i)));
			}
			return new MethodNode(own.name(), parameters, null, List.of());
		});
	}

	/** Returns the node that reads the results and exceptions of a peer's method. */
	MethodNode replies(MethodNode own, ContractMethod written) {
		return finished(() -> {
			Slot result = (own.result() != null) ? link(own.result(), written.result()) : skipped(written.result());
			List<Thrown> thrown = written.exceptions().stream().map((each) -> link(own.exceptions(), each)).toList();
			return new MethodNode(own.name(), List.of(), result, thrown);
		});
	}

	private Slot link(Slot own, TypeRef written) {
		return new Slot(own.name(), link(own.type(), written));
	}

	private static @Nullable Slot skipped(TypeRef written) {
		return written.equals(TypeRef.VOID) ? null : new Slot("", SkipNode.INSTANCE);
	}

	/** Finds the own exception that is the same class, by name before alias. */
	private Thrown link(List<Thrown> own, TypeRef written) {
		ContractType definition = definition(written);
		StructNode found = null;
		for (Thrown each : own) {
			StructNode type = Objects.requireNonNull(each.type());
			if (type.ref().equals(written)) {
				return new Thrown(definition, struct(type, written));
			}
			found = (found == null && type.definition().matches(definition)) ? type : found;
		}
		return new Thrown(definition, (found != null) ? struct(found, written) : null);
	}

	/**
	 * Runs a link, then all links that it scheduled.
	 * @throws PathException if the contracts do not fit, then and in all later calls
	 */
	private MethodNode finished(Supplier<MethodNode> linking) {
		if (this.failure != null) {
			throw this.failure;
		}
		try {
			MethodNode result = linking.get();
			for (Runnable link = this.links.poll(); link != null; link = this.links.poll()) {
				link.run();
			}
			return result;
		}
		catch (RuntimeException ex) {
			this.failure = new PathException("the other side's contract does not fit: "
					+ Objects.requireNonNullElseGet(ex.getMessage(), ex::toString), ex);
			throw this.failure;
		}
	}

	private Node link(Node own, TypeRef written) {
		if (own instanceof StructNode struct) {
			return (definition(written).kind() == Kind.BASE) ? choice(alone(struct), written) : struct(struct, written);
		}
		if (own instanceof ChoiceNode choice) {
			boolean isAlone = choice.kind() == Kind.BASE && definition(written).kind() != Kind.BASE;
			return isAlone ? link(find(choice, written), written) : choice(choice, written);
		}
		if (own instanceof EnumNode constants) {
			return once(constants, written, (definition) -> link(constants, definition));
		}
		if (own instanceof CollectionNode collection) {
			return CollectionNode.of(collection.kind(), argument(collection.element(), written, 0));
		}
		if (own instanceof MapNode map) {
			return MapNode.of(map.kind(), argument(map.key(), written, 0), argument(map.value(), written, 1));
		}
		if (own.ref().equals(written)) {
			return own.ref().arguments().isEmpty() || own instanceof ValueNode ? own : container(own, written);
		}
		if (own instanceof ValueNode value && Conversions.isReadable(written, value.ref())) {
			return new ValueNode(value.javaType(), value.ref(), written);
		}
		return container(own, written);
	}

	private Node container(Node own, TypeRef written) {
		if (own instanceof ArrayNode array) {
			return new ArrayNode(array.component(), argument(array.element(), written, 0), array.isAtomic());
		}
		if (own instanceof DelegateNode type) {
			return new DelegateNode(type.delegate(), argument(type.surrogate(), written, 1), type.message());
		}
		if (own instanceof HolderNode holder) {
			return new HolderNode(holder.kind(), argument(holder.held(), written, 0));
		}
		throw unreadable(written, own.ref());
	}

	private Node argument(Node own, TypeRef written, int index) {
		if (index >= written.arguments().size()) {
			throw new ContractException("type", written.toString(), "%d type arguments".formatted(index + 1));
		}
		return link(own, written.arguments().get(index));
	}

	private ContractType definition(TypeRef written) {
		ContractType definition = this.peer.type(written);
		if (definition == null) {
			throw new ContractException("type", written.toString(), "a type that the contract defines");
		}
		return definition;
	}

	private static ContractException unreadable(TypeRef written, TypeRef read) {
		return new ContractException("type", written.toString(), "a type that can be read as " + read);
	}

	/**
	 * Links an own node to a type of the peer, once for each pair.
	 * @param link creates the node; links that may lead back must go to {@link #links}
	 */
	private <N extends Node> Node once(N own, TypeRef written, Function<ContractType, Node> link) {
		ContractType definition = definition(written);
		Map<ContractType, Node> known = this.linked.computeIfAbsent(own, (key) -> new IdentityHashMap<>());
		Node result = known.get(definition);
		if (result == null) {
			if (++this.count > MAX_TYPES) {
				throw new ContractException("contract", written.toString(), "at most %d types".formatted(MAX_TYPES));
			}
			result = link.apply(definition);
			known.put(definition, result);
		}
		return result;
	}

	private StructNode struct(StructNode own, TypeRef written) {
		return (StructNode) once(own, written, (definition) -> {
			StructNode node = new StructNode(own.type());
			this.links.add(() -> node.link(parts(own, definition)));
			return node;
		});
	}

	private List<Part> parts(StructNode own, ContractType written) {
		MemberMatch match = MemberMatch.ofFields(written, own.definition());
		Map<Integer, Part> known = new HashMap<>();
		own.parts().forEach((each) -> known.put(each.written().number(), each));
		List<Part> parts = new ArrayList<>();
		for (ContractMember member : written.members()) {
			ContractMember reader = match.reader(member);
			Part part = (reader != null) ? known.get(reader.number()) : null;
			parts.add((part == null) ? new Part(member, null, SkipNode.INSTANCE)
					: new Part(member, part.field(), link(part.type(), member.type())));
		}
		return parts;
	}

	private static EnumNode link(EnumNode own, ContractType written) {
		MemberMatch match = MemberMatch.ofConstants(written, own.definition());
		Enum<?> unknown = EnumNode.defaultConstant(own.javaType());
		List<EnumNode.Constant> constants = new ArrayList<>();
		for (ContractMember member : written.members()) {
			ContractMember reader = match.reader(member);
			constants.add(new EnumNode.Constant(member,
					(reader != null) ? own.constants().get(reader.number()).value() : unknown));
		}
		return new EnumNode(own.javaType(), constants);
	}

	private Node choice(ChoiceNode own, TypeRef written) {
		return once(own, written, (definition) -> {
			ChoiceNode node = own.ofPeer();
			this.links.add(() -> node.link(options(own, definition)));
			return node;
		});
	}

	private List<Option> options(ChoiceNode own, ContractType written) {
		SubtypeMatch<Option> types = ownTypes(own);
		List<Option> options = new ArrayList<>();
		for (ContractMember member : written.members()) {
			Option found = types.find(member.type(), this.peer.type(member.type()));
			options.add((found == null) ? new Option(member, void.class, void.class, null) : new Option(member,
					found.kind(), found.javaType(), link(Objects.requireNonNull(found.type()), member.type())));
		}
		return options;
	}

	/**
	 * Returns a choice of the one class that this side has where the peer has subtypes.
	 */
	private ChoiceNode alone(StructNode struct) {
		return this.alone.computeIfAbsent(struct, ChoiceNode::only);
	}

	/** Finds the own subtype for a peer's class, which has no subtypes at the peer. */
	private Node find(ChoiceNode own, TypeRef written) {
		Option found = ownTypes(own).find(written, definition(written));
		if (found == null || found.type() == null) {
			throw unreadable(written, own.ref());
		}
		return found.type();
	}

	/** Indexes the own types of a choice for the look-up by a peer's type. */
	private static SubtypeMatch<Option> ownTypes(ChoiceNode own) {
		SubtypeMatch<Option> types = new SubtypeMatch<>();
		own.options()
			.forEach(
					(each) -> types.add(each.written().type(), Objects.requireNonNull(each.type()).definition(), each));
		return types;
	}

}
