package io.rpcboot.spring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.spring.autoconfigure.RpcClientProperties.Reference;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Method;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Service;
import org.apache.commons.logging.Log;
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
 * Lets environment variables have underscores inside the name of a reference, service or
 * method. Spring Boot takes each underscore for a dot: it finds the reference
 * {@code stock} in {@code RPC_CLIENT_REFERENCES_STOCK_SERVICE_TIMEOUT} and a property
 * {@code service.timeout} in it that does not exist, and ignores the variable. A variable
 * that has no meaning at all gets a warning.
 */
final class EnvironmentNames implements EnvironmentPostProcessor {

	static final String NAME = "rpcEnvironmentNames";

	private static final String REFERENCES = "RPC_CLIENT_REFERENCES_";

	private static final String SERVICES = "RPC_SERVER_SERVICES_";

	private static final Pattern OF_METHOD = Pattern.compile("(.+?)_METHODS_(.+)");

	private static final Pattern INDEX = Pattern.compile("(.+)_(\\d+)");

	private static final Map<String, String> OF_REFERENCES = settings(Reference.class, "");

	private static final Map<String, String> OF_SERVICES = settings(Service.class, "");

	private static final Map<String, String> OF_METHODS = settings(Method.class, "");

	private final Log logger;

	EnvironmentNames(DeferredLogFactory logs) {
		this.logger = logs.getLog(EnvironmentNames.class);
	}

	/** What an entry may set: its property by that in uniform form. */
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
			// after: a variable whose name has no underscores goes before one that has
			environment.getPropertySources()
				.addAfter(source.getName(), new OriginTrackedMapPropertySource(NAME, found, true));
		}
	}

	private @Nullable String property(String variable) {
		String name = variable.toUpperCase(Locale.ROOT);
		if (name.startsWith(REFERENCES)) {
			String property = property(name.substring(REFERENCES.length()), OF_REFERENCES);
			warnOfUnknown(variable, property, REFERENCES + "<NAME>_", OF_REFERENCES);
			return (property != null) ? "rpc.client.references." + property : null;
		}
		if (!name.startsWith(SERVICES)) {
			return null;
		}
		String entry = name.substring(SERVICES.length());
		Matcher method = OF_METHOD.matcher(entry);
		if (!method.matches()) {
			String property = property(entry, OF_SERVICES);
			warnOfUnknown(variable, property, SERVICES + "<NAME>_", OF_SERVICES);
			return (property != null) ? "rpc.server.services." + property : null;
		}
		String property = property(method.group(2), OF_METHODS);
		warnOfUnknown(variable, property, SERVICES + "<NAME>_METHODS_<METHOD>_", OF_METHODS);
		return (property != null)
				? "rpc.server.services.%s.methods.%s".formatted(NamedEntries.uniform(method.group(1)), property) : null;
	}

	/** Name and setting of an entry; null if no setting is at its end. */
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

	private void warnOfUnknown(String variable, @Nullable String property, String begin, Map<String, String> settings) {
		if (property == null) {
			String expected = settings.values()
				.stream()
				.map((setting) -> setting.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", ""))
				.sorted()
				.collect(Collectors.joining(", "));
			this.logger.warn("Environment variable %s sets nothing (expected: %s and one of %s)".formatted(variable,
					begin, expected));
		}
	}

}
