package io.rpcboot.spring.autoconfigure.properties;

import java.util.function.Supplier;

import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;

import org.springframework.util.unit.DataSize;

/** From properties to options, and from the name of a bad option back to its property. */
public final class OptionToPropertyNames {

	private OptionToPropertyNames() {
	}

	/**
	 * Let an option that is refused be named as its property.
	 * @param prefix what comes before the option's name, with a dot at its end
	 * @param action sets options
	 * @return what the action returns
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
