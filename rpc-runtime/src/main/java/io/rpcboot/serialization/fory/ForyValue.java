package io.rpcboot.serialization.fory;

import java.lang.reflect.Modifier;

/**
 * A value of the JDK, by Fory's serializer for its class.
 */
final class ForyValue extends ForyType {

	private final int index;

	private final boolean exact;

	/**
	 * Create a type.
	 * @param index of the serializer in each engine
	 */
	ForyValue(Class<?> type, int index) {
		super(type);
		this.index = index;
		this.exact = !Modifier.isAbstract(type.getModifiers()) || type.isArray();
	}

	@Override
	void write(ForyOutput out, Object value) {
		if (this.exact) {
			requireExactly(javaType(), value);
		}
		requireInstance(javaType(), value);
		out.value(this.index, value);
	}

	@Override
	Object read(ForyInput in) {
		return in.value(this.index);
	}

}
