package io.rpcboot.serialization.zoo;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Currency;
import java.util.Locale;
import java.util.TimeZone;
import java.util.stream.Stream;

import static io.rpcboot.serialization.zoo.ZooRow.row;
import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * What is a name of something, and addresses.
 */
final class NameRows {

	private NameRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(
				row("URI", URI.create("http://user@host:81/a%20b?q=1#f"), URI.create(""), URI.create("urn:isbn:1"),
						URI.create("/relative/中")),
				rowBy(URL::toExternalForm, "URL", url("http://host.invalid/a?b#c"), url("https://host.invalid:444"),
						url("file:/tmp/x"), url("jar:file:/a.jar!/b")),
				new ZooRow("Locale",
						Stream.concat(oddLocales(), Stream.of(Locale.getAvailableLocales()))
							.distinct()
							.map(Object.class::cast)
							.toList(),
						(value) -> value),
				row("Currency", Currency.getInstance("EUR"), Currency.getInstance("CLF")),
				row("Charset", StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, Charset.forName("windows-1252")),
				row("TimeZone", TimeZone.getTimeZone("Europe/Berlin"), TimeZone.getTimeZone("UTC"),
						TimeZone.getTimeZone("GMT+01:30"), TimeZone.getTimeZone("GMT"), TimeZone.getTimeZone("PST")),
				rowBy(InetAddress::toString, "InetAddress", address(null, 127, 0, 0, 1),
						address("name.invalid", 10, 0, 0, 255),
						address(null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
				rowBy(InetAddress::toString, "Inet4Address", (Inet4Address) address("a", 1, 2, 3, 4),
						(Inet4Address) address(null, 255, 255, 255, 255)),
				rowBy(InetAddress::toString, "Inet6Address",
						(Inet6Address) address("b", 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), mapped()));
	}

	private static Stream<Locale> oddLocales() {
		return Stream.of(Locale.ROOT, Locale.US, new Locale("no", "NO", "NY"), new Locale("ja", "JP", "JP"),
				new Locale("th", "TH", "TH"), new Locale("", "DE"), new Locale("de", "DE", "POSIX"),
				new Locale("es", "ES", "Traditional_WIN"), new Locale("x", "y", "a_b_c"),
				Locale.forLanguageTag("sr-Latn-RS"), Locale.forLanguageTag("de-DE-1996-u-co-phonebk-x-own"),
				Locale.forLanguageTag("x-private"), Locale.forLanguageTag("sl-rozaj-biske"), new Locale("iw", "IL"));
	}

	private static URL url(String text) {
		try {
			return URI.create(text).toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/** An IPv4 address within IPv6, which stays one. */
	private static Inet6Address mapped() {
		try {
			return Inet6Address.getByAddress(null, new byte[] { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 1, 2, 3, 4 }, -1);
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private static InetAddress address(String name, int... bytes) {
		byte[] address = new byte[bytes.length];
		for (int i = 0; i < bytes.length; i++) {
			address[i] = (byte) bytes[i];
		}
		try {
			return InetAddress.getByAddress(name, address);
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

}
