package io.rpcboot.internal.serialization.types.graph;

import java.util.List;

import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.serialization.contract.ContractType;
import org.jspecify.annotations.Nullable;

/**
 * What one method carries. Of a peer either arguments or replies: a side reads only one
 * of them, and only that was found to be readable.
 *
 * @param name of the method, for messages
 * @param parameters in their order
 * @param result null for a method without one
 * @param exceptions of the throws clause, in its order
 */
public record MethodNode(String name, List<Slot> parameters, @Nullable Slot result, List<Thrown> exceptions) {

	private static final List<Class<?>> ONLY_THEMSELVES = List.of(Throwable.class, Exception.class,
			RuntimeException.class, Error.class);

	/**
	 * The declared exception that is nearest to what was thrown: its class or a
	 * superclass. A bare {@code Exception} or {@code Throwable} stands only for itself: a
	 * subclass that is not declared is not turned into one.
	 * @param thrown what was thrown
	 * @return the index in {@link #exceptions}, or -1
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
	 * An argument or a result.
	 *
	 * @param name for messages, after a blank; empty for a result
	 * @param type of the value
	 */
	public record Slot(String name, Node type) {

		/** Whether null is impossible, as for a primitive. */
		public boolean isRequired() {
			return this.type.javaType().isPrimitive();
		}

	}

	/**
	 * An exception of a throws clause.
	 *
	 * @param written the writer's definition
	 * @param type null if only the writer declares it
	 */
	public record Thrown(ContractType written, @Nullable StructNode type) {

		private Class<?> javaType() {
			return (this.type != null) ? this.type.javaType() : void.class;
		}

	}

}
