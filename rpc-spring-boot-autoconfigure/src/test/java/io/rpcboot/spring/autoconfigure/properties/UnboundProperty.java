package io.rpcboot.spring.autoconfigure.properties;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Takes the binding of one property away: while it is active, the record that has the
 * property is made with the default in place of what was set, and a condition reads it as
 * not set. The constructors of the records are instrumented for that.
 */
public final class UnboundProperty implements AutoCloseable {

	private static final Set<Class<?>> INSTRUMENTED = new HashSet<>();

	private static volatile @Nullable UnboundProperty active;

	private final String name;

	/** The record of the prefix, null if no record has the property. */
	private final @Nullable Class<?> type;

	/** Components from that record to the property. */
	private final List<RecordComponent> path;

	private volatile @Nullable RuntimeException failure;

	private UnboundProperty(String name, @Nullable Class<?> type, List<RecordComponent> path) {
		this.name = name;
		this.type = type;
		this.path = path;
	}

	/**
	 * Takes the binding of a property away until the result is closed.
	 * @throws IllegalArgumentException if neither a record nor a condition of this module
	 * has the property
	 */
	static UnboundProperty take(String property) {
		UnboundProperty taken = find(property);
		if (taken.type != null) {
			instrument(taken.type, Advice.to(CanonicalConstructor.class)
				.on(ElementMatchers.isConstructor().and(ElementMatchers.takesArguments(types(taken.type)))));
		}
		instrument(OnSwitchCondition.class, Advice.to(ReadOfCondition.class).on(ElementMatchers.named("read")));
		active = taken;
		return taken;
	}

	private static UnboundProperty find(String property) {
		for (Class<?> type : types()) {
			String prefix = AnnotatedElementUtils.findMergedAnnotation(type, ConfigurationProperties.class).prefix();
			if (property.startsWith(prefix + ".")) {
				List<RecordComponent> path = path(type, property.substring(prefix.length() + 1));
				if (path != null) {
					return new UnboundProperty(property, type, path);
				}
			}
		}
		if (property.endsWith(".enabled")) {
			return new UnboundProperty(property, null, List.of());
		}
		throw new IllegalArgumentException("No record of properties has " + property);
	}

	private static List<Class<?>> types() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		List<Class<?>> types = new ArrayList<>();
		for (BeanDefinition definition : scanner.findCandidateComponents("io.rpcboot.spring")) {
			Class<?> type = ClassUtils.resolveClassName(definition.getBeanClassName(), null);
			if (type.isRecord()) {
				types.add(type);
			}
		}
		return types;
	}

	/** Returns the components that lead to a name; null if there is no such name. */
	private static @Nullable List<RecordComponent> path(Class<?> type, String rest) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
			if (rest.equals(name)) {
				return List.of(component);
			}
			if (rest.startsWith(name + ".")) {
				String below = rest.substring(name.length() + 1);
				if (component.getType() == Map.class) {
					below = below.substring(below.indexOf('.') + 1); // without the key
				}
				Class<?> next = recordOf(component);
				List<RecordComponent> path = next.isRecord() ? path(next, below) : null;
				return (path != null) ? Stream.concat(Stream.of(component), path.stream()).toList() : null;
			}
		}
		return null;
	}

	/** Returns the type of a component, or of the values of a map. */
	private static Class<?> recordOf(RecordComponent component) {
		return (component.getGenericType() instanceof ParameterizedType map && component.getType() == Map.class
				&& map.getActualTypeArguments()[1] instanceof Class<?> values) ? values : component.getType();
	}

	private static void instrument(Class<?> type, AsmVisitorWrapper advice) {
		if (INSTRUMENTED.add(type)) {
			ByteBuddyAgent.install();
			new ByteBuddy().redefine(type)
				.visit(advice)
				.make()
				.load(type.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
		}
	}

	private static Class<?>[] types(Class<?> record) {
		return Arrays.stream(record.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new);
	}

	/** Returns true if a condition reads the property as not set. */
	public static boolean isTaken(String property) {
		UnboundProperty unbound = active;
		return unbound != null && unbound.name.equals(property);
	}

	/**
	 * Returns the arguments of a constructor without what is taken away.
	 * @param type the record that is made
	 * @param arguments what was bound
	 */
	public static Object[] replace(Class<?> type, Object[] arguments) {
		UnboundProperty unbound = active;
		if (unbound == null || unbound.type != type) {
			return arguments;
		}
		try {
			return unbound.replace(type, arguments, 0);
		}
		catch (RuntimeException ex) {
			unbound.failure = ex;
			throw ex;
		}
	}

	/** Returns why it could not be taken away, null if it could. */
	@Nullable RuntimeException failure() {
		return this.failure;
	}

	private Object[] replace(Class<?> record, Object[] arguments, int depth) {
		RecordComponent component = this.path.get(depth);
		int index = Stream.of(record.getRecordComponents())
			.map(RecordComponent::getName)
			.toList()
			.indexOf(component.getName());
		Object[] replaced = arguments.clone();
		Object bound = arguments[index];
		if (depth == this.path.size() - 1) {
			replaced[index] = unset(record, component);
		}
		else if (bound instanceof Map<?, ?> map) {
			Map<Object, Object> copies = new LinkedHashMap<>();
			map.forEach((key, value) -> copies.put(key, copy(value, depth + 1)));
			replaced[index] = copies;
		}
		else if (bound != null) {
			replaced[index] = copy(bound, depth + 1);
		}
		return replaced;
	}

	/** Returns the value of a component that is not set. */
	private static Object unset(Class<?> record, RecordComponent component) {
		UnboundProperty taken = active;
		active = null; // the record of the prefix is made once more
		try {
			return value(component,
					new Binder(new MapConfigurationPropertySource()).bindOrCreate("rpc.of-none", record));
		}
		finally {
			active = taken;
		}
	}

	private Object copy(Object record, int depth) {
		Class<?> type = record.getClass();
		Object[] values = Arrays.stream(type.getRecordComponents())
			.map((component) -> value(component, record))
			.toArray();
		try {
			Constructor<?> constructor = type.getDeclaredConstructor(types(type));
			constructor.setAccessible(true);
			return constructor.newInstance(replace(type, values, depth));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Object value(RecordComponent component, Object record) {
		try {
			component.getAccessor().setAccessible(true);
			return component.getAccessor().invoke(record);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		active = null;
	}

	/** Copied into the constructors. */
	static final class CanonicalConstructor {

		private CanonicalConstructor() {
		}

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin Class<?> type,
				@Advice.AllArguments(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object[] arguments) {
			arguments = replace(type, arguments);
		}

	}

	/** Copied into the method that reads a switch. */
	static final class ReadOfCondition {

		private ReadOfCondition() {
		}

		@Advice.OnMethodExit
		static void exit(@Advice.Argument(1) String property, @Advice.Return(readOnly = false) Boolean read) {
			read = isTaken(property) ? null : read;
		}

	}

}
