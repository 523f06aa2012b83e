package io.rpcboot.internal.server.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.rpcboot.server.CorsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Rules of CORS at a server (Fetch standard, section 3.2): pages of which origins may
 * call, and what the browser is told. Immutable.
 */
public final class CorsPolicy {

	private static final Set<String> METHODS = Set.of("GET", "POST");

	private final CorsOptions options;

	private final String exposed;

	/** Creates the policy of a server. */
	public CorsPolicy(CorsOptions options) {
		this.options = options;
		this.exposed = String.join(", ", options.exposedHeaders());
	}

	/**
	 * Header fields of a request that a browser adds.
	 *
	 * @param origin origin of the page, null without one
	 * @param method method of the call that follows, null for a call itself
	 * @param headers header fields of the call that follows, null for none
	 */
	public record Asked(@Nullable String origin, @Nullable String method, @Nullable String headers) {

		/** Nothing: the client is no browser, or the page is of the same origin. */
		public static final Asked NOTHING = new Asked(null, null, null);

		/** Returns true for the question before a call. */
		public boolean isPreflight() {
			return this.origin != null && this.method != null;
		}

	}

	/** Returns true if no page of another origin may call. */
	public boolean isOff() {
		return this.options.allowedOrigins().isEmpty();
	}

	/**
	 * Returns true if a request may be served: it is of no page, of one of the same
	 * origin, or of one that may call. Without CORS the browser keeps others out.
	 * @param authority host and port that the client asks for
	 */
	public boolean admits(Asked asked, boolean isEncrypted, String authority) {
		String origin = asked.origin;
		return origin == null || isOff() || isAllowed(origin)
				|| origin.equals((isEncrypted ? "https://" : "http://") + authority);
	}

	private boolean isAllowed(String origin) {
		List<String> allowed = this.options.allowedOrigins();
		return allowed.contains(origin) || (allowed.contains(CorsOptions.ALL) && !origin.equals("null"));
	}

	/** Returns the header fields of the response to a call, none without CORS. */
	public List<Map.Entry<String, String>> answer(Asked asked) {
		if (isOff()) {
			return List.of();
		}
		List<Map.Entry<String, String>> fields = new ArrayList<>();
		fields.add(Map.entry("vary", "origin"));
		String origin = asked.origin;
		if (origin != null && isAllowed(origin)) {
			allow(fields, origin);
			if (!this.exposed.isEmpty()) {
				fields.add(Map.entry("access-control-expose-headers", this.exposed));
			}
		}
		return fields;
	}

	private void allow(List<Map.Entry<String, String>> fields, String origin) {
		fields.add(Map.entry("access-control-allow-origin", origin));
		if (this.options.allowsCredentials()) {
			fields.add(Map.entry("access-control-allow-credentials", "true"));
		}
	}

	/**
	 * Returns the header fields of the answer to the question before a call.
	 * @return null if the call is not allowed
	 */
	public @Nullable List<Map.Entry<String, String>> answerPreflight(Asked asked) {
		String origin = asked.origin;
		if (origin == null || !isAllowed(origin) || !METHODS.contains(String.valueOf(asked.method))
				|| !allowsHeaders(asked.headers)) {
			return null;
		}
		List<Map.Entry<String, String>> fields = new ArrayList<>();
		fields.add(Map.entry("vary", "origin, access-control-request-method, access-control-request-headers"));
		allow(fields, origin);
		fields.add(Map.entry("access-control-allow-methods", "GET, POST"));
		if (asked.headers != null) {
			fields.add(Map.entry("access-control-allow-headers", asked.headers));
		}
		fields.add(Map.entry("access-control-max-age", String.valueOf(this.options.maxAge().toSeconds())));
		return fields;
	}

	private boolean allowsHeaders(@Nullable String names) {
		List<String> allowed = this.options.allowedHeaders();
		if (names == null || allowed.contains(CorsOptions.ALL)) {
			return true;
		}
		for (String each : names.split(",")) {
			if (!allowed.contains(each.strip().toLowerCase(Locale.ROOT))) {
				return false;
			}
		}
		return true;
	}

}
