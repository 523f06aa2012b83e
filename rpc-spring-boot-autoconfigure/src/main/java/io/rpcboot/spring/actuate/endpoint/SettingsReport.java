package io.rpcboot.spring.actuate.endpoint;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

/**
 * Report of the properties {@code rpc.*} and where each was set: those that are bound to
 * records of this project, with their defaults, and all others that are set.
 */
final class SettingsReport {

	private static final ConfigurationPropertyName RPC = ConfigurationPropertyName.of("rpc");

	private static final ConfigurationPropertyName WEIGHT = ConfigurationPropertyName.of("rpc.server.weight");

	private static final String OURS = "io.rpcboot.";

	private static final String DEFAULT = "default";

	private final ApplicationContext context;

	private final Sanitizer sanitizer;

	private final ObjectProvider<ReloadableProperties<?>> reloadable;

	/** Properties of the environment at the start, which were bound. */
	private final Map<ConfigurationPropertyName, ConfigurationProperty> atStart;

	/**
	 * Creates a report. Called at the start of the application.
	 */
	SettingsReport(ApplicationContext context, Sanitizer sanitizer,
			ObjectProvider<ReloadableProperties<?>> reloadable) {
		this.context = context;
		this.sanitizer = sanitizer;
		this.reloadable = reloadable;
		this.atStart = unbound(Set.of());
	}

	/**
	 * Returns all settings.
	 * @param showValues true to show values that are not secrets; false to mask all
	 */
	All all(boolean showValues) {
		Map<ConfigurationPropertyName, @Nullable Object> bound = bound();
		List<Setting> result = new ArrayList<>();
		bound.forEach((name, value) -> result.add(bound(name, value, showValues)));
		unbound(bound.keySet())
			.forEach((name, property) -> result.add(setting(name, property.getValue(), property, showValues)));
		result.sort(Comparator.comparing(Setting::property));
		return new All(result);
	}

	private Setting bound(ConfigurationPropertyName name, @Nullable Object value, boolean showValues) {
		RpcServer server = name.equals(WEIGHT) ? this.context.getBeanProvider(RpcServer.class).getIfAvailable() : null;
		Object weight = (server != null) ? server.presence().weight() : value;
		Setting setting = sinceStart(name, weight, showValues);
		return Objects.equals(weight, value) ? setting
				: new Setting(setting.property(), setting.value(), "operation weight or a customizer", setting.next());
	}

	/** Returns one setting, with the default if it is not set. */
	Setting one(ConfigurationPropertyName name, boolean showValues) {
		return all(showValues).settings()
			.stream()
			.filter((each) -> ReloadableProperties.nameOf(each.property()).equals(name))
			.findFirst()
			.orElseGet(() -> new Setting(name.toString(), null, DEFAULT));
	}

	/** Returns what has set the value in use: at the start, or when it was applied. */
	private @Nullable ConfigurationProperty inUse(ConfigurationPropertyName name) {
		ConfigurationProperty result = this.atStart.getOrDefault(name, this.atStart.get(name.append("[0]")));
		for (ReloadableProperties<?> each : this.reloadable) {
			result = each.inUse(name, result);
		}
		return result;
	}

	/**
	 * Returns a bound setting with the origin of the value in use. Another value of the
	 * environment has no effect yet.
	 */
	private Setting sinceStart(ConfigurationPropertyName name, @Nullable Object value, boolean showValues) {
		ConfigurationProperty now = find(name);
		ConfigurationProperty before = inUse(name);
		Setting setting = setting(name, value, (before != null || now == null) ? before : unlisted(now), showValues);
		boolean changed = (before != null && now != null) ? !Objects.equals(before.getValue(), now.getValue())
				: before != now && !isUnlisted(before, now);
		if (!changed) {
			return setting;
		}
		Setting next = setting(name, (now != null) ? now.getValue() : null, now, showValues);
		return new Setting(setting.property(), setting.value(), setting.origin(),
				(now != null) ? new Next(next.value(), next.origin()) : new Next(null, DEFAULT));
	}

	/** Returns true for a property of a source that does not list its names. */
	private static boolean isUnlisted(@Nullable ConfigurationProperty before, @Nullable ConfigurationProperty now) {
		return before == null && now != null && unlisted(now) != null;
	}

	private static @Nullable ConfigurationProperty unlisted(ConfigurationProperty property) {
		return (property.getSource() instanceof IterableConfigurationPropertySource) ? null : property;
	}

	private Map<ConfigurationPropertyName, @Nullable Object> bound() {
		Map<ConfigurationPropertyName, @Nullable Object> result = new LinkedHashMap<>();
		for (String bean : BeanFactoryUtils.beanNamesForAnnotationIncludingAncestors(this.context,
				ConfigurationProperties.class)) {
			ConfigurationProperties annotation = this.context.findAnnotationOnBean(bean, ConfigurationProperties.class);
			if (annotation != null && annotation.prefix().startsWith("rpc.") && isOurs(this.context.getType(bean))) {
				collect(ConfigurationPropertyName.of(annotation.prefix()), inUse(this.context.getBean(bean)), result);
			}
		}
		return result;
	}

	private Object inUse(Object properties) {
		for (ReloadableProperties<?> each : this.reloadable) {
			if (each.replaces(properties)) {
				return each.values();
			}
		}
		return properties;
	}

	/**
	 * Returns true for a record of this project. Properties of other libraries are shown
	 * as they were set, and masked by name.
	 */
	private static boolean isOurs(@Nullable Class<?> type) {
		return type != null && type.isRecord() && type.getName().startsWith(OURS);
	}

	private static void collect(ConfigurationPropertyName name, @Nullable Object value,
			Map<ConfigurationPropertyName, @Nullable Object> result) {
		if (value instanceof Record) {
			for (RecordComponent each : value.getClass().getRecordComponents()) {
				ReflectionUtils.makeAccessible(each.getAccessor());
				collect(name.append(dashed(each.getName())), ReflectionUtils.invokeMethod(each.getAccessor(), value),
						result);
			}
		}
		else if (value instanceof Map<?, ?> map) {
			map.forEach((key, each) -> collect(name.append(element(text(key))), each, result));
		}
		else if (value != null) {
			result.put(name, value);
		}
	}

	/**
	 * Returns a map key as an element of a property name: in brackets if it has capitals
	 * or dots.
	 */
	private static String element(String key) {
		return (ConfigurationPropertyName.isValid(key) && !key.contains(".")) ? key : "[" + key + "]";
	}

	private static String dashed(String name) {
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	/** Returns the property that sets a name, or the first element of its list. */
	private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
		for (ConfigurationPropertySource source : sources()) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			property = (property != null) ? property : source.getConfigurationProperty(name.append("[0]"));
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private Map<ConfigurationPropertyName, ConfigurationProperty> unbound(Set<ConfigurationPropertyName> bound) {
		Set<ConfigurationPropertyName> known = new HashSet<>(bound);
		Map<ConfigurationPropertyName, ConfigurationProperty> result = new LinkedHashMap<>();
		for (ConfigurationPropertySource source : sources()) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter(RPC::isAncestorOf).filter((name) -> !isKnown(name, known)).forEach((name) -> {
					ConfigurationProperty property = source.getConfigurationProperty(name);
					if (property != null) {
						result.put(name, property);
						known.add(name);
					}
				});
			}
		}
		return result;
	}

	/** Returns true for a known name and for an element of a known list. */
	private static boolean isKnown(ConfigurationPropertyName name, Set<ConfigurationPropertyName> known) {
		return known.contains(name) || (name.isLastElementIndexed() && known.contains(name.getParent()));
	}

	private Iterable<ConfigurationPropertySource> sources() {
		return ConfigurationPropertySources.get(this.context.getEnvironment());
	}

	/**
	 * Returns a setting. A secret is masked unless it is empty. A boolean is none,
	 * although the name of one ends with that of a secret: {@code allow-credentials}.
	 */
	private Setting setting(ConfigurationPropertyName name, @Nullable Object value,
			@Nullable ConfigurationProperty property, boolean showValues) {
		PropertySource<?> source = (property != null && property.getSource() != null
				&& property.getSource().getUnderlyingSource() instanceof PropertySource<?> underlying) ? underlying
						: null;
		String text = (value == null || isSimple(value)) ? text(value) : value.getClass().getName();
		Object shown = (showValues && value instanceof Boolean) ? text : this.sanitizer.sanitize(
				new SanitizableData(source, name.toString(), text), showValues && (!isSecret(name) || "".equals(text)));
		return new Setting(name.toString(), (shown != null) ? shown.toString() : null, origin(property, source));
	}

	/**
	 * Returns true for values whose text has no parts. Other objects may include a secret
	 * in {@code toString()}.
	 */
	private static boolean isSimple(@Nullable Object value) {
		if (value instanceof Collection<?> all) {
			return all.stream().allMatch(SettingsReport::isSimple);
		}
		return value == null || value instanceof Duration || value instanceof DataSize
				|| BeanUtils.isSimpleValueType(value.getClass());
	}

	/** Returns true for a password, which is masked for users who may see values, too. */
	private static boolean isSecret(ConfigurationPropertyName name) {
		return name.getLastElement(Form.UNIFORM).endsWith("password");
	}

	private static String origin(@Nullable ConfigurationProperty property, @Nullable PropertySource<?> source) {
		if (property == null) {
			return DEFAULT;
		}
		if (property.getOrigin() != null) {
			return property.getOrigin().toString();
		}
		return (source != null) ? source.getName() : "unknown";
	}

	/** Returns a value in the format of properties. */
	static String text(@Nullable Object value) {
		if (value instanceof Duration duration) {
			return text(duration);
		}
		if (value instanceof DataSize size) {
			return text(size);
		}
		if (value instanceof Enum<?> constant) {
			return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
		}
		if (value instanceof Class<?> type) {
			return type.getName();
		}
		return (value instanceof Collection<?> all)
				? all.stream().map(SettingsReport::text).collect(Collectors.joining(", ")) : String.valueOf(value);
	}

	static String text(Duration duration) {
		if (duration.getNano() % 1_000_000 != 0) {
			return duration.toNanos() + "ns";
		}
		return (duration.getNano() != 0) ? duration.toMillis() + "ms" : duration.toSeconds() + "s";
	}

	private static String text(DataSize size) {
		if (size.toBytes() == 0 || size.toBytes() % 1024 != 0) {
			return size.toBytes() + "B";
		}
		return (size.toKilobytes() % 1024 != 0) ? size.toKilobytes() + "KB" : size.toMegabytes() + "MB";
	}

	/**
	 * The list of settings.
	 *
	 * @param settings by name
	 */
	record All(List<Setting> settings) {
	}

	/**
	 * A property with a value.
	 *
	 * @param property its name
	 * @param value its value, or {@code ******}
	 * @param origin where the value in use was set, or {@code default}
	 * @param next the value of the environment now, if that is another one; it takes
	 * effect with the next start
	 */
	record Setting(String property, @Nullable String value, String origin, @Nullable Next next) {

		Setting(String property, @Nullable String value, String origin) {
			this(property, value, origin, null);
		}

	}

	/**
	 * The value that a property has with the next start.
	 *
	 * @param value its value, or {@code ******}; null for the default
	 * @param origin where it is set now, or {@code default}
	 */
	record Next(@Nullable String value, String origin) {
	}

}
