package io.rpcboot.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * An address, a range of addresses in CIDR notation, or the addresses of a network
 * interface.
 *
 * @param text as configured
 * @param base base address of the range; null for an interface
 * @param bits number of bits of the base that count
 */
public record AddressRange(String text, byte @Nullable [] base, int bits) {

	private static final String NAME = "preferred-networks";

	private static final String ADDRESSES = "addresses or ranges such as 10.1.2.3, 10.0.0.0/8 or fd00::/8";

	private static final String EXPECTED = "ranges such as 10.0.0.0/8 or fd00::/8, or names of network interfaces "
			+ "such as eth0";

	private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";

	/** A numeric address, which needs no look-up. */
	private static final Pattern LITERAL = Pattern
		.compile(OCTET + "(\\." + OCTET + "){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

	private static final Pattern INTERFACE = Pattern.compile("[A-Za-z][\\w.:@-]*");

	public static AddressRange parse(String text) {
		int slash = text.indexOf('/');
		if (slash < 0) {
			boolean isName = INTERFACE.matcher(text).matches() && !LITERAL.matcher(text).matches();
			Options.require(isName, NAME, "'" + text + "'", EXPECTED);
			return new AddressRange(text, null, 0);
		}
		return range(NAME, text, EXPECTED);
	}

	/**
	 * Parses a list of addresses and ranges.
	 * @param name name of the option
	 * @throws io.rpcboot.RpcConfigurationException if one is invalid
	 */
	public static List<AddressRange> parseAll(String name, List<String> texts) {
		return texts.stream().map((text) -> {
			byte[] address = literal(text);
			return (address != null) ? new AddressRange(text, address, address.length * Byte.SIZE)
					: range(name, text, ADDRESSES);
		}).toList();
	}

	private static AddressRange range(String name, String text, String expected) {
		int slash = text.indexOf('/');
		byte[] base = (slash > 0) ? literal(text.substring(0, slash)) : null;
		String bits = text.substring(slash + 1);
		boolean valid = base != null && bits.matches("\\d{1,3}") && Integer.parseInt(bits) <= base.length * Byte.SIZE;
		Options.require(valid, name, "'" + text + "'", expected);
		return new AddressRange(text, base, Integer.parseInt(bits));
	}

	private static byte @Nullable [] literal(String text) {
		if (!LITERAL.matcher(text).matches()) {
			return null;
		}
		try {
			return InetAddress.getByName(text).getAddress();
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/** Returns true if one of the ranges has an address. */
	public static boolean contain(List<AddressRange> ranges, InetAddress address) {
		for (AddressRange each : ranges) {
			if (each.contains("", address)) {
				return true;
			}
		}
		return false;
	}

	public boolean contains(String networkInterface, InetAddress address) {
		byte[] base = this.base;
		if (base == null) {
			return this.text.equals(networkInterface);
		}
		byte[] bytes = address.getAddress();
		if (bytes.length != base.length) {
			return false;
		}
		for (int i = 0; i < this.bits; i++) {
			int mask = 0x80 >> (i % Byte.SIZE);
			if ((bytes[i / Byte.SIZE] & mask) != (base[i / Byte.SIZE] & mask)) {
				return false;
			}
		}
		return true;
	}

}
