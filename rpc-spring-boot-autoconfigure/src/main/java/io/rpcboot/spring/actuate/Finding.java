package io.rpcboot.spring.actuate;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Something that seems to be wrong, in words.
 *
 * @param severity how bad it is
 * @param text what is wrong, with the numbers that show it
 * @param property the property to turn, null if there is none
 * @param advice what to do
 * @param link where the dashboard shows more, as a fragment; null for nowhere
 */
public record Finding(Severity severity, String text, @Nullable String property, String advice, @Nullable String link) {

	/** How bad it is. */
	public enum Severity {

		/** Calls fail, or will. */
		ERROR,

		/** Calls are slower or fewer than they could be, or some are lost. */
		WARNING,

		/** Worth knowing. */
		NOTE

	}

	static Finding error(String text, @Nullable String property, String advice) {
		return new Finding(Severity.ERROR, text, property, advice, null);
	}

	static Finding warning(String text, @Nullable String property, String advice) {
		return new Finding(Severity.WARNING, text, property, advice, null);
	}

	static Finding note(String text, @Nullable String property, String advice) {
		return new Finding(Severity.NOTE, text, property, advice, null);
	}

	/** The same with a link: the path of the endpoint that shows more, by segment. */
	Finding at(String... path) {
		String link = Arrays.stream(path)
			.map((segment) -> URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
			.collect(Collectors.joining("/", "#/", ""));
		return new Finding(this.severity, this.text, this.property, this.advice, link);
	}

}
