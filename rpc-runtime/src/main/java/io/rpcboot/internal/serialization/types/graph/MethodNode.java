package io.rpcboot.internal.serialization.types.graph;

import java.util.List;

import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Values of one method. For a peer either its arguments or its replies, because a side
 * reads only one of them.
 *
 * @param name name of the method, for messages
 * @param parameters parameters in their order
 * @param result result, null for a method without one
 * @param exceptions exceptions of the throws clause, in its order
 * @param callbacks callbacks that the method takes, which are no parameters
 */
public record MethodNode(String name, List<Slot> parameters, @Nullable Slot result, List<Thrown> exceptions,
		List<CallbackNode> callbacks) {

	private static final List<Class<?>> ONLY_THEMSELVES = List.of(Throwable.class, Exception.class,
			RuntimeException.class, Error.class);

	/** Creates the values of a method without callbacks. */
	public MethodNode(String name, List<Slot> parameters, @Nullable Slot result, List<Thrown> exceptions) {
		this(name, parameters, result, exceptions, List.of());
	}

	/** Returns the types of all values, as a contract has them for a callback. */
	TypeRef call() {
		return TypeRef.callOf((this.result != null) ? this.result.type().ref() : TypeRef.VOID,
				this.parameters.stream().map((each) -> each.type().ref()).toList(),
				this.exceptions.stream().map((each) -> each.written().type()).toList());
	}

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
