package io.rpcboot.internal.serialization.types.walk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.rpcboot.internal.serialization.types.graph.BuiltIns;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.graph.Node.Option;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.ObjectTypes;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.kind.CollectionKind;
import io.rpcboot.internal.serialization.types.kind.HolderKind;
import io.rpcboot.internal.serialization.types.kind.MapKind;
import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.GeneratedMessage;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.ContractType;
import org.jspecify.annotations.Nullable;

/**
 * Walks from the methods of one service through all reachable types and creates a node
 * for each. A type without a node cannot be on the wire. For one thread, at start-up.
 */
final class TypeWalk {

	/**
	 * Maximum depth of type arguments. Only a class that wraps its own type parameter
	 * again is deeper.
	 */
	private static final int MAX_TYPE_DEPTH = 16;

	/** Nodes of declared types. */
	private final Map<ResolvedType, Node> types = new LinkedHashMap<>();

	/** Nodes of classes and enums alone, without their subtypes. */
	private final Map<ResolvedType, Node> exact = new LinkedHashMap<>();

	/** Choices of types such as {@code Object}. */
	private final List<ChoiceNode> anyTypes = new ArrayList<>();

	private final Map<Class<?>, ChoiceNode> anyKeys = new HashMap<>();

	private final Map<Class<?>, Node> values = BuiltIns.nodes();

	private final TypeOptions options;

	private final Subtypes subtypes;

	/** Path to the first declaration of {@link #anyTypes}. */
	private @Nullable TypePath anyPath;

	TypeWalk(TypeOptions options) {
		this.subtypes = new Subtypes(options);
		this.options = options;
	}

	/** Returns the definitions of all types. */
	List<ContractType> definitions() {
		Set<Node> all = Collections.newSetFromMap(new IdentityHashMap<>());
		all.addAll(this.types.values());
		all.addAll(this.exact.values());
		return all.stream().map(Node::definition).filter(Objects::nonNull).toList();
	}

	Node resolve(ResolvedType type, TypePath path) {
		Node node = this.values.get(type.raw());
		if (node == null) {
			node = this.types.get(type);
		}
		if (node == null) {
			node = create(type, path);
			this.types.putIfAbsent(type, node);
		}
		return node;
	}

	private static void requireDepth(ResolvedType type, int depth, TypePath path) {
		if (depth > MAX_TYPE_DEPTH) {
			throw path.refuse(type.raw(), "its type arguments nest more than %d deep".formatted(MAX_TYPE_DEPTH),
					"Do not wrap a class's own type parameter again within the class.");
		}
		type.arguments().forEach((each) -> requireDepth(each, depth + 1, path));
	}

	private Node create(ResolvedType type, TypePath path) {
		Class<?> raw = type.raw();
		if (this.options.delegates().containsKey(raw) || GeneratedMessage.find(raw) != null) {
			return exact(type, path);
		}
		CollectionKind collection = CollectionKind.of(type);
		if (collection != null) {
			return CollectionNode.of(collection, element(type, collection.isDistinct(), "[]", path));
		}
		MapKind map = MapKind.of(type);
		if (map != null) {
			ResolvedType entries = MapKind.withArguments(type);
			return MapNode.of(map, key(entries, path), argument(entries, 1, path, "{}"));
		}
		HolderKind holder = HolderKind.of(raw);
		if (holder != null) {
			return new HolderNode(holder, argument(type, 0, path, "?"));
		}
		if (raw == AtomicReferenceArray.class) {
			return new ArrayNode(Object.class, argument(type, 0, path, "?"), true);
		}
		if (raw.isArray()) {
			return new ArrayNode(raw.getComponentType(), resolve(type.component(), path.element("[]")), false);
		}
		if (Subtypes.isAny(raw)) {
			return any(raw, path);
		}
		return this.subtypes.has(raw) ? base(type, path) : exact(type, path);
	}

	private ChoiceNode any(Class<?> raw, TypePath path) {
		if (this.types.get(ResolvedType.of(raw)) instanceof ChoiceNode known) {
			return known;
		}
		if (this.anyPath == null) {
			this.anyPath = path;
		}
		ChoiceNode any = any(raw, false);
		this.types.put(ResolvedType.of(raw), any);
		this.anyTypes.add(any);
		return any;
	}

	private ChoiceNode any(Class<?> raw, boolean isKey) {
		return ChoiceNode.any(raw, isKey, this.options.subtypesOf(Object.class));
	}

	private Node base(ResolvedType type, TypePath path) {
		if (type.arguments().size() < type.raw().getTypeParameters().length) {
			throw withoutArguments(type, path);
		}
		ChoiceNode base = ChoiceNode.base(type.raw(), type.ref(), path.options().subtypesOf(type.raw()));
		this.types.put(type, base);
		List<Option> options = new ArrayList<>();
		for (Class<?> each : this.subtypes.of(type.raw(), path)) {
			TypePath subtypePath = path.element("(" + each.getSimpleName() + ")");
			ResolvedType subtype = Unifier.subtype(type, each, subtypePath);
			if (subtype != null) {
				Node node = exact(subtype, subtypePath);
				options.add(Option.of(options.size() + 1, each, each, node));
			}
		}
		if (options.isEmpty()) {
			throw path.refuse(type.raw(), "no class of which there are instances can stand for " + type,
					"Declare subtypes that fit its type arguments.");
		}
		base.link(ObjectTypes.ofSubtypes(options));
		return base;
	}

	/** Returns the node of a class alone, without its subtypes. */
	private Node exact(ResolvedType type, TypePath path) {
		Node known = this.values.get(type.raw());
		if (known == null) {
			known = this.exact.get(type);
		}
		if (known != null) {
			return known;
		}
		requireDepth(type, 0, path);
		Delegate<?, ?> delegate = this.options.delegates().get(type.raw());
		if (delegate != null) {
			return delegated(delegate, null, type, path);
		}
		GeneratedMessage message = GeneratedMessage.find(type.raw());
		if (message != null) {
			return delegated(message.delegate(), message, type, path);
		}
		Refusals.check(type.raw(), path);
		if (!type.raw().isEnum()) {
			return createStruct(type, path);
		}
		Node created = EnumNode.of(type.raw());
		this.exact.put(type, created);
		return created;
	}

	/**
	 * Creates the node of a type with a delegate. A generic surrogate has the type
	 * arguments of the type.
	 */
	private DelegateNode delegated(Delegate<?, ?> delegate, @Nullable GeneratedMessage message, ResolvedType type,
			TypePath path) {
		Class<?> surrogate = delegate.surrogate();
		boolean isGeneric = surrogate.getTypeParameters().length > 0;
		if (isGeneric && type.arguments().isEmpty()) {
			throw withoutArguments(type, path);
		}
		DelegateNode node = new DelegateNode(delegate,
				resolve(new ResolvedType(surrogate, isGeneric ? type.arguments() : List.of()),
						path.element("(" + surrogate.getSimpleName() + ")")),
				message);
		this.exact.put(type, node);
		return node;
	}

	/**
	 * Links the choices of {@code Object} and the like, after all other types were found.
	 */
	void link() {
		if (this.anyPath == null) {
			return;
		}
		for (Class<?> each : this.subtypes.declaredFor(Subtypes::isAny, this.anyPath)) {
			exact(ResolvedType.of(each), this.anyPath.element("(" + each.getSimpleName() + ")"));
		}
		List<Node> containers = new ArrayList<>();
		if (this.anyTypes.stream().map(ChoiceNode::javaType).anyMatch(ObjectTypes::hasContainers)) {
			for (ResolvedType each : ObjectTypes.containers()) {
				containers.add(resolve(each, this.anyPath));
			}
		}
		ObjectTypes world = ObjectTypes.of(this.values, containers, this.exact);
		this.anyTypes.forEach((each) -> each.link(world));
		this.anyKeys.values().forEach((each) -> each.link(world));
	}

	private Node key(ResolvedType type, TypePath path) {
		Node key = element(type, true, "{key}", path);
		if (!(key instanceof ChoiceNode) || !Subtypes.isAny(key.javaType())) {
			return key;
		}
		return this.anyKeys.computeIfAbsent(key.javaType(), (raw) -> any(raw, true));
	}

	/** Returns the node of the first type argument. */
	private Node element(ResolvedType type, boolean isHashed, String step, TypePath path) {
		if (isHashed) {
			Refusals.checkHashed(type, path.element(step));
		}
		return argument(type, 0, path, step);
	}

	private Node argument(ResolvedType type, int index, TypePath path, String step) {
		if (type.arguments().isEmpty()) {
			throw withoutArguments(type, path);
		}
		return resolve(type.arguments().get(index), path.element(step));
	}

	private static UnsupportedTypeException withoutArguments(ResolvedType type, TypePath path) {
		return path.refuse(type.raw(), "it has no type arguments, which would say what it holds",
				"Give the type arguments, such as List<User> for List.");
	}

	private StructNode createStruct(ResolvedType type, TypePath path) {
		List<FieldDefinition> fields = ClassFields.of(type.raw(), path);
		StructNode struct = new StructNode(StructFactory.create(type, fields, path));
		this.exact.put(type, struct);
		link(struct, type, fields, path, List.of());
		return struct;
	}

	/**
	 * Links a class to its fields, whose types may lead back to the class.
	 * @param first parts in front of the fields
	 */
	void link(StructNode struct, ResolvedType type, List<FieldDefinition> definitions, TypePath path,
			List<Part> first) {
		TypeBindings bindings = TypeBindings.of(type);
		List<Part> parts = new ArrayList<>(first);
		for (FieldDefinition each : definitions) {
			TypePath fieldPath = path.field(each.name());
			Node node = resolve(bindings.resolve(each.genericType(), fieldPath), fieldPath);
			StructField field = each.create(parts.size(), first.size(), node.ref(), struct.type().takes(each.name()));
			parts.add(new Part(field.member(), field, node));
		}
		struct.type().link(parts.stream().map(Part::field).map(Objects::requireNonNull).toList());
		struct.link(parts);
	}

}
