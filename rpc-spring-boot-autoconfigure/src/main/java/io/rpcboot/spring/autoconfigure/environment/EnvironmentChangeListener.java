package io.rpcboot.spring.autoconfigure.environment;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * Listens to changes of properties while the application runs, which Spring Cloud
 * publishes. Applies the weight of the server, and names the properties that take effect
 * with the next start. The event is recognized by its name, because Spring Cloud is
 * optional.
 */
final class EnvironmentChangeListener implements SmartApplicationListener {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	private static final String WEIGHT = "rpc.server.weight";

	private final Environment environment;

	private final ObjectProvider<RpcServer> server;

	EnvironmentChangeListener(Environment environment, ObjectProvider<RpcServer> server) {
		this.environment = environment;
		this.server = server;
	}

	@Override
	public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
		return type.getName().equals(EVENT);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		List<String> later = new ArrayList<>();
		for (String name : new TreeSet<>(names(event))) {
			if (name.equals(WEIGHT)) {
				weigh();
			}
			else if (name.startsWith("rpc.")) {
				later.add(name);
			}
		}
		if (!later.isEmpty()) {
			logger.warn("Properties changed that take effect with the next start of this application: {}",
					String.join(", ", later));
		}
	}

	@SuppressWarnings("unchecked")
	private static Collection<String> names(ApplicationEvent event) {
		Method keys = Objects.requireNonNull(ReflectionUtils.findMethod(event.getClass(), "getKeys"),
				"getKeys() of EnvironmentChangeEvent");
		Object names = ReflectionUtils.invokeMethod(keys, event);
		return (names instanceof Collection<?> all) ? (Collection<String>) all : List.of();
	}

	private void weigh() {
		RpcServer running = this.server.getIfAvailable();
		if (running == null) {
			return;
		}
		try {
			Integer weight = Binder.get(this.environment).bind(WEIGHT, Integer.class).orElse(null);
			running.weight((weight != null) ? weight : ServiceInstance.DEFAULT_WEIGHT, WEIGHT + " has changed");
		}
		catch (BindException | RpcConfigurationException | IllegalStateException ex) {
			logger.warn("{} has changed and the server keeps weight {}: {}", WEIGHT, running.presence().weight(),
					ex.getMessage());
		}
	}

}
