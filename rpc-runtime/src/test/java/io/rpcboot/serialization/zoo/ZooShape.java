package io.rpcboot.serialization.zoo;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a value can stand; each is a method of the services that {@link ZooServices}
 * makes.
 */
public enum ZooShape {

	ALONE {
		@Override
		public Object wrap(Method method, List<Object> values) {
			return values.get(0);
		}

		@Override
		public List<?> unwrap(Object wrapped) {
			return Collections.singletonList(wrapped);
		}
	},

	BEAN {
		@Override
		public Object wrap(Method method, List<Object> values) throws ReflectiveOperationException {
			Object bean = method.getReturnType().getDeclaredConstructor().newInstance();
			field(bean).set(bean, values.get(0));
			return bean;
		}

		@Override
		public List<?> unwrap(Object wrapped) throws ReflectiveOperationException {
			return Collections.singletonList(field(wrapped).get(wrapped));
		}

		private Field field(Object bean) throws ReflectiveOperationException {
			return bean.getClass().getField("value");
		}
	},

	RECORD {
		@Override
		public Object wrap(Method method, List<Object> values) throws ReflectiveOperationException {
			Constructor<?> canonical = method.getReturnType().getDeclaredConstructors()[0];
			return canonical.newInstance("before", values.get(0), "after");
		}

		@Override
		public List<?> unwrap(Object wrapped) throws ReflectiveOperationException {
			return Collections.singletonList(wrapped.getClass().getMethod("value").invoke(wrapped));
		}
	},

	LIST {
		@Override
		public Object wrap(Method method, List<Object> values) {
			return new ArrayList<>(values);
		}

		@Override
		public List<?> unwrap(Object wrapped) {
			return (List<?>) wrapped;
		}
	},

	MAP {
		@Override
		public Object wrap(Method method, List<Object> values) {
			Map<String, Object> map = new LinkedHashMap<>();
			values.forEach((each) -> map.put("key " + map.size(), each));
			return map;
		}

		@Override
		public List<?> unwrap(Object wrapped) {
			return new ArrayList<>(((Map<?, ?>) wrapped).values());
		}
	};

	/** Whether it takes all values of a row together. */
	public boolean takesAll() {
		return this == LIST || this == MAP;
	}

	/** The argument for a method of this shape. */
	public abstract Object wrap(Method method, List<Object> values) throws ReflectiveOperationException;

	/** The values in such an argument. */
	public abstract List<?> unwrap(Object wrapped) throws ReflectiveOperationException;

}
