package io.rpcboot.spring.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

import org.jspecify.annotations.Nullable;

/**
 * Properties by the names that users of other products expect. An asterisk stands for the
 * name of a reference, service or method.
 *
 * @since 0.1.0
 */
public final class PropertySynonyms {

	private static final Map<String, String> ALL = new LinkedHashMap<>();

	static {
		add("rpc.server.pool.max-threads", "server.threads", "server.pool.size", "server.pool.threads",
				"server.pool.max-size");
		add("rpc.server.bind-address", "server.host", "server.address");
		add("rpc.server.limits.connections", "server.max-connections");
		add("rpc.server.services.*.max-threads", "server.services.*.threads");
		add("rpc.server.services.*.methods.*.max-threads", "server.services.*.methods.*.threads");
		add("rpc.client.timeout", "server.timeout", "client.read-timeout", "client.request-timeout",
				"client.call-timeout");
		add("rpc.client.retry.max-attempts", "client.retries", "client.max-retries", "client.retry.attempts",
				"client.retry.count", "client.retry.enabled");
		add("rpc.client.references.*.retry.max-attempts", "client.references.*.retries",
				"client.references.*.max-retries", "client.references.*.retry.enabled");
		add("rpc.client.references.*.addresses", "client.references.*.url", "client.references.*.host",
				"client.references.*.server", "client.references.*.servers");
		add("rpc.client.references.<name>.addresses", "client.addresses", "client.address", "client.url", "client.host",
				"client.server");
		add("rpc.client.connections-per-endpoint", "client.connections", "client.max-connections");
		add("rpc.registry.type", "registry.enabled");
		for (String name : List.of("address", "addresses", "servers", "server", "hosts", "host", "url", "quorum",
				"connection-string", "connect")) {
			add("rpc.registry.zookeeper.connect-string", "registry." + name, "registry.zookeeper." + name,
					"zookeeper." + name);
		}
		add("rpc.registry.zookeeper.connect-string", "zookeeper.connect-string", "server.registry", "client.registry");
	}

	private PropertySynonyms() {
	}

	private static void add(String property, String... synonyms) {
		for (String each : synonyms) {
			ALL.put(each.replace("-", ""), property);
		}
	}

	/**
	 * Returns the property that a name means.
	 * @param elements the name below {@code rpc}
	 * @return the whole name of the property; null for none
	 */
	public static @Nullable String meant(List<String> elements) {
		List<String> words = elements.stream().map(NamedEntries::uniform).toList();
		for (Map.Entry<String, String> each : ALL.entrySet()) {
			List<String> synonym = List.of(each.getKey().split("\\."));
			if (matches(synonym, words)) {
				String meant = each.getValue();
				for (int i = 0; i < synonym.size(); i++) {
					if (synonym.get(i).equals("*")) {
						meant = meant.replaceFirst("\\*", Matcher.quoteReplacement(elements.get(i)));
					}
				}
				return meant;
			}
		}
		return null;
	}

	private static boolean matches(List<String> synonym, List<String> words) {
		if (synonym.size() != words.size()) {
			return false;
		}
		for (int i = 0; i < words.size(); i++) {
			if (!synonym.get(i).equals("*") && !synonym.get(i).equals(words.get(i))) {
				return false;
			}
		}
		return true;
	}

}
