package io.rpcboot.spring.autoconfigure.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.Reference;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.Service;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.NamedEntries;
import io.rpcboot.spring.reference.RpcReferences.Declared;
import org.jspecify.annotations.Nullable;

/**
 * Entries of {@code rpc.client.references} and {@code rpc.client.services}, and the
 * look-up of those of a reference.
 */
final class ReferenceEntries {

	private static final String REFERENCES = "rpc.client.references";

	private static final String SERVICES = "rpc.client.services";

	private final Map<String, Reference> references;

	private final Map<String, Service> services;

	private final NamedEntries<Reference> byName;

	private final NamedEntries<Service> byService;

	private final Supplier<Set<Declared>> declared;

	/**
	 * Reads the properties of a client.
	 * @param properties the properties
	 * @param declared supplies the known references; called only if there are entries
	 */
	ReferenceEntries(RpcClientProperties properties, Supplier<Set<Declared>> declared) {
		this.references = properties.references();
		this.services = properties.services();
		this.byName = new NamedEntries<>(REFERENCES, this.references);
		this.byService = new NamedEntries<>(SERVICES, this.services);
		this.declared = declared;
	}

	/** Returns all entries. */
	List<Entry> all() {
		List<Entry> all = new ArrayList<>();
		this.references.forEach((name, settings) -> all.add(new Entry(REFERENCES, name, settings)));
		this.services.forEach((name, settings) -> all.add(new Entry(SERVICES, name, settings)));
		return all;
	}

	/**
	 * Returns the entries of a reference.
	 * @param reference the reference, with declared or effective version and group
	 * @return in rising precedence
	 * @throws InvalidPropertyException if an entry is ambiguous
	 */
	List<Entry> of(Declared reference) {
		if (this.references.isEmpty() && this.services.isEmpty()) {
			return List.of();
		}
		List<Entry> found = new ArrayList<>();
		String service = serviceEntry(reference);
		if (service != null) {
			found.add(new Entry(SERVICES, service, Objects.requireNonNull(this.services.get(service))));
		}
		String name = nameEntry(reference);
		if (name != null) {
			found.add(new Entry(REFERENCES, name, Objects.requireNonNull(this.references.get(name))));
		}
		return found;
	}

	private @Nullable String nameEntry(Declared reference) {
		return reference.name().isEmpty() ? null
				: this.byName.entryOf(reference.name(), () -> names(this.declared.get()));
	}

	private @Nullable String serviceEntry(Declared reference) {
		if (this.services.isEmpty()) {
			return null;
		}
		Supplier<Set<String>> rivals = () -> {
			Set<String> all = simpleNames(this.declared.get());
			this.declared.get().forEach((each) -> all.add(id(each)));
			return all;
		};
		String entry = this.byService.entryOf(id(reference), rivals);
		return (entry != null) ? entry : this.byService.entryOf(reference.type().getSimpleName(), rivals);
	}

	/** Returns the effective identity, which may depend on the entry of the name. */
	private String id(Declared reference) {
		String entry = nameEntry(reference);
		Reference named = (entry != null) ? this.references.get(entry) : null;
		return new ServiceId(reference.type().getName(),
				(named != null && named.version() != null) ? named.version() : reference.version(),
				(named != null && named.group() != null) ? named.group() : reference.group())
			.toString();
	}

	/** Returns the names of references, without the empty one. */
	static Set<String> names(Set<Declared> declared) {
		Set<String> names = new TreeSet<>();
		declared.forEach((each) -> names.add(each.name()));
		names.remove("");
		return names;
	}

	static Set<String> simpleNames(Set<Declared> declared) {
		Set<String> names = new TreeSet<>();
		declared.forEach((each) -> names.add(each.type().getSimpleName()));
		return names;
	}

	/**
	 * Returns the entries of {@code rpc.client.references} without a reference.
	 * @param declared all references
	 */
	List<String> unknownNames(Set<Declared> declared) {
		Set<String> names = names(declared);
		names.forEach((name) -> this.byName.entryOf(name, () -> names));
		return this.byName.unknown(names);
	}

	/**
	 * Returns the entries of {@code rpc.client.services} without a reference.
	 * @param declared all references
	 */
	List<String> unknownServices(Set<Declared> declared) {
		Set<String> names = simpleNames(declared);
		declared.forEach((each) -> names.add(id(each)));
		return this.byService.unknown(names);
	}

	/** Returns the failure about a name without a reference. */
	InvalidPropertyException unknownName(String name, String value, String expected, String action) {
		return this.byName.failure(name, value, expected, action);
	}

	/** Returns the failure about a service without a reference. */
	InvalidPropertyException unknownService(String name, String value, String expected, String action) {
		return this.byService.failure(name, value, expected, action);
	}

	/**
	 * An entry.
	 *
	 * @param map the property of the map
	 * @param name the key
	 * @param settings the settings
	 */
	record Entry(String map, String name, ReferenceSettings settings) {

		/** Returns the name of a property of this entry. */
		String property(String what) {
			if (this.name.isEmpty()) {
				return this.map + "." + what;
			}
			return this.map + (this.name.matches("[\\w-]+") ? "." + this.name : "[" + this.name + "]") + "." + what;
		}

	}

}
