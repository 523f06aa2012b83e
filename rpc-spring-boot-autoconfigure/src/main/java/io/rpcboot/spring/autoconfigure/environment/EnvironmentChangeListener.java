package io.rpcboot.spring.autoconfigure.environment;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.util.ReflectionUtils;

/**
 * Listens to changes of properties while the application runs, which Spring Cloud
 * publishes. Applies them as far as possible, and names those that take effect with the
 * next start. The event is recognized by its name, because Spring Cloud is optional.
 */
final class EnvironmentChangeListener implements SmartApplicationListener {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	private final ObjectProvider<ReloadableProperties<?>> reloadable;

	EnvironmentChangeListener(ObjectProvider<ReloadableProperties<?>> reloadable) {
		this.reloadable = reloadable;
	}

	@Override
	public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
		return type.getName().equals(EVENT);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		Map<ConfigurationPropertyName, String> later = new TreeMap<>();
		names(event).stream()
			.filter((name) -> name.startsWith("rpc."))
			.forEach((name) -> later.put(ReloadableProperties.nameOf(name), name));
		this.reloadable.stream().forEach((each) -> {
			Set<ConfigurationPropertyName> changed = later.keySet()
				.stream()
				.filter(each::takes)
				.collect(Collectors.toSet());
			if (!changed.isEmpty()) {
				reload(each, changed);
				later.keySet().removeAll(changed);
			}
		});
		if (!later.isEmpty()) {
			logger.warn("Properties changed that take effect with the next start of this application: {}",
					String.join(", ", later.values()));
		}
	}

	private static void reload(ReloadableProperties<?> properties, Set<ConfigurationPropertyName> changed) {
		try {
			properties.reload(changed, "the environment has changed");
		}
		catch (RuntimeException ex) {
			logger.warn("Changed properties are not applied, all of them keep their values: {}. {}",
					ReloadableProperties.text(changed), ReloadableProperties.problem(ex));
		}
	}

	@SuppressWarnings("unchecked")
	private static Collection<String> names(ApplicationEvent event) {
		Method keys = Objects.requireNonNull(ReflectionUtils.findMethod(event.getClass(), "getKeys"),
				"getKeys() of EnvironmentChangeEvent");
		Object names = ReflectionUtils.invokeMethod(keys, event);
		return (names instanceof Collection<?> all) ? (Collection<String>) all : List.of();
	}

}
