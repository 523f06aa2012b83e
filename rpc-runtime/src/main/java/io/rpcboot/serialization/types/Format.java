package io.rpcboot.serialization.types;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

import io.rpcboot.serialization.MethodCodec;

/**
 * Makes the codecs of one graph in one format: each node becomes one type of the format.
 * Nodes may lead back to themselves, and those that read a peer nest as deep as its table
 * likes: what a type holds is linked after it was made, and never within it. For one
 * thread at a time.
 *
 * @param <T> what a node becomes
 */
public abstract class Format<T> {

	/**
	 * As many levels of values nest. A class, an array, a map, its entry, what holds a
	 * value, one of several types, a collection within another or within an array, and a
	 * value of several parts take a level each.
	 */
	public static final int MAX_DEPTH = 64;

	private final Map<Node, T> types = new IdentityHashMap<>();

	private final Queue<Runnable> links = new ArrayDeque<>();

	/** Make the codec of a method, and link all types that were begun. */
	final MethodCodec compile(MethodNode method) {
		MethodCodec codec = codec(method);
		for (Runnable link = this.links.poll(); link != null; link = this.links.poll()) {
			link.run();
		}
		return codec;
	}

	/**
	 * Make the codec of a method.
	 * @param method what it carries
	 * @return its codec
	 */
	protected abstract MethodCodec codec(MethodNode method);

	/**
	 * The type of a node.
	 * @param node the node
	 * @return the same for the same node, perhaps not linked yet
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
	 * Make the type of a node.
	 * @param node the node, for the first time
	 * @return its type; that of a class or a choice from {@link #later}
	 */
	protected abstract T create(Node node);

	/**
	 * Link a type when those that were begun before are linked.
	 * @param <S> its class
	 * @param type the type
	 * @param link asks for the types of what it holds
	 * @return the type
	 */
	protected final <S extends T> S later(S type, Consumer<S> link) {
		this.links.add(() -> link.accept(type));
		return type;
	}

}
