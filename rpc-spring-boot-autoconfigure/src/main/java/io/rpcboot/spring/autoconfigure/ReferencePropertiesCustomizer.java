package io.rpcboot.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.autoconfigure.RpcClientProperties.Reference;
import io.rpcboot.spring.autoconfigure.RpcClientProperties.ReferenceMethod;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;

/** Lets {@code rpc.client.references.<name>.*} override what an annotation says. */
final class ReferencePropertiesCustomizer implements RpcReferenceCustomizer {

	private final Map<String, Reference> references;

	private final SerializerCatalog serializers;

	private final Supplier<BatchingOptions> batching;

	private final NamedEntries<Reference> entries;

	private final Supplier<Set<String>> names;

	/**
	 * Create a customizer; wrong properties are refused at once.
	 * @param properties the properties of the client
	 * @param serializers where names of serializers are looked up
	 * @param batching what the client was built with, asked for when it is there
	 * @param names the names of all references that are known
	 */
	ReferencePropertiesCustomizer(RpcClientProperties properties, SerializerCatalog serializers,
			Supplier<BatchingOptions> batching, Supplier<Set<String>> names) {
		this.entries = new NamedEntries<>("rpc.client.references", properties.references());
		this.names = names;
		this.references = properties.references();
		this.serializers = serializers;
		this.batching = batching;
		this.references.forEach((name, reference) -> {
			requireText(name, "version", reference.version());
			requireText(name, "group", reference.group());
			ReferenceOptions checked = apply(name, reference, ReferenceOptions.defaults(), BatchingOptions::defaults);
			ShortTimeouts.warnOf(property(name, "timeout"), reference.timeout());
			reference.methods().forEach((method, settings) -> {
				String property = property(name, "methods." + method + ".timeout");
				OptionNames.under(property(name, ""), () -> withTimeout(checked, method, settings));
				ShortTimeouts.warnOf(property, settings.timeout());
			});
		});
	}

	/** The settings by name. */
	NamedEntries<Reference> entries() {
		return this.entries;
	}

	@Override
	public ReferenceOptions customize(Class<?> type, String name, ReferenceOptions options) {
		String entry = name.isEmpty() ? null : this.entries.entryOf(name, this.names);
		Reference reference = (entry != null) ? this.references.get(entry) : null;
		if (reference == null || reference.timeout() == null) {
			ShortTimeouts.warnOf("timeout of @RpcReference " + type.getName(), options.timeout());
		}
		return (entry != null && reference != null)
				? withMethods(type, entry, reference, apply(entry, reference, options, this.batching)) : options;
	}

	private static ReferenceOptions withMethods(Class<?> type, String name, Reference reference,
			ReferenceOptions options) {
		NamedEntries<ReferenceMethod> methods = new NamedEntries<>(property(name, "methods"), reference.methods());
		Set<String> known = new TreeSet<>();
		ServiceDescriptor.of(type).methods().forEach((method) -> known.add(method.name()));
		for (String unknown : methods.unknown(known)) {
			throw methods.failure(unknown, "'" + unknown + "'",
					"a method of %s: %s".formatted(type.getName(), String.join(", ", known)),
					"Correct the name '%s', or remove what is set for it.".formatted(unknown));
		}
		ReferenceOptions result = options;
		for (String method : known) {
			String entry = methods.entryOf(method, () -> known);
			if (entry != null) {
				result = withTimeout(result, method, Objects.requireNonNull(reference.methods().get(entry)));
			}
		}
		return result;
	}

	private static ReferenceOptions withTimeout(ReferenceOptions options, String method, ReferenceMethod settings) {
		return (settings.timeout() != null) ? options.withMethodTimeout(method, settings.timeout()) : options;
	}

	private ReferenceOptions apply(String name, Reference reference, ReferenceOptions options,
			Supplier<BatchingOptions> batching) {
		ReferenceOptions result = options;
		if (reference.version() != null) {
			result = result.withVersion(reference.version());
		}
		if (reference.group() != null) {
			result = result.withGroup(reference.group());
		}
		if (!reference.addresses().isEmpty()) {
			result = result.withEndpoints(endpoints(name, reference.addresses()));
		}
		if (reference.serializer() != null) {
			result = result.withSerializer(this.serializers.get(property(name, "serializer"), reference.serializer()));
		}
		if (reference.callbacks() != null) {
			result = result.withCallbacks(reference.callbacks());
		}
		if (reference.detached() != null) {
			result = result.withDetached(reference.detached());
		}
		ReferenceOptions rest = result;
		return OptionNames.under(property(name, ""), () -> withChecked(reference, rest, batching));
	}

	private static ReferenceOptions withChecked(Reference reference, ReferenceOptions options,
			Supplier<BatchingOptions> batching) {
		ReferenceOptions result = options;
		if (reference.timeout() != null) {
			result = result.withTimeout(reference.timeout());
		}
		if (reference.waitForInstance() != null) {
			result = result.withWaitForInstance(reference.waitForInstance());
		}
		if (reference.batching() != null) {
			result = result.withBatching(reference.batching().over(batching.get()));
		}
		return result;
	}

	private static Endpoint[] endpoints(String name, List<String> addresses) {
		return addresses.stream().map((address) -> endpoint(name, address)).toArray(Endpoint[]::new);
	}

	private static Endpoint endpoint(String name, String address) {
		try {
			return Endpoint.parse(address);
		}
		catch (RpcConfigurationException ex) {
			throw new InvalidPropertyException(property(name, "addresses"), "'" + address + "'",
					"host:port or [ipv6]:port, several separated by commas");
		}
	}

	private static void requireText(String name, String what, @Nullable String value) {
		if (value != null && !value.matches("[A-Za-z0-9_.-]+")) {
			throw new InvalidPropertyException(property(name, what), "'" + value + "'",
					"letters, digits, '_', '.' or '-'; leave the property out for none");
		}
	}

	private static String property(String name, String what) {
		return "rpc.client.references." + name + "." + what;
	}

}
