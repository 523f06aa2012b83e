package io.rpcboot.spring.reference;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Resolves placeholders and SpEL expressions in texts of annotations, as {@code @Value}
 * does.
 *
 * @since 0.1.0
 */
public final class AttributeResolver {

	private static final String PLACEHOLDER = "${";

	private final EmbeddedValueResolver resolver;

	/**
	 * Creates a resolver.
	 * @param beanFactory the context, whose environment and beans texts may name
	 */
	public AttributeResolver(ConfigurableBeanFactory beanFactory) {
		this.resolver = new EmbeddedValueResolver(beanFactory);
	}

	/**
	 * Returns true if a text has something to resolve.
	 */
	public static boolean isExpression(String text) {
		return text.contains(PLACEHOLDER) || text.contains("#{");
	}

	/**
	 * Returns the value of an attribute.
	 * @param where the annotation and its place, for messages
	 * @param attribute the name of the attribute
	 * @param text the attribute as it is written
	 * @return the text itself if there is nothing to resolve; empty for null
	 * @throws RpcConfigurationException if a property is missing, or an expression fails
	 */
	public String resolve(String where, String attribute, String text) {
		if (!isExpression(text)) {
			return text;
		}
		try {
			String value = this.resolver.resolveStringValue(text);
			if (value != null && value.contains(PLACEHOLDER)) {
				// a context without PropertySourcesPlaceholderConfigurer leaves it as it
				// is
				throw missing(where, attribute, text, property(value));
			}
			return (value != null) ? value : "";
		}
		catch (PlaceholderResolutionException ex) {
			throw missing(where, attribute, text, ex.getPlaceholder());
		}
		catch (IllegalArgumentException | BeansException ex) {
			throw new RpcConfigurationException("%s has %s = \"%s\", which cannot be evaluated: %s".formatted(where,
					attribute, text, rootMessage(ex)), "Correct the expression.");
		}
	}

	/**
	 * Returns the value of {@link RpcMethod#timeout()} for a client.
	 * @param method the method, for messages
	 * @param text the attribute as it is written
	 * @return the value
	 * @throws RpcConfigurationException if a property is missing, or an expression fails
	 */
	public String ofMethod(String method, String text) {
		return resolve("@RpcMethod of " + method, "timeout", text);
	}

	/**
	 * Returns the value of {@link RpcMethod#timeout()} for a server, which does not use
	 * it.
	 * @param method the method
	 * @param text the attribute as it is written
	 * @return empty if only clients can resolve it
	 */
	public String ofServedMethod(String method, String text) {
		try {
			return ofMethod(method, text);
		}
		catch (RpcConfigurationException ignored) {
			return "";
		}
	}

	private static RpcConfigurationException missing(String where, String attribute, String text,
			@Nullable String property) {
		return new RpcConfigurationException("%s has %s = \"%s\" (expected: properties that are set; %s is not)"
			.formatted(where, attribute, text, property),
				"Set %1$s, or write a default: ${%1$s:...}.".formatted(property));
	}

	private static String property(String text) {
		int start = text.indexOf(PLACEHOLDER) + PLACEHOLDER.length();
		int end = text.indexOf('}', start);
		return (end < 0) ? text.substring(start) : text.substring(start, end);
	}

	private static @Nullable String rootMessage(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root.getMessage();
	}

}
