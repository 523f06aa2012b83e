package io.rpcboot.spring.reference;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

import io.rpcboot.spring.RpcReference;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Identity of a reference: its interface and the attributes of its annotation, with
 * placeholders as they are written. Injection points with equal keys share a bean.
 *
 * @since 0.1.0
 */
public record ReferenceKey(Class<?> type, String version, String group, String timeout, String name,
		String waitForInstance, String protocol, boolean detached, Class<?> fallback, List<Class<?>> interceptors) {

	public static final String BEAN_NAME_PREFIX = "rpcReference:";

	public static ReferenceKey of(Class<?> type, MergedAnnotation<RpcReference> annotation) {
		return new ReferenceKey(type, annotation.getString("version"), annotation.getString("group"),
				annotation.getString("timeout"), annotation.getString("name"), annotation.getString("waitForInstance"),
				annotation.getString("protocol"), annotation.getBoolean("detached"), annotation.getClass("fallback"),
				List.of(annotation.getClassArray("interceptors")));
	}

	/**
	 * Returns the bean name.
	 * @return {@code rpcReference:<interface>[:version][@group][#name]}, then the
	 * attributes that differ from their defaults:
	 * {@code ?timeout=<timeout>?waitForInstance=<time>?protocol=<protocol>?detached?fallback=<class>?interceptors=<classes>}
	 */
	String beanName() {
		return BEAN_NAME_PREFIX + this.type.getName() + part(":", this.version) + part("@", this.group)
				+ part("#", this.name) + part("?timeout=", this.timeout)
				+ part("?waitForInstance=", this.waitForInstance) + part("?protocol=", this.protocol)
				+ (this.detached ? "?detached" : "") + part("?fallback=", hasFallback() ? this.fallback.getName() : "")
				+ part("?interceptors=",
						this.interceptors.stream().map(Class::getName).collect(Collectors.joining(",")));
	}

	/** Returns a reference by its {@link #attributes()}. */
	static ReferenceKey of(Class<?> type, Map<String, Object> attributes) {
		Map<String, Object> texts = new HashMap<>(attributes);
		texts.replaceAll((name, value) -> (value instanceof char[] text) ? new String(text) : value);
		return of(type, MergedAnnotation.of(RpcReference.class, texts));
	}

	/**
	 * Returns the attributes of the annotation that differ from their defaults. A text
	 * with a placeholder is an array: Spring resolves strings in a bean definition, for
	 * ahead-of-time processing with the properties of the build.
	 */
	Map<String, Object> attributes() {
		Map<String, Object> attributes = new HashMap<>();
		attributes.put("version", this.version);
		attributes.put("group", this.group);
		attributes.put("timeout", this.timeout);
		attributes.put("name", this.name);
		attributes.put("waitForInstance", this.waitForInstance);
		attributes.put("protocol", this.protocol);
		attributes.values().removeIf(""::equals);
		attributes.replaceAll((name, value) -> AttributeResolver.isExpression((String) value)
				? ((String) value).toCharArray() : value);
		if (this.detached) {
			attributes.put("detached", true);
		}
		if (hasFallback()) {
			attributes.put("fallback", this.fallback);
		}
		if (!this.interceptors.isEmpty()) {
			attributes.put("interceptors", this.interceptors.toArray(Class<?>[]::new));
		}
		return attributes.isEmpty() ? Map.of() : attributes;
	}

	/**
	 * Returns the reference with other texts.
	 * @param values returns the value of an attribute, by its name and its text
	 */
	ReferenceKey resolved(BinaryOperator<String> values) {
		return new ReferenceKey(this.type, values.apply("version", this.version), values.apply("group", this.group),
				values.apply("timeout", this.timeout), values.apply("name", this.name),
				values.apply("waitForInstance", this.waitForInstance), values.apply("protocol", this.protocol),
				this.detached, this.fallback, this.interceptors);
	}

	boolean hasFallback() {
		return this.fallback != void.class;
	}

	private static String part(String separator, String value) {
		return value.isEmpty() ? "" : separator + value;
	}

}
