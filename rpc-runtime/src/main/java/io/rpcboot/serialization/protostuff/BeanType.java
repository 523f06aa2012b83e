package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;

/**
 * A class that is made by its no-arg constructor and then filled. What the constructor
 * put into a field never survives: a field that did not arrive is null or zero.
 */
final class BeanType extends StructType {

	private final MethodHandle constructor;

	/**
	 * Create a type.
	 * @param constructor of type {@code ()Object}
	 */
	BeanType(ResolvedType type, MethodHandle constructor) {
		super(type);
		this.constructor = constructor;
	}

	@Override
	Object readFields(ProtostuffInput in, int end) {
		Field[] fields = fields();
		Object bean = create();
		int index = 0;
		try {
			for (int tag = in.readTag(); tag != end; tag = in.readTag()) {
				int number = tag >>> 3;
				while (index < fields.length && fields[index].number < number) {
					fields[index++].clear(bean);
				}
				if (index == fields.length || fields[index].number != number) {
					throw unknown(tag);
				}
				fields[index].read(in, tag, bean);
				index++;
			}
		}
		catch (RuntimeException ex) {
			throw (index < fields.length) ? PathException.at("." + fields[index].name, ex) : PathException.at("", ex);
		}
		for (; index < fields.length; index++) {
			fields[index].clear(bean);
		}
		return bean;
	}

	private Object create() {
		try {
			return (Object) this.constructor.invokeExact();
		}
		catch (Exception ex) {
			throw new PathException("the constructor of %s threw %s".formatted(javaType().getName(), ex), ex);
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	String kind() {
		return "bean";
	}

}
