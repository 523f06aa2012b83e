package io.rpcboot.serialization.protostuff;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;

import io.protostuff.WireFormat;
import io.protostuff.WireFormat.FieldType;

import org.jspecify.annotations.Nullable;

/**
 * Addresses. Nothing here asks the network: an address of a host is its bytes and, if it
 * was made with one, the name, a group of the fields 1 and 2; the scope of a link-local
 * address means nothing on another machine and stays behind.
 */
final class NetTypes {

	private static final int ADDRESS = 1;

	private static final int NAME = 2;

	private static final int NAME_TAG = WireFormat.makeTag(NAME, WireFormat.WIRETYPE_LENGTH_DELIMITED);

	/** For another one the JDK would look for a class that is named after it. */
	private static final Set<String> PROTOCOLS = Set.of("http", "https", "ftp", "file", "mailto");

	private static final String ARCHIVE = "jar:";

	/** The parts of a URI or URL, which are kept beside its text. */
	private static final int PARTS = 400;

	private NetTypes() {
	}

	static List<BuiltInType<?>> all() {
		return List.of(
				new BuiltInType<>(URI.class, FieldType.STRING,
						(out, number, value) -> Text.write(out, number, value.toString()), NetTypes::readUri),
				new BuiltInType<>(URL.class, FieldType.STRING, NetTypes::writeUrl, NetTypes::readUrl),
				new BuiltInType<>(InetAddress.class, FieldType.MESSAGE, NetTypes::writeAddress, NetTypes::readAddress),
				new BuiltInType<>(Inet4Address.class, FieldType.MESSAGE, NetTypes::writeAddress,
						(in) -> require(Inet4Address.class, readAddress(in))),
				new BuiltInType<>(Inet6Address.class, FieldType.MESSAGE, NetTypes::writeAddress,
						(in) -> require(Inet6Address.class, readAddress(in))));
	}

	private static URI readUri(ProtostuffInput in) {
		in.allowance -= PARTS;
		return URI.create(Text.read(in));
	}

	private static void writeUrl(ProtostuffOutput out, int number, URL value) {
		String text = value.toExternalForm();
		requireProtocol(text);
		Text.write(out, number, text);
	}

	private static URL readUrl(ProtostuffInput in) {
		in.allowance -= PARTS;
		String text = Text.read(in);
		requireProtocol(text);
		try {
			return new URL(text);
		}
		catch (MalformedURLException ex) {
			throw new PathException(ex.toString(), ex);
		}
	}

	/** A URL of an archive holds another URL; the JDK follows them as deep as they go. */
	private static void requireProtocol(String url) {
		String rest = url.startsWith(ARCHIVE) ? url.substring(ARCHIVE.length()) : url;
		String protocol = rest.substring(0, Math.max(0, rest.indexOf(':')));
		if (!PROTOCOLS.contains(protocol)) {
			throw new PathException("a URL of protocol '%s' (expected: one of %s; a URI can have any)"
				.formatted(protocol, PROTOCOLS.stream().sorted().toList()));
		}
	}

	private static void writeAddress(ProtostuffOutput out, int number, InetAddress value) {
		Groups.start(out, number);
		out.writeByteArray(ADDRESS, value.getAddress());
		String name = name(value);
		if (!name.isEmpty()) {
			Text.write(out, NAME, name);
		}
		Groups.end(out, number);
	}

	/** The name that the address was made with; {@code getHostName} would look it up. */
	private static String name(InetAddress value) {
		String text = value.toString();
		return text.substring(0, Math.max(0, text.length() - value.getHostAddress().length() - 1));
	}

	private static InetAddress readAddress(ProtostuffInput in) {
		int end = Groups.enter(in);
		Groups.requireTag(in, ADDRESS, FieldType.BYTES);
		byte[] bytes = in.readByteArray();
		String name = in.tryTag(NAME_TAG) ? Text.read(in) : null;
		Groups.leave(in, end);
		return address(name, bytes);
	}

	private static InetAddress address(@Nullable String name, byte[] bytes) {
		try {
			return (bytes.length == 16) ? Inet6Address.getByAddress(name, bytes, -1)
					: InetAddress.getByAddress(name, bytes);
		}
		catch (UnknownHostException ex) {
			throw new PathException("an address of %d bytes (expected: 4 or 16)".formatted(bytes.length), ex);
		}
	}

	private static <T extends InetAddress> T require(Class<T> declared, InetAddress address) {
		if (!declared.isInstance(address)) {
			throw new PathException("%s (expected: a %s)".formatted(address, declared.getName()));
		}
		return declared.cast(address);
	}

}
