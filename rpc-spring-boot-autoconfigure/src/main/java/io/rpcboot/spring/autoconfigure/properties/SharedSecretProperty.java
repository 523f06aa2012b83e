package io.rpcboot.spring.autoconfigure.properties;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.security.SharedSecret;

/**
 * Property whose value is a shared secret. No message contains the value.
 *
 * @since 0.1.0
 */
public final class SharedSecretProperty {

	private SharedSecretProperty() {
	}

	/**
	 * Returns the secret of a property.
	 * @param property name of the property
	 * @param value its value
	 * @param action what to do if the value is wrong
	 * @return the secret
	 * @throws InvalidPropertyException if the value is too short or has other characters
	 */
	public static SharedSecret of(String property, String value, String action) {
		try {
			return new SharedSecret(value);
		}
		catch (RpcConfigurationException ex) {
			throw new InvalidPropertyException(property, property, "%d characters".formatted(value.length()),
					"at least %d visible characters of ASCII".formatted(SharedSecret.MIN_LENGTH), action);
		}
	}

}
