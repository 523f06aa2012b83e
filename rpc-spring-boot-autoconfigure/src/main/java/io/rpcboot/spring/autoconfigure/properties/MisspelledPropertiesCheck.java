package io.rpcboot.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.ApplicationContext;

/**
 * Finds properties with a misspelled prefix, such as {@code rpc.clent.timeout}, which
 * Spring Boot ignores because nothing is bound to the prefix. Rejects such a property if
 * a similar prefix of this project has it. Other names that begin with {@code rpc} may
 * belong to other libraries or the application. As in Spring Boot, system properties and
 * environment variables never fail start-up.
 *
 * @since 0.1.0
 */
public final class MisspelledPropertiesCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final ConfigurationPropertyName RPC = ConfigurationPropertyName.of("rpc");

	private static final String OURS = "io.rpcboot.";

	private final ApplicationContext context;

	/**
	 * Records of this project by the word after {@code rpc}; null for a word of another
	 * library.
	 */
	private final Map<String, @Nullable Class<?>> prefixes = new LinkedHashMap<>();

	MisspelledPropertiesCheck(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String bean : BeanFactoryUtils.beanNamesForAnnotationIncludingAncestors(this.context,
				ConfigurationProperties.class)) {
			ConfigurationProperties annotation = this.context.findAnnotationOnBean(bean, ConfigurationProperties.class);
			if (annotation != null && annotation.prefix().startsWith("rpc.")) {
				Class<?> type = this.context.getType(bean);
				String[] words = annotation.prefix().split("\\.");
				boolean isOurs = type != null && type.isRecord() && type.getName().startsWith(OURS);
				this.prefixes.put(NamedEntries.uniform(words[1]), isOurs ? type : null);
			}
		}
		UnboundElementsSourceFilter filter = new UnboundElementsSourceFilter();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.context.getEnvironment())) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				boolean refuses = filter.apply(source);
				iterable.stream().filter(RPC::isAncestorOf).forEach((name) -> check(name, source, refuses));
			}
		}
	}

	private void check(ConfigurationPropertyName name, ConfigurationPropertySource source, boolean refuses) {
		String word = name.getElement(1, Form.UNIFORM);
		if (this.prefixes.containsKey(word)) {
			return;
		}
		String meant = below(DidYouMean.CLOSE.meant(word, this.prefixes.keySet()), PropertyNames.elements(name, 2));
		if (meant != null && refuses) {
			throw new InvalidPropertyException(name.toString(), name.toString(),
					Redaction.shown(value(name, source), name.toString(), meant),
					"not set; did you mean %s?".formatted(meant),
					"Set %s instead of %s. If it belongs to another library, bind it with @ConfigurationProperties."
						.formatted(meant, name));
		}
		if (meant != null) {
			logger.warn("{} sets nothing; did you mean {}?", name, meant);
		}
		else if (refuses) {
			warnOfSides(name);
		}
	}

	/**
	 * Warns about a property that lacks client, server or registry, such as
	 * {@code rpc.timeout} or {@code rpc.zookeeper.connect-string}, and may belong to
	 * another library.
	 */
	private void warnOfSides(ConfigurationPropertyName name) {
		List<String> elements = PropertyNames.elements(name, 1);
		String meant = Stream.of("client", "server")
			.map((side) -> below(side, elements))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(" or "));
		String other = meant.isEmpty() ? otherSection(elements) : meant;
		if (other != null) {
			logger.warn("{} is not a property of RPC; did you mean {}?", name, other);
		}
	}

	/** Returns the only property of any prefix that ends with a name of several words. */
	private @Nullable String otherSection(List<String> elements) {
		String synonym = PropertySynonyms.meant(elements);
		if (synonym != null || elements.size() < 2) {
			return synonym;
		}
		List<String> found = new ArrayList<>();
		this.prefixes.forEach((word, type) -> {
			String property = (type != null) ? PropertyNames.ending(type, elements) : null;
			if (property != null) {
				found.add("rpc." + word + "." + property);
			}
		});
		return (found.size() == 1) ? found.get(0) : null;
	}

	private @Nullable String below(@Nullable String word, List<String> elements) {
		Class<?> type = (word != null) ? this.prefixes.get(word) : null;
		String property = (type != null) ? PropertyNames.find(type, elements, DidYouMean.EXACT) : null;
		return (property != null) ? "rpc." + word + "." + property : null;
	}

	private static Object value(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		return Objects.requireNonNull(source.getConfigurationProperty(name)).getValue();
	}

}
