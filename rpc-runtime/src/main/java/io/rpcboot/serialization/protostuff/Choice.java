package io.rpcboot.serialization.protostuff;

/**
 * One of the types that can stand where a base or {@code Object} is declared.
 *
 * @param number of its field in the group
 * @param kind the class or interface whose instances it carries
 * @param javaType the class that arrives
 * @param type how it is carried
 */
record Choice(int number, Class<?> kind, Class<?> javaType, ValueType type) {

	Choice(int number, Class<?> javaType, ValueType type) {
		this(number, javaType, javaType, type);
	}

	/** What is looked up for a value; the constants of an enum may have their own. */
	static Class<?> classOf(Object value) {
		return (value instanceof Enum<?> constant) ? constant.getDeclaringClass() : value.getClass();
	}

}
