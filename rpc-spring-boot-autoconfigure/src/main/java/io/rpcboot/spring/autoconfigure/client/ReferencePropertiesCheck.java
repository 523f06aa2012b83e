package io.rpcboot.spring.autoconfigure.client;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.spring.autoconfigure.properties.DidYouMean;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.NamedEntries;
import io.rpcboot.spring.autoconfigure.properties.TestContextDetector;
import io.rpcboot.spring.reference.RpcReferences;
import io.rpcboot.spring.reference.RpcReferences.Declared;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Rejects settings without a reference. Only logs a warning if the reference may still
 * appear: in a test, which has part of the application, and if a bean that is created
 * later may have any class.
 */
final class ReferencePropertiesCheck implements SmartInitializingSingleton {

	private static final String LATER = " If a child context or a bean that is created later uses it, set "
			+ "rpc.client.allow-unknown-references to true.";

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final ReferenceEntries entries;

	private final boolean allowUnknown;

	private final RpcReferences references;

	private final Environment environment;

	ReferencePropertiesCheck(ReferenceEntries entries, boolean allowUnknown, RpcReferences references,
			Environment environment) {
		this.entries = entries;
		this.allowUnknown = allowUnknown;
		this.references = references;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<Declared> declared = this.references.declared();
		List<String> names = this.entries.unknownNames(declared);
		List<String> services = this.entries.unknownServices(declared);
		if (this.allowUnknown) {
			return;
		}
		if (!names.isEmpty()) {
			refuse(unknownNames(names, declared), declared);
		}
		if (!services.isEmpty()) {
			refuse(unknownServices(services, declared), declared);
		}
	}

	private void refuse(InvalidPropertyException failure, Set<Declared> declared) {
		if (TestContextDetector.isTest(this.environment)) {
			logger.warn("{}; it has no effect in this test", failure.getMessage());
			return;
		}
		if (declared.isEmpty() || this.references.mayComeLater()) {
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

	private InvalidPropertyException unknownNames(List<String> unknown, Set<Declared> declared) {
		Set<String> names = ReferenceEntries.names(declared);
		Set<String> unnamed = unnamed(declared);
		String expected = "the name of a reference: " + (names.isEmpty() ? "none has one" : String.join(", ", names));
		String action = "Correct or remove the setting.";
		if (!unnamed.isEmpty()) {
			expected += "; without a name: " + String.join(", ", unnamed);
			action = "Name the reference, @RpcReference(name = \"%s\"), or correct or remove the setting."
				.formatted(unknown.get(0));
		}
		if (ReferenceEntries.simpleNames(declared).contains(unknown.get(0))) {
			action += " Settings of all references to a service are under rpc.client.services.%s."
				.formatted(unknown.get(0));
		}
		return this.entries.unknownName(unknown.get(0), NamedEntries.quoted(unknown), expected, action + LATER);
	}

	private InvalidPropertyException unknownServices(List<String> unknown, Set<Declared> declared) {
		Set<String> names = ReferenceEntries.simpleNames(declared);
		String expected = "the simple name of an interface with a reference: "
				+ (names.isEmpty() ? "there is none" : String.join(", ", names));
		String meant = DidYouMean.CLOSE.meant(unknown.get(0), names);
		String action = (meant != null) ? "Set rpc.client.services.%s, or remove the setting.".formatted(meant)
				: "Correct or remove the setting.";
		if (ReferenceEntries.names(declared).contains(unknown.get(0))) {
			action += " Settings of the reference with this name are under rpc.client.references.%s."
				.formatted(unknown.get(0));
		}
		return this.entries.unknownService(unknown.get(0), NamedEntries.quoted(unknown), expected, action + LATER);
	}

}
