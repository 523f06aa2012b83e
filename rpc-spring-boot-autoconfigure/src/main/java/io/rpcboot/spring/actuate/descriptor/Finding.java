package io.rpcboot.spring.actuate.descriptor;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Something that seems to be wrong, in words.
 *
 * @param kind what was looked for, such as {@code LOST_REGISTRY}
 * @param severity how bad it is
 * @param text what is wrong, with the numbers that show it
 * @param property the property to turn, null if there is none
 * @param advice what to do
 * @param link where the dashboard shows more, as a fragment; null for nowhere
 * @param since when it was found first, in milliseconds since 1970; null if nobody
 * remembers
 */
public record Finding(String kind, Severity severity, String text, @Nullable String property, String advice,
		@Nullable String link, @Nullable Long since) {

	/** How bad it is. */
	public enum Severity {

		/** Calls fail, or will. */
		ERROR,

		/** Calls are slower or fewer than they could be, or some are lost. */
		WARNING,

		/** Worth knowing. */
		NOTE

	}

	/**
	 * What was wrong and is no longer found.
	 *
	 * @param kind what was looked for
	 * @param severity how bad it was
	 * @param text what was wrong when it was seen last
	 * @param link where the dashboard shows more, as a fragment; null for nowhere
	 * @param since when it was found first, in milliseconds since 1970
	 * @param until when it was found last
	 */
	public record Ended(String kind, Severity severity, String text, @Nullable String link, long since, long until) {
	}

	public static Finding error(String text, @Nullable String property, String advice) {
		return of(Severity.ERROR, text, property, advice);
	}

	public static Finding warning(String text, @Nullable String property, String advice) {
		return of(Severity.WARNING, text, property, advice);
	}

	public static Finding note(String text, @Nullable String property, String advice) {
		return of(Severity.NOTE, text, property, advice);
	}

	public static Finding of(Severity severity, String text, @Nullable String property, String advice) {
		return new Finding("OTHER", severity, text, property, advice, null, null);
	}

	/** The same with a link: the path of the endpoint that shows more, by segment. */
	public Finding at(String... path) {
		String fragment = Arrays.stream(path)
			.map((segment) -> URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
			.collect(Collectors.joining("/", "#/", ""));
		return new Finding(this.kind, this.severity, this.text, this.property, this.advice, fragment, this.since);
	}

	/** The same as one of a kind. */
	public Finding of(String kind) {
		return new Finding(kind, this.severity, this.text, this.property, this.advice, this.link, this.since);
	}

	/** The same with the moment when it was found first, in milliseconds since 1970. */
	public Finding since(long since) {
		return new Finding(this.kind, this.severity, this.text, this.property, this.advice, this.link, since);
	}

}
