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
 * A field of a class that is carried, before its type is known to be one that can be.
 *
 * @param number in the contract
 * @param field the field
 * @param lookup with private access to the class that declares it
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

	/** Whether it has to be given to a constructor. */
	boolean isFixed() {
		return isFinal() && !FinalContainer.isDeclared(rawType());
	}

	/**
	 * Create the field, under an index that may shift its number; a constructor may take
	 * it.
	 */
	StructField create(int index, int shift, TypeRef type, boolean isTaken) {
		Handles handles = new Handles(this.lookup, name(), rawType(), isFinal());
		return new StructField(index, new ContractMember(this.number + shift, name(), type, Aliases.of(this.field)),
				rawType(), isFinal() && !isTaken, handles);
	}

	/** All that is kept of the field: reflection knows ten times as much. */
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
