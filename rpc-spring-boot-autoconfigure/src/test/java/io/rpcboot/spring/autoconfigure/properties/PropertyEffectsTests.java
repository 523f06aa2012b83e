package io.rpcboot.spring.autoconfigure.properties;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PropertyEffectsTests {

	/** Properties without a test of their effect, with the reason; ten at most. */
	private static final Map<String, String> EXCEPTIONS = Map.of("management.endpoint.rpc.cache.time-to-live",
			"Spring Boot applies it to any endpoint", "management.endpoint.rpc.access",
			"Spring Boot applies it to any endpoint; LimitedAccess of its operations is in RpcEndpointIntegrationTests");

	@Test
	void properties_haveATestOfTheirEffect() {
		Set<String> without = all();
		without.removeAll(PropertyEffects.tests().keySet());
		without.removeAll(EXCEPTIONS.keySet());
		assertThat(without).as("properties that no @PropertyEffect names").isEmpty();
	}

	@Test
	void namesOfEffects_areNamesOfProperties() {
		assertThat(all()).hasSizeGreaterThan(150)
			.containsAll(PropertyEffects.tests().keySet())
			.containsAll(EXCEPTIONS.keySet());
	}

	private static Set<String> all() {
		Set<String> all = new TreeSet<>(PropertyEffects.ofMetadata());
		all.addAll(PropertyEffects.ofDocument());
		return all;
	}

	@Test
	void exceptions_areFewAndUntested() {
		assertThat(EXCEPTIONS).hasSizeLessThanOrEqualTo(10);
		assertThat(PropertyEffects.tests()).doesNotContainKeys(EXCEPTIONS.keySet().toArray(String[]::new));
	}

}
