package io.rpcboot.samples.snippets;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties that this project, Spring Boot and the libraries of this module describe.
 */
final class KnownProperties {

	/** Types by name. */
	private static final Map<ConfigurationPropertyName, String> types = new HashMap<>();

	static {
		try {
			for (URL each : Collections.list(KnownProperties.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				read(each);
			}
		}
		catch (IOException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private KnownProperties() {
	}

	@SuppressWarnings("unchecked")
	private static void read(URL metadata) throws IOException {
		try (InputStream in = metadata.openStream()) {
			Map<String, Object> document = JsonMapper.shared().readValue(in, Map.class);
			for (Map<String, Object> each : (List<Map<String, Object>>) document.get("properties")) {
				types.put(ConfigurationPropertyName.of((String) each.get("name")), String.valueOf(each.get("type")));
			}
		}
	}

	/** Binds to the records of this project, which take no unknown name. */
	static void assertBound(String text, String language) throws IOException {
		Resource resource = new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8));
		List<PropertySource<?>> sources = language.equals("yaml")
				? new YamlPropertySourceLoader().load("snippet", resource)
				: new PropertiesPropertySourceLoader().load("snippet", resource);
		assertThat(sources).isNotEmpty();
		for (PropertySource<?> source : sources) {
			for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
				assertThat(isKnown(name)).as("%s is a property", name).isTrue();
			}
		}
		new ApplicationContextRunner().withUserConfiguration(Records.class)
			.withSystemProperties("ZOOKEEPER_PASSWORD=secret")
			.withInitializer((context) -> sources
				.forEach((source) -> context.getEnvironment().getPropertySources().addLast(source)))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	/** Returns true if it is described, or is an entry of a described map or list. */
	static boolean isKnown(String name) {
		ConfigurationPropertyName whole = ConfigurationPropertyName.adapt(name, '.');
		for (ConfigurationPropertyName each = whole; !each.isEmpty(); each = each.getParent()) {
			String type = types.get(each);
			if (type != null) {
				return each.equals(whole) || type.startsWith("java.util.");
			}
		}
		return false;
	}

	@Configuration(proxyBeanMethods = false)
	@ConfigurationPropertiesScan("io.rpcboot")
	static class Records {

	}

}
