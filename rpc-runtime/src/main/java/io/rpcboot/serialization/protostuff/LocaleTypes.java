package io.rpcboot.serialization.protostuff;

import java.nio.charset.Charset;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

import io.protostuff.WireFormat.FieldType;

/**
 * What a name stands for, as that name. A name that is not known where it arrives is an
 * error; and so is a value, when it is written, that its name does not say.
 */
final class LocaleTypes {

	/** Separates the parts of a locale that has no tag; no tag contains it. */
	private static final String PART = "_";

	/**
	 * For each character, what a locale, its builder and the JDK's cache of locales take.
	 */
	private static final int LOCALE = 96;

	/** What a look-up takes where the JDK warns of names of three letters. */
	private static final int TIME_ZONE = 4096;

	private LocaleTypes() {
	}

	static List<BuiltInType<?>> all() {
		return List.of(
				new BuiltInType<>(Locale.class, FieldType.STRING, LocaleTypes::writeLocale, LocaleTypes::readLocale),
				new BuiltInType<>(Currency.class, FieldType.STRING,
						(out, number, value) -> Text.write(out, number, value.getCurrencyCode()),
						(in) -> Currency.getInstance(Text.read(in))),
				new BuiltInType<>(Charset.class, FieldType.STRING,
						(out, number, value) -> Text.write(out, number, value.name()), (in) -> charset(Text.read(in))),
				new BuiltInType<>(TimeZone.class, FieldType.STRING, LocaleTypes::writeZone, LocaleTypes::readZone));
	}

	private static void writeLocale(ProtostuffOutput out, int number, Locale value) {
		String text = value.toLanguageTag();
		if (!isLocale(text, value)) {
			text = value.getLanguage() + PART + value.getCountry() + PART + value.getVariant();
			if (!isLocale(text, value)) {
				throw new PathException(
						"locale '%s', whose parts are no language tag (expected: well-formed ones)".formatted(value));
			}
		}
		Text.write(out, number, text);
	}

	private static Locale readLocale(ProtostuffInput in) {
		String text = Text.read(in);
		in.allowance -= LOCALE * (text.length() + 2L);
		return locale(text);
	}

	/**
	 * The JDK would ask every provider on the class path for a name that it does not
	 * know.
	 */
	private static Charset charset(String name) {
		Charset known = Charsets.KNOWN.get(name);
		if (known == null) {
			throw new PathException("charset '%s' (expected: the name of one that this JVM has)".formatted(name));
		}
		return known;
	}

	private static boolean isLocale(String text, Locale value) {
		try {
			return locale(text).equals(value);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/** A language tag, or the parts of an old locale such as no_NO_NY. */
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

	private static void writeZone(ProtostuffOutput out, int number, TimeZone value) {
		if (!TimeZone.getTimeZone(value.getID()).equals(value)) {
			throw new PathException("time zone %s of the rules of %s (expected: those of its ID)"
				.formatted(value.getID(), value.getClass().getName()));
		}
		Text.write(out, number, value.getID());
	}

	private static TimeZone readZone(ProtostuffInput in) {
		String id = Text.read(in);
		Groups.charge(in, TIME_ZONE);
		TimeZone zone = TimeZone.getTimeZone(id);
		if (!zone.getID().equals(id)) {
			throw new PathException("time zone '%s' (expected: a known ID)".formatted(id));
		}
		return zone;
	}

	/** Loaded when the first one is read. */
	private static final class Charsets {

		private static final Map<String, Charset> KNOWN = Charset.availableCharsets();

		private Charsets() {
		}

	}

}
