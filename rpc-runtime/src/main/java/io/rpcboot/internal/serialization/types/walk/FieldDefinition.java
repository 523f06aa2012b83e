package io.rpcboot.internal.serialization.types.walk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;

import io.rpcboot.internal.serialization.types.graph.Aliases;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Field of a class, before its type was checked.
 *
 * @param number number in the contract
 * @param field the field
 * @param lookup lookup with private access to the declaring class
 */
record FieldDefinition(int number, Field field, MethodHandles.Lookup lookup) {

	String name() {
		return this.field.getName();
	}

	Class<?> rawType() {
		return this.field.getType();
	}

	Type genericType() {
		return this.field.getGenericType();
	}

	boolean isFinal() {
		return Modifier.isFinal(this.field.getModifiers());
	}

	/** Returns true if only a constructor can set the field. */
	boolean isFixed() {
		return isFinal() && !FinalContainer.isDeclared(rawType());
	}

	/**
	 * Creates the field.
	 * @param index index in the class
	 * @param shift added to the number
	 * @param isTaken true if the constructor takes the field
	 */
	StructField create(int index, int shift, TypeRef type, boolean isTaken) {
		Handles handles = new Handles(this.lookup, name(), rawType(), isFinal());
		return new StructField(index, new ContractMember(this.number + shift, name(), type, Aliases.of(this.field)),
				rawType(), isFinal() && !isTaken, handles);
	}

	/** Access to the field. Keeps far less memory than the reflective field. */
	private record Handles(MethodHandles.Lookup lookup, String name, Class<?> rawType,
			boolean isFinal) implements StructField.Access {

		@Override
		public MethodHandle getter() {
			try {
				return this.lookup.findGetter(this.lookup.lookupClass(), this.name, this.rawType)
					.asType(MethodType.methodType(this.rawType, Object.class));
			}
			catch (ReflectiveOperationException ex) {
				throw inaccessible(ex);
			}
		}

		@Override
		public MethodHandle setter() {
			MethodType type = MethodType.methodType(void.class, Object.class, this.rawType);
			if (this.isFinal) {
				return FinalContainer.isDeclared(this.rawType) ? FinalContainer.setter(this.name, getter())
						: MethodHandles.empty(type);
			}
			try {
				return this.lookup.findSetter(this.lookup.lookupClass(), this.name, this.rawType).asType(type);
			}
			catch (ReflectiveOperationException ex) {
				throw inaccessible(ex);
			}
		}

		private IllegalStateException inaccessible(ReflectiveOperationException ex) {
			return new IllegalStateException("the lookup has all access to field " + this.name, ex);
		}

	}

}
