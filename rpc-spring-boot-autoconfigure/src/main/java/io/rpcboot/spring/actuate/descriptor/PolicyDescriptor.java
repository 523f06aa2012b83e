package io.rpcboot.spring.actuate.descriptor;

import java.util.Map;

/**
 * Effective options of a reference or a service.
 *
 * @param name bean name of the reference, or the service
 * @param values by option, named as in properties
 * @param methods options that a method declares or that differ from those of the service,
 * by signature
 * @since 0.1.0
 */
public record PolicyDescriptor(String name, Map<String, Value> values, Map<String, Map<String, Value>> methods) {

	/**
	 * A value and its source.
	 *
	 * @param value in the format of properties
	 * @param origin the property, annotation or class of the customizer that set the
	 * value, or {@code default}
	 */
	public record Value(String value, String origin) {
	}

}
