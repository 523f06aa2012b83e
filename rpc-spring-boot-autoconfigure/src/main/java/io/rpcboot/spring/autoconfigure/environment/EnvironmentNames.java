package io.rpcboot.spring.autoconfigure.environment;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.Reference;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceMethod;
import io.rpcboot.spring.autoconfigure.properties.NamedEntries;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties.Method;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Maps environment variables with underscores inside the name of a reference, service or
 * method. Spring Boot reads each underscore as a dot: it takes
 * {@code RPC_CLIENT_REFERENCES_STOCK_SERVICE_TIMEOUT} for the unknown property
 * {@code service.timeout} of the reference {@code stock}, and ignores it. A variable
 * without any meaning is logged as a warning.
 */
final class EnvironmentNames implements EnvironmentPostProcessor {

	static final String NAME = "rpcEnvironmentNames";

	private static final Pattern OF_METHOD = Pattern.compile("(.+?)_METHODS_(.+)");

	private static final Pattern INDEX = Pattern.compile("(.+)_(\\d+)");

	private static final List<Entries> ENTRIES = List.of(
			Entries.of("rpc.client.references", Reference.class, ReferenceMethod.class),
			Entries.of("rpc.client.services", RpcClientProperties.Service.class, ReferenceMethod.class),
			Entries.of("rpc.server.services", RpcServerProperties.Service.class, Method.class));

	private final Log logger;

	EnvironmentNames(DeferredLogFactory logs) {
		this.logger = logs.getLog(() -> LogFactory.getLog("rpc.spring"));
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		PropertySource<?> source = environment.getPropertySources()
			.get(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
		if (!(source instanceof SystemEnvironmentPropertySource variables)) {
			return;
		}
		Map<String, Object> found = new LinkedHashMap<>();
		for (String variable : variables.getPropertyNames()) {
			String property = property(variable);
			if (property != null) {
				found.put(property,
						OriginTrackedValue.of(variables.getProperty(variable), new SystemEnvironmentOrigin(variable)));
			}
		}
		if (!found.isEmpty()) {
			// lower precedence: a variable without underscores in the name overrides
			environment.getPropertySources()
				.addAfter(source.getName(), new OriginTrackedMapPropertySource(NAME, found, true));
		}
	}

	private @Nullable String property(String variable) {
		String name = variable.toUpperCase(Locale.ROOT);
		for (Entries each : ENTRIES) {
			if (name.startsWith(each.begin())) {
				return property(variable, name.substring(each.begin().length()), each);
			}
		}
		return null;
	}

	private @Nullable String property(String variable, String entry, Entries entries) {
		Matcher method = OF_METHOD.matcher(entry);
		// otherwise "methods" is part of the name
		boolean isOfMethod = method.matches() && !entries.ofEntry().containsKey(NamedEntries.uniform(method.group(2)));
		Map<String, String> settings = isOfMethod ? entries.ofMethod() : entries.ofEntry();
		String property = property(isOfMethod ? method.group(2) : entry, settings);
		if (property == null) {
			warnOfUnknown(variable, entries.begin() + (isOfMethod ? "<NAME>_METHODS_<METHOD>_" : "<NAME>_"), settings);
			return null;
		}
		return entries.property() + "." + (isOfMethod ? NamedEntries.uniform(method.group(1)) + ".methods." : "")
				+ property;
	}

	/** Returns the name and the setting of an entry; null if it ends with no setting. */
	private static @Nullable String property(String entry, Map<String, String> settings) {
		Matcher index = INDEX.matcher(entry);
		if (index.matches()) {
			String property = property(index.group(1), settings);
			return (property != null) ? property + "[" + index.group(2) + "]" : null;
		}
		for (int end = entry.indexOf('_', 1); end > 0; end = entry.indexOf('_', end + 1)) {
			String setting = settings.get(NamedEntries.uniform(entry.substring(end)));
			if (setting != null) {
				return NamedEntries.uniform(entry.substring(0, end)) + "." + setting;
			}
		}
		return null;
	}

	private void warnOfUnknown(String variable, String begin, Map<String, String> settings) {
		String expected = settings.values()
			.stream()
			.map((setting) -> setting.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", ""))
			.sorted()
			.collect(Collectors.joining(", "));
		this.logger.warn("Environment variable %s sets nothing (expected: %s and one of %s)".formatted(variable, begin,
				expected));
	}

	/**
	 * A map of properties with keys that the application chooses.
	 *
	 * @param property name of the map
	 * @param begin prefix of variables of its entries
	 * @param ofEntry settings of an entry: property by uniform name
	 * @param ofMethod settings of a method of an entry: property by uniform name
	 */
	private record Entries(String property, String begin, Map<String, String> ofEntry, Map<String, String> ofMethod) {

		static Entries of(String property, Class<?> entry, Class<?> method) {
			return new Entries(property, property.toUpperCase(Locale.ROOT).replace('.', '_') + "_", settings(entry, ""),
					settings(method, ""));
		}

		private static Map<String, String> settings(Class<?> type, String prefix) {
			Map<String, String> settings = new TreeMap<>();
			for (RecordComponent component : type.getRecordComponents()) {
				String property = prefix + DataObjectPropertyName.toDashedForm(component.getName());
				if (component.getType().isRecord()) {
					settings.putAll(settings(component.getType(), property + "."));
				}
				else if (component.getType() != Map.class) {
					settings.put(NamedEntries.uniform(property), property);
				}
			}
			return settings;
		}

	}

}
