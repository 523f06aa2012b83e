package io.rpcboot;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Identity of a service: the name of its interface, a version and a group. A reference
 * finds a service only under an equal identity.
 *
 * @param name fully qualified name of the interface
 * @param version version, empty for none
 * @param group group, empty for none
 * @since 0.1.0
 */
public record ServiceId(String name, String version, String group) {

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_$.]+");

	private static final Pattern QUALIFIER = Pattern.compile("[A-Za-z0-9_.-]*");

	private static final int IN_SUMMARY = 5;

	/**
	 * Creates an identity.
	 * @throws RpcConfigurationException if a part has a character that is not allowed
	 */
	public ServiceId {
		require(NAME, "service name", name, "the name of a Java interface");
		require(QUALIFIER, "version", version, "letters, digits, '_', '.' or '-'; empty for none");
		require(QUALIFIER, "group", group, "letters, digits, '_', '.' or '-'; empty for none");
	}

	/**
	 * Returns the identity of an interface without version and group.
	 * @param type the interface
	 * @return the identity
	 */
	public static ServiceId of(Class<?> type) {
		return new ServiceId(type.getName(), "", "");
	}

	/**
	 * Parses the text of {@link #toString()}.
	 * @param text {@code name[:version][@group]}
	 * @return the identity
	 * @throws RpcConfigurationException if a part has a character that is not allowed
	 */
	public static ServiceId parse(String text) {
		int at = text.indexOf('@');
		String group = (at < 0) ? "" : text.substring(at + 1);
		String rest = (at < 0) ? text : text.substring(0, at);
		int colon = rest.indexOf(':');
		String version = (colon < 0) ? "" : rest.substring(colon + 1);
		return new ServiceId((colon < 0) ? rest : rest.substring(0, colon), version, group);
	}

	/**
	 * Returns the text of several identities for a log line: the first five by name, and
	 * the number of the others.
	 * @param services the identities
	 * @return such as {@code app.Greeter, app.Stock:2 and 195 more}
	 */
	public static String summary(Collection<ServiceId> services) {
		String first = services.stream()
			.map(ServiceId::toString)
			.sorted()
			.limit(IN_SUMMARY)
			.collect(Collectors.joining(", "));
		int left = services.size() - IN_SUMMARY;
		return (left > 0) ? first + " and " + left + " more" : first;
	}

	private static void require(Pattern pattern, String what, String value, String expected) {
		if (!pattern.matcher(value).matches()) {
			throw new RpcConfigurationException("%s: '%s' (expected: %s)".formatted(what, value, expected),
					"Correct the %s.".formatted(what));
		}
	}

	/**
	 * Returns the identity as one word that is safe in a path.
	 * @return {@code name[:version][@group]}
	 */
	@Override
	public String toString() {
		return this.name + (this.version.isEmpty() ? "" : ":" + this.version)
				+ (this.group.isEmpty() ? "" : "@" + this.group);
	}

}
