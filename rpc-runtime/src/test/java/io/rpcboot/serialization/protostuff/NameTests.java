package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.Charset;
import java.util.Currency;
import java.util.Locale;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.rpcboot.serialization.SerializationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Names that are unknown and values that their name does not say.
 */
public class NameTests {

	@Test
	void unknownName_isRefused() {
		assertUnreadable("charset", "klingon", "charset 'klingon' (expected: the name of one");
		assertUnreadable("charset", "a b", "charset 'a b' (expected");
		assertUnreadable("currency", "ZZZ", "java.lang.IllegalArgumentException");
		assertUnreadable("zone", "Europe/Atlantis", "time zone 'Europe/Atlantis' (expected: a known ID)");
		assertUnreadable("zone", "", "time zone ''");
		assertUnreadable("locale", "not!a-tag", "java.util.IllformedLocaleException");
		assertUnreadable("locale", "a_b", "locale 'a_b' (expected: language, country and variant)");
		assertUnreadable("uri", "a b", "java.lang.IllegalArgumentException");
	}

	/** No class is looked up that a sender names. */
	@Test
	void urlOfUnknownProtocol_isRefused() throws IOException {
		for (String text : new String[] { "gopher://host/", "no-colon", "", ":", "url:http://host/", " http://host/",
				"jar:gopher:/a!/b", "jar:jar:x:/a!/b" }) {
			assertUnreadable("url", text, "a URL of protocol '");
		}
		URL own = new URL(null, "own://host/", new URLStreamHandler() {
			@Override
			protected URLConnection openConnection(URL url) {
				throw new UnsupportedOperationException();
			}
		});
		assertUnwritable("url", own, "a URL of protocol 'own' (expected: one of [file, ftp, http, https, mailto]");
	}

	@Test
	void valueBeyondItsName_isRefused() {
		assertUnwritable("zone", new SimpleTimeZone(5, "UTC"),
				"zone(): result: time zone UTC of the rules of java.util.SimpleTimeZone (expected: those of its ID)");
		assertUnwritable("locale", new Locale("a_b", "c", "d"), "whose parts are no language tag");
		assertUnwritable("counter", new AtomicInteger() {
			private static final long serialVersionUID = 1L;

		}, "NameTests$2 where java.util.concurrent.atomic.AtomicInteger is declared (expected: exactly that class)");
	}

	@Test
	void addressOfInvalidLength_isRefused() throws IOException {
		byte[] address = Codecs.result(Codecs.method(Service.class, "address"),
				InetAddress.getByAddress("name", new byte[16]));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.method(Service.class, "address4").deserializeResult(address, 0, address.length))
			.withMessageContaining("(expected: a java.net.Inet4Address)");
		byte[] odd = { 0x0b, 0x0a, 3, 1, 2, 3, 0x0c };
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.method(Service.class, "address").deserializeResult(odd, 0, odd.length))
			.withMessageContaining("an address of 3 bytes (expected: 4 or 16)");
	}

	/** A name that was looked up later is a name, too; none is looked up here. */
	@Test
	void addressWithoutName_isWrittenWithoutLookup() throws IOException {
		InetAddress address = InetAddress.getByAddress(new byte[] { 10, 1, 2, 3 });
		assertThat(Codecs.result(Codecs.method(Service.class, "address"), address)).containsExactly(0x0b, 0x0a, 4, 10,
				1, 2, 3, 0x0c);
		assertThat(address).hasToString("/10.1.2.3");
	}

	private static void assertUnwritable(String method, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(Codecs.method(Service.class, method), value))
			.withMessageContaining(message);
	}

	private static void assertUnreadable(String method, String text, String message) {
		byte[] bytes = Codecs.result(Codecs.method(Service.class, "text"), text);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.method(Service.class, method).deserializeResult(bytes, 0, bytes.length))
			.withMessageContaining(message);
	}

	public interface Service {

		String text();

		Charset charset();

		Currency currency();

		TimeZone zone();

		Locale locale();

		URI uri();

		URL url();

		InetAddress address();

		Inet4Address address4();

		AtomicInteger counter();

	}

}
