package io.rpcboot.internal.serialization.types;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.MemberMatch;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a constructor gets as null, because a peer has another version of the
 * class. The walk is bounded by the own types.
 */
final class MissingFields {

	private final Contract peer;

	private final Set<String> found = new LinkedHashSet<>();

	private MissingFields(Contract peer) {
		this.peer = peer;
	}

	/** Returns the classes without such fields in the words of a message. */
	static List<String> of(Stream<Node> read, Contract peer) {
		MissingFields fields = new MissingFields(peer);
		Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Deque<Node> open = new ArrayDeque<>(read.toList());
		while (!open.isEmpty()) {
			Node each = open.pop();
			if (seen.add(each)) {
				fields.compare(each);
				parts(each).forEach(open::push);
			}
		}
		return List.copyOf(fields.found);
	}

	private static Stream<Node> parts(Node node) {
		if (node instanceof StructNode struct) {
			return struct.parts().stream().map(StructNode.Part::type);
		}
		if (node instanceof ChoiceNode choice) {
			return choice.options().stream().map(Node.Option::type).filter(Objects::nonNull);
		}
		if (node instanceof Node.CollectionNode collection) {
			return Stream.of(collection.element());
		}
		if (node instanceof Node.MapNode map) {
			return Stream.of(map.key(), map.value());
		}
		if (node instanceof Node.HolderNode holder) {
			return Stream.of(holder.held());
		}
		if (node instanceof Node.DelegateNode delegate) {
			return Stream.of(delegate.surrogate());
		}
		return (node instanceof Node.ArrayNode array) ? Stream.of(array.element()) : Stream.of();
	}

	private void compare(Node node) {
		ContractType written = (node instanceof StructNode struct) ? find(struct.definition()) : null;
		if (node instanceof StructNode struct && written != null) {
			MemberMatch match = MemberMatch.ofFields(written, struct.definition());
			Set<ContractMember> arriving = written.members()
				.stream()
				.map(match::reader)
				.filter(Objects::nonNull)
				.collect(Collectors.toSet());
			String names = struct.type()
				.fields()
				.stream()
				.filter((each) -> !arriving.contains(each.member()) && struct.type().isNullWithout(each))
				.map(StructField::member)
				.map(ContractMember::name)
				.collect(Collectors.joining(" and "));
			if (!names.isEmpty()) {
				this.found.add(struct.javaType().getName() + " without " + names);
			}
		}
	}

	private @Nullable ContractType find(ContractType own) {
		for (ContractType each : this.peer.types()) {
			if (own.matches(each)) {
				return each;
			}
		}
		return null;
	}

}
