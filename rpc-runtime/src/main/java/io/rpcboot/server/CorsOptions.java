package io.rpcboot.server;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.rpcboot.transport.Options;

/**
 * Pages of other origins that may call a server from a browser (CORS). Without an origin
 * a browser lets only pages of the same origin call. Immutable. <pre>{@code
 * HttpOptions.defaults().withCors(CorsOptions.defaults().withAllowedOrigins("https://shop.example"))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class CorsOptions extends Options {

	/** Stands for all origins, or all header fields. */
	public static final String ALL = "*";

	private static final CorsOptions DEFAULTS = new CorsOptions();

	private List<String> allowedOrigins = List.of();

	private List<String> allowedHeaders = List.of(ALL);

	private List<String> exposedHeaders = List.of();

	private boolean allowsCredentials;

	private Duration maxAge = Duration.ofMinutes(30);

	private CorsOptions() {
	}

	/**
	 * Returns the defaults: no origin.
	 * @return the defaults
	 */
	public static CorsOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with other origins.
	 * @param origins origins such as {@code https://shop.example:8443}; {@code *} for
	 * all, {@code null} as a text for pages without one, such as local files
	 * @return a copy
	 */
	public CorsOptions withAllowedOrigins(String... origins) {
		for (String each : origins) {
			require(isOrigin(each), "http.cors.allowed-origins", "'" + each + "'",
					"scheme, host and perhaps port, such as https://shop.example, without a path; or *, or null");
		}
		return checked(copy((changed) -> changed.allowedOrigins = List.of(origins)));
	}

	/**
	 * Returns a copy with other header fields that requests may have.
	 * @param names names of header fields, {@code *} for all
	 * @return a copy
	 */
	public CorsOptions withAllowedHeaders(String... names) {
		return copy((changed) -> changed.allowedHeaders = lower(names));
	}

	/**
	 * Returns a copy with other header fields of responses that pages may read.
	 * @param names names of header fields, {@code *} for all if there are no credentials
	 * @return a copy
	 */
	public CorsOptions withExposedHeaders(String... names) {
		return checked(copy((changed) -> changed.exposedHeaders = lower(names)));
	}

	/**
	 * Returns a copy that lets browsers send cookies and certificates, or not.
	 * @param allows true to let them
	 * @return a copy
	 */
	public CorsOptions withCredentials(boolean allows) {
		return checked(copy((changed) -> changed.allowsCredentials = allows));
	}

	/**
	 * Returns a copy with another time for which a browser keeps the answer to its
	 * question before a call.
	 * @param age whole seconds, 0 for no time
	 * @return a copy
	 */
	public CorsOptions withMaxAge(Duration age) {
		require(!age.isNegative(), "http.cors.max-age", age, "0 or more");
		return copy((changed) -> changed.maxAge = age);
	}

	private static CorsOptions checked(CorsOptions options) {
		require(!options.allowsCredentials || !options.allowedOrigins.contains(ALL), "http.cors.allowed-origins",
				"* with http.cors.allow-credentials=true", "origins by name: else any page could act for its visitor");
		require(!options.allowsCredentials || !options.exposedHeaders.contains(ALL), "http.cors.exposed-headers",
				"* with http.cors.allow-credentials=true", "names of header fields");
		return options;
	}

	private static List<String> lower(String... names) {
		return List.of(names).stream().map((each) -> each.toLowerCase(Locale.ROOT)).toList();
	}

	private static boolean isOrigin(String text) {
		if (text.equals(ALL) || text.equals("null")) {
			return true;
		}
		try {
			URI uri = URI.create(text);
			return uri.getScheme() != null && uri.getHost() != null
					&& text.equals(uri.getScheme() + "://" + uri.getRawAuthority()) && uri.getUserInfo() == null;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Returns the origins whose pages may call.
	 * @return the origins, none without CORS
	 */
	public List<String> allowedOrigins() {
		return this.allowedOrigins;
	}

	/**
	 * Returns the header fields that requests may have.
	 * @return names in lower case, or {@code *}
	 */
	public List<String> allowedHeaders() {
		return this.allowedHeaders;
	}

	/**
	 * Returns the header fields of responses that pages may read.
	 * @return names in lower case, or {@code *}
	 */
	public List<String> exposedHeaders() {
		return this.exposedHeaders;
	}

	/**
	 * Returns true if browsers may send cookies and certificates.
	 * @return true if they may
	 */
	public boolean allowsCredentials() {
		return this.allowsCredentials;
	}

	/**
	 * Returns the time for which browsers keep an answer.
	 * @return the time
	 */
	public Duration maxAge() {
		return this.maxAge;
	}

}
