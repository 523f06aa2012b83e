package io.rpcboot.spring.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.rpcboot.RpcConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * Properties in use, some of which change while the application runs: these have the
 * values that were applied last, all others those of the start. Any thread.
 *
 * @param <T> the record of the properties
 * @since 0.1.0
 */
public final class ReloadableProperties<T extends Record> {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final T atStart;

	private final Environment environment;

	private final ConfigurationPropertyName prefix;

	private final Predicate<ConfigurationPropertyName> changing;

	private final Target<T> target;

	private volatile T values;

	/** Set properties that were applied last, null before the first time. */
	private volatile @Nullable Map<ConfigurationPropertyName, ConfigurationProperty> applied;

	/**
	 * Starts with the properties of the start.
	 * @param atStart the bound properties
	 * @param environment source of changes
	 * @param changing returns true for a property below the prefix that may change
	 * @param target takes changes
	 */
	public ReloadableProperties(T atStart, Environment environment, Predicate<ConfigurationPropertyName> changing,
			Target<T> target) {
		this.atStart = atStart;
		this.environment = environment;
		this.prefix = ConfigurationPropertyName
			.of(MergedAnnotations.from(atStart.getClass()).get(ConfigurationProperties.class).getString("prefix"));
		this.changing = changing;
		this.target = target;
		this.values = atStart;
	}

	/** Takes changed properties. */
	public interface Target<T extends Record> {

		/**
		 * Applies properties, all of them or none.
		 * @param before the properties in use
		 * @param next the properties to use
		 * @param changed names of properties that have changed
		 * @param reason for the log
		 * @throws RuntimeException if one is not usable
		 */
		void apply(T before, T next, Set<ConfigurationPropertyName> changed, String reason);

	}

	/** Returns the name of a property; any notation is accepted. */
	public static ConfigurationPropertyName nameOf(String property) {
		return ConfigurationPropertyName.adapt(property, '.');
	}

	/** Returns names as a list. */
	public static String text(Collection<ConfigurationPropertyName> names) {
		return names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
	}

	/** Returns why properties were not applied, and what to do. */
	public static String problem(RuntimeException refusal) {
		return (refusal instanceof RpcConfigurationException ours)
				? "%s. %s".formatted(ours.getMessage(), ours.action()) : String.valueOf(refusal.getMessage());
	}

	/** Returns true if changes of a property are applied while the application runs. */
	public boolean takes(ConfigurationPropertyName name) {
		return this.prefix.isAncestorOf(name) && this.changing.test(name);
	}

	/** Returns the properties in use. */
	public T values() {
		return this.values;
	}

	/** Returns true if properties are those of the start, which these replace. */
	public boolean replaces(Object properties) {
		return this.atStart == properties;
	}

	/**
	 * Returns what sets the value in use of a property.
	 * @param atStart what has set it at the start, null for nothing
	 */
	public @Nullable ConfigurationProperty inUse(ConfigurationPropertyName name,
			@Nullable ConfigurationProperty atStart) {
		Map<ConfigurationPropertyName, ConfigurationProperty> set = this.applied;
		if (set == null || !takes(name)) {
			return atStart;
		}
		ConfigurationProperty element = set.get(name.append("[0]"));
		return (element != null) ? element : set.get(name);
	}

	/**
	 * Applies the properties of the environment.
	 * @param changed names of properties that have changed
	 * @param reason for the log
	 * @throws RuntimeException if one is not valid; then all properties keep their values
	 */
	public synchronized void reload(Collection<ConfigurationPropertyName> changed, String reason) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource each : ConfigurationPropertySources.get(this.environment)) {
			sources.add(each.filter(this::takes));
		}
		Map<ConfigurationPropertyName, ConfigurationProperty> set = set(sources);
		T next = next(sources);
		this.target.apply(this.values, next, Set.copyOf(changed), reason);
		this.applied = set;
		this.values = next;
		logger.info("Properties are applied while the application runs: {} ({})", text(changed), reason);
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // a record becomes the same record
	private T next(List<ConfigurationPropertySource> sources) {
		try {
			Object now = new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment)).bindOrCreate(
					this.prefix.toString(), Bindable.of(this.atStart.getClass()),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
			return (T) merged(this.prefix, this.atStart, now);
		}
		catch (BindException ex) {
			throw InvalidPropertyException.of(ex);
		}
	}

	private static Map<ConfigurationPropertyName, ConfigurationProperty> set(
			List<ConfigurationPropertySource> sources) {
		Map<ConfigurationPropertyName, ConfigurationProperty> set = new HashMap<>();
		for (ConfigurationPropertySource source : sources) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.forEach((name) -> {
					ConfigurationProperty property = source.getConfigurationProperty(name);
					if (property != null) {
						set.putIfAbsent(name, property);
					}
				});
			}
		}
		return set;
	}

	/** Returns the values before, with those values of now that may change. */
	private @Nullable Object merged(ConfigurationPropertyName name, @Nullable Object before, @Nullable Object now) {
		if (takes(name)) {
			return (now == null && before instanceof Map) ? Map.of() : now;
		}
		if (before == null) {
			return now;
		}
		if (before instanceof Record) {
			return mergedRecord(name, before, now);
		}
		if (before instanceof Map<?, ?> known) {
			Map<Object, @Nullable Object> result = new LinkedHashMap<>();
			Map<?, ?> found = (now instanceof Map<?, ?> map) ? map : Map.of();
			known.forEach((key, value) -> result.put(key, merged(name.append("[" + key + "]"), value, found.get(key))));
			found.forEach(result::putIfAbsent);
			return result;
		}
		return before;
	}

	private Object mergedRecord(ConfigurationPropertyName name, Object before, @Nullable Object now) {
		RecordComponent[] components = before.getClass().getRecordComponents();
		Object[] arguments = new Object[components.length];
		for (int i = 0; i < components.length; i++) {
			ConfigurationPropertyName each = name.append(DataObjectPropertyName.toDashedForm(components[i].getName()));
			arguments[i] = merged(each, valueOf(components[i], before), valueOf(components[i], now));
		}
		Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
		try {
			return BeanUtils.instantiateClass(before.getClass().getDeclaredConstructor(types), arguments);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static @Nullable Object valueOf(RecordComponent component, @Nullable Object of) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return (of != null) ? ReflectionUtils.invokeMethod(component.getAccessor(), of) : null;
	}

}
