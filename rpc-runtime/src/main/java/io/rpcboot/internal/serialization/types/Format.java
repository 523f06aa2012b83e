package io.rpcboot.internal.serialization.types;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.serialization.MethodCodec;

/**
 * Creates the codecs of one graph in one format. Each node becomes one type of the
 * format. Nodes may lead back to themselves, and nodes that read a peer nest as deep as
 * its contract; so the parts of a type are linked after it was created, from a queue and
 * without recursion. For one thread at a time.
 *
 * @param <T> a type of the format
 */
public abstract class Format<T> {

	/**
	 * Maximum number of nested levels. A level is a class, an array, a map, an entry of a
	 * map, a holder, a choice, a collection within a collection or an array, and a value
	 * of several parts. Example: a {@code User} in a {@code Map<String, User>} is on
	 * level 3.
	 */
	public static final int MAX_DEPTH = 64;

	private final Map<Node, T> types = new IdentityHashMap<>();

	private final Queue<Runnable> links = new ArrayDeque<>();

	/** Creates the codec of a method and links all types that were created. */
	public final MethodCodec compile(MethodNode method) {
		MethodCodec codec = codec(method);
		for (Runnable link = this.links.poll(); link != null; link = this.links.poll()) {
			link.run();
		}
		return codec;
	}

	/** Creates the codec of a method. */
	protected abstract MethodCodec codec(MethodNode method);

	/**
	 * Returns the type of a node, perhaps not linked yet. The same node has the same
	 * type.
	 */
	protected final T type(Node node) {
		T known = this.types.get(node);
		if (known == null) {
			known = create(node);
			this.types.put(node, known);
		}
		return known;
	}

	/**
	 * Creates the type of a node. Types of classes and choices go through {@link #later}.
	 */
	protected abstract T create(Node node);

	/**
	 * Schedules the link of a type behind the links of earlier types.
	 * @param link gets the types of the parts
	 */
	protected final <S extends T> S later(S type, Consumer<S> link) {
		this.links.add(() -> link.accept(type));
		return type;
	}

}
