package io.rpcboot.internal.serialization.types.value;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

import io.rpcboot.serialization.PathException;

/**
 * Conversions of JDK classes that have a simpler value in every format: named objects are
 * their name, holders of numbers are the numbers. A reader refuses an unknown name. A
 * writer refuses a value that its name does not describe. No conversion accesses the
 * network.
 */
public final class ScalarSurrogates {

	/** Separator of the parts of a locale without a tag. No tag contains it. */
	private static final String PART = "_";

	/**
	 * Heap size of a locale, its builder and its entry in the JDK's cache, in bytes for
	 * each character.
	 */
	private static final int LOCALE = 96;

	/** Heap size of a look-up, in bytes. The JDK warns of names of three letters. */
	private static final int TIME_ZONE = 4096;

	/** Heap size of a time zone of an offset with its name, in bytes. */
	private static final int ZONE = 512;

	/**
	 * Heap size of the parts of a URI or URL, which are kept in addition to its text, in
	 * bytes.
	 */
	private static final int PARTS = 400;

	/** Heap size of the conversion from bytes to words of bits, in bytes. */
	private static final int BITS = 128;

	/** Accepted protocols. For others the JDK would search a class by their name. */
	private static final Set<String> PROTOCOLS = Set.of("http", "https", "ftp", "file", "mailto");

	private static final String ARCHIVE = "jar:";

	private ScalarSurrogates() {
	}

	/** Returns all conversions, one for each class. */
	public static List<ScalarSurrogate> all() {
		return List.of(
				ScalarSurrogate.charging(Locale.class, String.class, ScalarSurrogates::text, ScalarSurrogates::locale),
				ScalarSurrogate.of(Currency.class, String.class, Currency::getCurrencyCode, Currency::getInstance),
				ScalarSurrogate.of(Charset.class, String.class, Charset::name, ScalarSurrogates::charset),
				ScalarSurrogate.charging(TimeZone.class, String.class, ScalarSurrogates::text,
						ScalarSurrogates::timeZone),
				ScalarSurrogate.charging(ZoneId.class, String.class, ZoneId::getId, ScalarSurrogates::zone),
				ScalarSurrogate.charging(URI.class, String.class, URI::toString, ScalarSurrogates::uri),
				ScalarSurrogate.charging(URL.class, String.class, ScalarSurrogates::text, ScalarSurrogates::url),
				ScalarSurrogate.charging(BitSet.class, byte[].class, BitSet::toByteArray, ScalarSurrogates::bits),
				ScalarSurrogate.of(AtomicInteger.class, Integer.class, AtomicInteger::get, AtomicInteger::new),
				ScalarSurrogate.of(AtomicLong.class, Long.class, AtomicLong::get, AtomicLong::new),
				ScalarSurrogate.of(AtomicBoolean.class, Boolean.class, AtomicBoolean::get, AtomicBoolean::new),
				ScalarSurrogate.of(AtomicIntegerArray.class, int[].class,
						(value) -> IntStream.range(0, value.length()).map(value::get).toArray(),
						AtomicIntegerArray::new),
				ScalarSurrogate.of(AtomicLongArray.class, long[].class,
						(value) -> IntStream.range(0, value.length()).mapToLong(value::get).toArray(),
						AtomicLongArray::new));
	}

	/** Returns true if the module java.sql is present. */
	public static boolean isSqlPresent() {
		return ModuleLayer.boot().findModule("java.sql").isPresent();
	}

	private static String text(Locale value) {
		String text = value.toLanguageTag();
		if (!isLocale(text, value)) {
			text = value.getLanguage() + PART + value.getCountry() + PART + value.getVariant();
			if (!isLocale(text, value)) {
				throw new PathException(
						"locale '%s', whose parts are no language tag (expected: well-formed ones)".formatted(value));
			}
		}
		return text;
	}

	private static boolean isLocale(String text, Locale value) {
		try {
			return locale(text).equals(value);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static Locale locale(String text, ReadBudget budget) {
		budget.charge(LOCALE * (text.length() + 2L));
		return locale(text);
	}

	/** Parses a language tag, or the parts of an old locale such as {@code no_NO_NY}. */
	private static Locale locale(String text) {
		if (!text.contains(PART)) {
			return new Locale.Builder().setLanguageTag(text).build();
		}
		String[] parts = text.split(PART, 3);
		if (parts.length < 3) {
			throw new PathException("locale '%s' (expected: language, country and variant)".formatted(text));
		}
		return new Locale(parts[0], parts[1], parts[2]);
	}

	/**
	 * Finds a charset among the available ones. {@code Charset.forName} would ask every
	 * provider on the class path for an unknown name.
	 */
	private static Charset charset(String name) {
		Charset known = Charsets.KNOWN.get(name);
		if (known == null) {
			throw new PathException("charset '%s' (expected: the name of one that this JVM has)".formatted(name));
		}
		return known;
	}

	private static String text(TimeZone value) {
		if (!TimeZone.getTimeZone(value.getID()).equals(value)) {
			throw new PathException("time zone %s of the rules of %s (expected: those of its ID)"
				.formatted(value.getID(), value.getClass().getName()));
		}
		return value.getID();
	}

	private static TimeZone timeZone(String id, ReadBudget budget) {
		budget.charge(TIME_ZONE);
		TimeZone zone = TimeZone.getTimeZone(id);
		if (!zone.getID().equals(id)) {
			throw new PathException("time zone '%s' (expected: a known ID)".formatted(id));
		}
		return zone;
	}

	/**
	 * Returns a time zone by its ID. Throws a {@code DateTimeException} if there is none.
	 */
	public static ZoneId zone(String id, ReadBudget budget) {
		ZoneId zone = ZoneId.of(id);
		if (id.indexOf('+') >= 0 || id.indexOf('-') >= 0) {
			budget.charge(ZONE);
		}
		return zone;
	}

	/**
	 * Returns a time in a zone. Refuses an offset that differs from the zone's rules on
	 * this JVM.
	 */
	public static ZonedDateTime zoned(LocalDateTime local, ZoneOffset offset, ZoneId zone) {
		ZonedDateTime value = ZonedDateTime.ofInstant(local, offset, zone);
		if (!value.getOffset().equals(offset)) {
			throw new PathException(
					"%s%s in %s, whose rules here give %s (expected: the same time zone data at both sides)"
						.formatted(local, offset, zone, value.getOffset()));
		}
		return value;
	}

	private static URI uri(String text, ReadBudget budget) {
		budget.charge(PARTS);
		return URI.create(text);
	}

	private static String text(URL value) {
		return requireProtocol(value.toExternalForm());
	}

	private static URL url(String text, ReadBudget budget) {
		budget.charge(PARTS);
		if (budget.isHashed()) {
			throw new PathException(
					"a URL in a set or a key, whose hash code asks the network for the address of its host (expected: java.net.URI)");
		}
		try {
			return new URL(requireProtocol(text));
		}
		catch (MalformedURLException ex) {
			throw new PathException(ex.toString(), ex);
		}
	}

	/**
	 * Refuses a URL with another protocol. The URL of an archive holds another URL, and
	 * the JDK follows nested ones without a bound, so only one level is accepted.
	 */
	private static String requireProtocol(String url) {
		String rest = url.startsWith(ARCHIVE) ? url.substring(ARCHIVE.length()) : url;
		String protocol = rest.substring(0, Math.max(0, rest.indexOf(':')));
		if (!PROTOCOLS.contains(protocol)) {
			throw new PathException("a URL of protocol '%s' (expected: one of %s; a URI can have any)"
				.formatted(protocol, PROTOCOLS.stream().sorted().toList()));
		}
		return url;
	}

	private static BitSet bits(byte[] bytes, ReadBudget budget) {
		budget.charge(BITS);
		return BitSet.valueOf(bytes);
	}

	/** Holder class: loaded when the first charset is read. */
	private static final class Charsets {

		private static final Map<String, Charset> KNOWN = Charset.availableCharsets();

		private Charsets() {
		}

	}

}
