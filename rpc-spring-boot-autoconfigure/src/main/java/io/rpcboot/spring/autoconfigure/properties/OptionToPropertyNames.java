package io.rpcboot.spring.autoconfigure.properties;

import java.util.function.Supplier;

import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;

import org.springframework.util.unit.DataSize;

/**
 * Translates names of rejected options to names of properties.
 *
 * @since 0.1.0
 */
public final class OptionToPropertyNames {

	private OptionToPropertyNames() {
	}

	/**
	 * Runs an action, and names the property of an option that it rejects.
	 * @param prefix prefix of the property, with a dot at its end
	 * @param action sets options
	 * @return the result of the action
	 * @throws InvalidPropertyException instead of {@link InvalidOptionException}
	 */
	public static <T> T under(String prefix, Supplier<T> action) {
		try {
			return action.get();
		}
		catch (InvalidOptionException ex) {
			throw new InvalidPropertyException(prefix, ex);
		}
	}

	public static int bytes(String name, DataSize size) {
		Options.require(size.toBytes() <= Integer.MAX_VALUE, name, size, "less than 2GB");
		return (int) size.toBytes();
	}

}
