package io.rpcboot.internal.serialization.types.value;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Converts addresses of hosts without access to the network: an address is its bytes and,
 * if it was created with one, its name. The scope of a link-local address has no meaning
 * on another machine, so an address with a scope is refused.
 */
public final class Addresses {

	private Addresses() {
	}

	/**
	 * Returns the name that an address was created with, empty for none.
	 * {@code getHostName} would look it up.
	 */
	public static String name(InetAddress value) {
		String text = value.toString();
		return text.substring(0, Math.max(0, text.length() - value.getHostAddress().length() - 1));
	}

	/** Returns the 4 or 16 bytes of an address. Refuses an address with a scope. */
	public static byte[] bytes(InetAddress value) {
		if (value.getHostAddress().indexOf('%') >= 0) {
			throw new PathException(
					"address %s (expected: no scope, because it means nothing on another machine; InetAddress.getByAddress makes an address of getAddress() alone)"
						.formatted(value.getHostAddress()));
		}
		return value.getAddress();
	}

	/**
	 * Creates an address. Refuses bytes that are not an address of the declared class.
	 * @param name null for none
	 */
	public static <A extends InetAddress> A of(Class<A> declared, @Nullable String name, byte[] bytes) {
		try {
			InetAddress address = (bytes.length == 16) ? Inet6Address.getByAddress(name, bytes, -1)
					: InetAddress.getByAddress(name, bytes);
			if (!declared.isInstance(address)) {
				throw new PathException("%s (expected: a %s)".formatted(address, declared.getName()));
			}
			return declared.cast(address);
		}
		catch (UnknownHostException ex) {
			throw new PathException("an address of %d bytes (expected: 4 or 16)".formatted(bytes.length), ex);
		}
	}

}
