package io.rpcboot.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.spring.RpcReferences;
import io.rpcboot.spring.RpcReferences.Declared;
import io.rpcboot.spring.autoconfigure.RpcClientProperties.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Refuses settings of references that no bean asks for. Where a reference may still
 * appear, it only warns: a test has part of the application, and a bean that is created
 * later may have any class.
 */
final class ReferencePropertiesCheck implements SmartInitializingSingleton {

	/** Spring Boot sets it in the context of every test that it loads. */
	private static final String TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

	private static final Logger logger = LoggerFactory.getLogger(ReferencePropertiesCheck.class);

	private final NamedEntries<Reference> entries;

	private final boolean allowUnknown;

	private final RpcReferences references;

	private final Environment environment;

	ReferencePropertiesCheck(NamedEntries<Reference> entries, boolean allowUnknown, RpcReferences references,
			Environment environment) {
		this.entries = entries;
		this.allowUnknown = allowUnknown;
		this.references = references;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<Declared> declared = this.references.declared();
		Set<String> names = new TreeSet<>();
		declared.forEach((each) -> names.add(each.name()));
		names.remove("");
		names.forEach((name) -> this.entries.entryOf(name, () -> names));
		List<String> unknown = this.entries.unknown(names);
		if (unknown.isEmpty() || this.allowUnknown) {
			return;
		}
		InvalidPropertyException failure = failure(unknown, names, unnamed(declared));
		if (declared.isEmpty() || this.environment.containsProperty(TEST) || this.references.mayComeLater()) {
			logger.warn("{}", failure.getMessage());
			return;
		}
		throw failure;
	}

	private static Set<String> unnamed(Set<Declared> declared) {
		return declared.stream()
			.filter((each) -> each.name().isEmpty())
			.map((each) -> each.type().getName())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private InvalidPropertyException failure(List<String> unknown, Set<String> names, Set<String> unnamed) {
		String expected = "the name of a reference: " + (names.isEmpty() ? "none has one" : String.join(", ", names));
		String action = "Correct or remove what is set.";
		if (!unnamed.isEmpty()) {
			expected += "; without a name: " + String.join(", ", unnamed);
			action = "Name the reference that is meant, @RpcReference(name = \"%s\"), or correct or remove what is set."
				.formatted(unknown.get(0));
		}
		return this.entries.failure(unknown.get(0), NamedEntries.quoted(unknown), expected,
				action + " If a child context or a bean that is created later asks for it, set "
						+ "rpc.client.allow-unknown-references to true.");
	}

}
