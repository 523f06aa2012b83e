package io.rpcboot.spring.actuate.descriptor;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A problem that a check found, as text for an operator.
 *
 * @param kind the check, such as {@code LOST_REGISTRY}
 * @param severity severity of the problem
 * @param text the problem, with the numbers that show it
 * @param property the property to change, null for none
 * @param advice what to do
 * @param link fragment of the dashboard's page with details, null for none
 * @param since when the problem was found first, in milliseconds since 1970; null if
 * unknown
 * @since 0.1.0
 */
public record Finding(String kind, Severity severity, String text, @Nullable String property, String advice,
		@Nullable String link, @Nullable Long since) {

	/** Severity of a problem. */
	public enum Severity {

		/** Calls fail or will fail. */
		ERROR,

		/** Calls are slower or fewer than possible, or some are lost. */
		WARNING,

		/** Worth knowing. */
		NOTE

	}

	/**
	 * A problem that is no longer found.
	 *
	 * @param kind the check
	 * @param severity severity of the problem
	 * @param text the text of the last finding
	 * @param link fragment of the dashboard's page with details, null for none
	 * @param since when the problem was found first, in milliseconds since 1970
	 * @param until when the problem was found last, in milliseconds since 1970
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

	/**
	 * Returns this finding with a link: the segments of the endpoint's path with details.
	 */
	public Finding at(String... path) {
		String fragment = Arrays.stream(path)
			.map((segment) -> URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
			.collect(Collectors.joining("/", "#/", ""));
		return new Finding(this.kind, this.severity, this.text, this.property, this.advice, fragment, this.since);
	}

	/** Returns this finding with the name of its check. */
	public Finding of(String kind) {
		return new Finding(kind, this.severity, this.text, this.property, this.advice, this.link, this.since);
	}

	/**
	 * Returns this finding with the time of its first detection, in milliseconds since
	 * 1970.
	 */
	public Finding since(long since) {
		return new Finding(this.kind, this.severity, this.text, this.property, this.advice, this.link, since);
	}

}
