package io.rpcboot.spring.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import io.rpcboot.spring.autoconfigure.properties.TestContextDetector;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * Hides the registry in the properties of an application from a test: its properties are
 * empty here, if the application sets them to a registry outside of the process. Property
 * sources of the test come before this one, those of the application after it.
 */
final class RegistryOfTest extends EnumerablePropertySource<List<String>> {

	private static final String TYPE = "rpc.registry.type";

	private static final String CONNECT_STRING = "rpc.registry.zookeeper.connect-string";

	private static final String EMBEDDED = "rpc.registry.zookeeper.embedded.enabled";

	private static final List<String> NAMES = List.of(TYPE, CONNECT_STRING, EMBEDDED);

	private final ConfigurableEnvironment environment;

	private final ListableBeanFactory beanFactory;

	/**
	 * Hides the registry.
	 * @param environment contains this source and those of test and application
	 * @param beanFactory may have connection details, which a test declares
	 */
	RegistryOfTest(ConfigurableEnvironment environment, ListableBeanFactory beanFactory) {
		super(TestContextDetector.OWN_REGISTRY, NAMES);
		this.environment = environment;
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns all names, hidden or not, because the look-up of the value that an
	 * application sets enumerates this source, too.
	 */
	@Override
	public String[] getPropertyNames() {
		return NAMES.toArray(String[]::new);
	}

	@Override
	public boolean containsProperty(String name) {
		return isHidden(name);
	}

	/** Returns the properties of the application that the test does not see. */
	List<String> hidden() {
		return NAMES.stream().filter(this::isHidden).toList();
	}

	@Override
	public @Nullable Object getProperty(String name) {
		if (!isHidden(name)) {
			return null;
		}
		return switch (name) {
			case TYPE -> isZooKeeperOfTest() ? "zookeeper" : "in-memory";
			case EMBEDDED -> "false";
			default -> "";
		};
	}

	private boolean isZooKeeperOfTest() {
		return !value(CONNECT_STRING, ofTest()).isBlank() || value(EMBEDDED, ofTest()).equalsIgnoreCase("true")
				|| this.beanFactory.getBeanNamesForType(RpcRegistryConnectionDetails.class, true, false).length > 0;
	}

	private boolean isHidden(String name) {
		if (!NAMES.contains(name)) {
			return false;
		}
		String value = value(name, ofApplication());
		boolean isElsewhere = switch (name) {
			case TYPE ->
				List.of("zookeeper", "discoveryclient").contains(value.toLowerCase(Locale.ROOT).replaceAll("[-_]", ""));
			case EMBEDDED -> value.equalsIgnoreCase("true");
			default -> !value.isBlank();
		};
		return isElsewhere && !this.environment.getProperty("rpc.registry.use-in-tests", Boolean.class, false);
	}

	private Stream<PropertySource<?>> ofTest() {
		return this.environment.getPropertySources().stream().takeWhile((source) -> source != this);
	}

	private Stream<PropertySource<?>> ofApplication() {
		return this.environment.getPropertySources().stream().dropWhile((source) -> source != this).skip(1);
	}

	/** Returns the value of a property, empty for none. */
	private String value(String name, Stream<PropertySource<?>> sources) {
		List<ConfigurationPropertySource> adapted = new ArrayList<>();
		sources.forEach((source) -> {
			// null for the view of all sources that Spring Boot adds
			ConfigurationPropertySource each = ConfigurationPropertySource.from(source);
			if (each != null) {
				adapted.add(each);
			}
		});
		Binder binder = new Binder(adapted, new PropertySourcesPlaceholdersResolver(this.environment));
		return Objects.requireNonNullElse(binder.bind(name, String.class).orElse(null), "");
	}

}
