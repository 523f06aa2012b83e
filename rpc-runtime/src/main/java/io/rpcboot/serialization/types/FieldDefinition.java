package io.rpcboot.serialization.types;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;

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
	 * Create the field, under an index that may shift its number.
	 * @param isTaken whether a constructor takes it
	 */
	StructField create(int index, int shift, TypeRef type, boolean isTaken) {
		return new StructField(index, new ContractMember(this.number + shift, name(), type, Aliases.of(this.field)),
				rawType(), isFinal() && !isTaken, this::getter, this::setter);
	}

	private MethodHandle getter() {
		try {
			return this.lookup.unreflectGetter(this.field).asType(MethodType.methodType(rawType(), Object.class));
		}
		catch (IllegalAccessException ex) {
			throw inaccessible(ex);
		}
	}

	private MethodHandle setter() {
		MethodType type = MethodType.methodType(void.class, Object.class, rawType());
		try {
			if (isFixed()) {
				return MethodHandles.empty(type);
			}
			return isFinal() ? FinalContainer.setter(name(), getter())
					: this.lookup.unreflectSetter(this.field).asType(type);
		}
		catch (IllegalAccessException ex) {
			throw inaccessible(ex);
		}
	}

	private IllegalStateException inaccessible(IllegalAccessException ex) {
		return new IllegalStateException("the lookup has all access to " + this.field, ex);
	}

}
