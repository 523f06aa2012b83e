package io.rpcboot.serialization.fory;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An array of objects.
 */
final class ForyArray extends ForyType {

	/** A list and the array. */
	private static final int EMPTY = 96;

	/** A reference in the list, which grows, and in the array. */
	private static final int ELEMENT = 26;

	private final ForyType component;

	ForyArray(Class<?> componentType, ForyType component) {
		super(componentType.arrayType());
		this.component = component;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireInstance(Object[].class, value);
		Object[] elements = (Object[]) value;
		ForyElements.start(out, elements.length, false);
		for (int i = 0; i < elements.length; i++) {
			ForyElements.write(out, this.component, elements[i], i);
		}
		out.leave();
	}

	@Override
	Object read(ForyInput in) {
		in.enter();
		int size = in.size();
		in.flag();
		List<@Nullable Object> elements = new ArrayList<>();
		in.budget.charge(EMPTY + (long) ELEMENT * size);
		ForyElements.read(in, size, this.component, elements::add);
		in.leave();
		Object array = Array.newInstance(javaType().getComponentType(), size);
		for (int i = 0; i < size; i++) {
			Array.set(array, i, elements.get(i));
		}
		return array;
	}

}
