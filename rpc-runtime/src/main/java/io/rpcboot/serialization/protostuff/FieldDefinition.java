package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;

/**
 * A field of a class that is carried, before its type is known to be one that can be.
 *
 * @param number on the wire
 * @param field the field
 * @param lookup with private access to the class that declares it
 */
record FieldDefinition(int number, java.lang.reflect.Field field, MethodHandles.Lookup lookup) {

	String name() {
		return this.field.getName();
	}

	Class<?> rawType() {
		return this.field.getType();
	}

	boolean isFinal() {
		return Modifier.isFinal(this.field.getModifiers());
	}

	/** A getter of type {@code (Object)Object}. */
	MethodHandle getter() {
		try {
			return ServiceClass.generic(this.lookup.unreflectGetter(this.field));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("the lookup has all access to " + this.field, ex);
		}
	}

	/** Create the field, under a number that may be shifted. */
	Field create(int number, ValueType type) {
		try {
			MethodHandle getter = this.lookup.unreflectGetter(this.field);
			MethodHandle setter = isFinal()
					? MethodHandles.empty(MethodType.methodType(void.class, this.field.getDeclaringClass(), rawType()))
					: this.lookup.unreflectSetter(this.field);
			return create(number, type, getter, setter).withAliases(Aliases.of(this.field));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("the lookup has all access to " + this.field, ex);
		}
	}

	private Field create(int number, ValueType type, MethodHandle getter, MethodHandle setter) {
		if (rawType().isPrimitive()) {
			return Fields.primitive(number, name(), rawType(),
					getter.asType(MethodType.methodType(rawType(), Object.class)),
					setter.asType(MethodType.methodType(void.class, Object.class, rawType())));
		}
		return Fields.reference(number, name(), type, getter.asType(MethodType.methodType(Object.class, Object.class)),
				setter.asType(MethodType.methodType(void.class, Object.class, Object.class)));
	}

}
