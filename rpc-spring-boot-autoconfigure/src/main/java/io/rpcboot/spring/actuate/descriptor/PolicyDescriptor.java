package io.rpcboot.spring.actuate.descriptor;

import java.util.Map;

/**
 * What is in force for a reference or a service.
 *
 * @param name the bean of the reference, or the service
 * @param values by option, as properties call it
 * @param methods the same for methods, by signature: what differs from the others, and
 * what somebody has said of them
 */
public record PolicyDescriptor(String name, Map<String, Value> values, Map<String, Map<String, Value>> methods) {

	/**
	 * A value.
	 *
	 * @param value as a person sets it
	 * @param origin who says so: a property, an annotation, the class of a customizer, or
	 * {@code default}
	 */
	public record Value(String value, String origin) {
	}

}
