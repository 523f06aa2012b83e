package io.rpcboot.internal.serialization.types.graph;

import java.util.List;

import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.serialization.contract.ContractType;
import org.jspecify.annotations.Nullable;

/**
 * Values of one method. For a peer either its arguments or its replies, because a side
 * reads only one of them.
 *
 * @param name name of the method, for messages
 * @param parameters parameters in their order
 * @param result result, null for a method without one
 * @param exceptions exceptions of the throws clause, in its order
 */
public record MethodNode(String name, List<Slot> parameters, @Nullable Slot result, List<Thrown> exceptions) {

	private static final List<Class<?>> ONLY_THEMSELVES = List.of(Throwable.class, Exception.class,
			RuntimeException.class, Error.class);

	/**
	 * Finds the declared exception that is nearest to a thrown one: its class or a
	 * superclass. A declared {@code Exception}, {@code RuntimeException}, {@code Error}
	 * or {@code Throwable} matches only itself, so an undeclared subclass is not turned
	 * into one.
	 * @param thrown the thrown exception
	 * @return index in {@link #exceptions}, or -1
	 */
	public int nearest(Throwable thrown) {
		List<? extends Class<?>> declared = this.exceptions.stream().map(Thrown::javaType).toList();
		for (Class<?> each = thrown.getClass(); each != null; each = each.getSuperclass()) {
			if (each != thrown.getClass() && ONLY_THEMSELVES.contains(each)) {
				return -1;
			}
			if (declared.contains(each)) {
				return declared.indexOf(each);
			}
		}
		return -1;
	}

	/**
	 * Argument or result.
	 *
	 * @param name name for messages, after a blank; empty for a result
	 * @param type type of the value
	 */
	public record Slot(String name, Node type) {

		/** Returns true if null is impossible, as for a primitive. */
		public boolean isRequired() {
			return this.type.javaType().isPrimitive();
		}

	}

	/**
	 * Exception of a throws clause.
	 *
	 * @param written definition of the writer
	 * @param type own type; null if only the writer declares the exception
	 */
	public record Thrown(ContractType written, @Nullable StructNode type) {

		private Class<?> javaType() {
			return (this.type != null) ? this.type.javaType() : void.class;
		}

	}

}
