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

	/** Make the codec of a method. */
	protected abstract MethodCodec codec(MethodNode method);

	/** The type of a node, perhaps not linked yet: the same for the same node. */
	protected final T type(Node node) {
		T known = this.types.get(node);
		if (known == null) {
			known = create(node);
			this.types.put(node, known);
		}
		return known;
	}

	/** Make the type of a node, that of a class or a choice by {@link #later}. */
	protected abstract T create(Node node);

	/**
	 * Link a type when those that were begun before are linked: then ask for the types of
	 * what it holds.
	 */
	protected final <S extends T> S later(S type, Consumer<S> link) {
		this.links.add(() -> link.accept(type));
		return type;
	}

}
