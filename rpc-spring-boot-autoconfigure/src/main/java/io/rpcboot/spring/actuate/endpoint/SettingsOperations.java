package io.rpcboot.spring.actuate.endpoint;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

/**
 * Changes settings of the running application. A changed setting overrides all other
 * sources until it is reset or the application ends. Any thread.
 */
final class SettingsOperations {

	/** Name of the property source, which reports show as the origin. */
	static final String SOURCE = "operation settings of the endpoint rpc";

	private static final String EXPECTED = "rpc.server.weight, rpc.server.pool.max-threads, rpc.client.timeout, "
			+ "wait-for-instance, load-balancer, retry.*, ejection.*, or timeout, wait-for-instance, retry.*, "
			+ "ejection.*, methods.* of rpc.client.references.{name} or rpc.client.services.{name}; "
			+ "all others take effect with the next start";

	private final ConfigurableEnvironment environment;

	private final ObjectProvider<ReloadableProperties<?>> reloadable;

	private Map<String, Object> changed = Map.of();

	SettingsOperations(ConfigurableEnvironment environment, ObjectProvider<ReloadableProperties<?>> reloadable) {
		this.environment = environment;
		this.reloadable = reloadable;
	}

	/**
	 * Changes a setting.
	 * @param property its name
	 * @param value the value, as in a file without placeholders; null to reset it to the
	 * other sources
	 * @param who who requested it, for the log
	 * @return the name in the notation of reports
	 * @throws InvalidEndpointRequestException if the name or the value is not valid
	 * @throws IllegalStateException if the server cannot take the value
	 */
	synchronized ConfigurationPropertyName set(String property, @Nullable String value, String who) {
		ConfigurationPropertyName name = ReloadableProperties.nameOf(property);
		ReloadableProperties<?> taker = this.reloadable.stream()
			.filter((each) -> each.takes(name))
			.findFirst()
			.orElseThrow(() -> invalid("property: %s (expected: %s)".formatted(property, EXPECTED)));
		if (value != null && value.contains("${")) { // it would show any other property
			throw invalid("value: %s (expected: no placeholder)".formatted(value));
		}
		Map<String, Object> next = new HashMap<>(this.changed);
		if (value != null) {
			next.put(name.toString(), value);
		}
		else {
			next.remove(name.toString());
		}
		apply(taker, name, next, who);
		return name;
	}

	/** Publishes the settings and reloads; no other change sees them if that fails. */
	private void apply(ReloadableProperties<?> taker, ConfigurationPropertyName name, Map<String, Object> next,
			String who) {
		synchronized (taker) { // the monitor of its reload
			Map<String, Object> before = this.changed;
			boolean applied = false;
			publish(next);
			try {
				taker.reload(Set.of(name), who);
				applied = true;
			}
			catch (IllegalStateException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				throw invalid(ReloadableProperties.problem(ex));
			}
			finally {
				if (!applied) {
					publish(before);
				}
			}
		}
	}

	private void publish(Map<String, Object> values) {
		this.changed = values;
		MutablePropertySources sources = this.environment.getPropertySources();
		MapPropertySource source = new MapPropertySource(SOURCE, values);
		if (sources.precedenceOf(source) == 0) { // equal by name; it is never missing
			sources.replace(SOURCE, source);
		}
		else {
			sources.addFirst(source);
		}
	}

	private static InvalidEndpointRequestException invalid(String problem) {
		String text = Formats.printable(problem);
		return new InvalidEndpointRequestException(text, text);
	}

}
