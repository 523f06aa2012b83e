package io.rpcboot.spring.autoconfigure.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.autoconfigure.client.ReferenceEntries.Entry;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceEjection;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRetry;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRouting;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.Reference;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceMethod;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceSsl;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.NamedEntries;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.reference.RpcReferences.Declared;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.PropertyMapper;

/**
 * Applies {@code rpc.client.references.<name>.*} and
 * {@code rpc.client.services.<service>.*}, which override annotations.
 */
final class ReferencePropertiesCustomizer implements RpcReferenceCustomizer {

	private static final List<String> RESILIENCE = List.of("routing.tag", "routing.strict", "ejection.enabled",
			"retry.max-attempts", "retry.budget");

	private volatile Source source;

	private final TlsBundles tls;

	private final SerializerCatalog serializers;

	private final ClientDefaults client;

	private final PolicyBeans beans;

	/**
	 * Creates a customizer, and rejects wrong properties at once.
	 * @param entries the properties
	 * @param tls TLS by bundle
	 * @param serializers serializers by name
	 * @param client options of the client, read if needed
	 * @param beans interceptors and fallbacks by name
	 */
	ReferencePropertiesCustomizer(ReferenceEntries entries, TlsBundles tls, SerializerCatalog serializers,
			ClientDefaults client, PolicyBeans beans) {
		this.source = new Source(entries, client::resilience);
		this.tls = tls;
		this.serializers = serializers;
		this.client = client;
		this.beans = beans;
		requireValid(entries);
	}

	/**
	 * Properties in use, and options from which those of references are derived. Replaced
	 * as a whole.
	 */
	private record Source(ReferenceEntries entries, Supplier<ResilienceOptions> resilience) {
	}

	/**
	 * Returns the options of a route of a relay.
	 * @param name name of its property
	 * @param settings its settings
	 */
	ReferenceOptions ofRoute(String name, ReferenceSettings settings) {
		Entry entry = new Entry(name, "", settings);
		TimeoutUnitCheck.warnOf(entry.property("timeout"), settings.timeout());
		ReferenceOptions options = apply(entry, ReferenceOptions.defaults(), this.client::batching,
				this.source.resilience());
		return (settings.credentials() != null)
				? options.withCredentials(this.beans.credentials(settings.credentials())) : options;
	}

	/**
	 * Replaces the properties.
	 * @param resilience supplies options of the client
	 * @param action uses the new properties; if it fails, the former ones are in use
	 * again
	 */
	void replace(ReferenceEntries entries, Supplier<ResilienceOptions> resilience, Runnable action) {
		requireValid(entries);
		Source before = this.source;
		this.source = new Source(entries, resilience);
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			this.source = before;
			throw ex;
		}
	}

	private void requireValid(ReferenceEntries entries) {
		for (Entry entry : entries.all()) {
			ReferenceOptions checked = apply(entry, ReferenceOptions.defaults(), BatchingOptions::defaults,
					ResilienceOptions::defaults);
			TimeoutUnitCheck.warnOf(entry.property("timeout"), entry.settings().timeout());
			entry.settings().methods().forEach((method, settings) -> {
				OptionToPropertyNames.under(entry.property(""),
						() -> withMethod(checked, method, settings, ResilienceOptions::defaults));
				TimeoutUnitCheck.warnOf(entry.property("methods." + method + ".timeout"), settings.timeout());
			});
		}
	}

	@Override
	public ReferenceOptions customize(Class<?> type, String name, ReferenceOptions options) {
		Source source = this.source;
		List<Entry> found = source.entries().of(new Declared(type, name, options.version(), options.group()));
		if (found.stream().allMatch((entry) -> entry.settings().timeout() == null)) {
			TimeoutUnitCheck.warnOf("timeout of @RpcReference " + type.getName(), options.timeout());
		}
		ReferenceOptions result = options;
		for (Entry entry : found) {
			result = withBeans(entry, type, apply(entry, result, this.client::batching, source.resilience()));
			for (Map.Entry<String, String> each : methods(entry, type, options).entrySet()) {
				result = withMethod(result, each.getKey(),
						Objects.requireNonNull(entry.settings().methods().get(each.getValue())), source.resilience());
			}
		}
		return result.relaysCredentials() ? this.beans.relaying(result) : result;
	}

	@Override
	public Map<String, String> origins(Class<?> type, String name, ReferenceOptions options) {
		Map<String, String> origins = new LinkedHashMap<>();
		for (Entry entry : this.source.entries().of(new Declared(type, name, options.version(), options.group()))) {
			ReferenceSettings settings = entry.settings();
			if (settings instanceof Reference reference) {
				put(origins, entry, "version", reference.version());
				put(origins, entry, "group", reference.group());
			}
			put(origins, entry, "addresses", settings.addresses().isEmpty() ? null : settings.addresses());
			put(origins, entry, "timeout", settings.timeout());
			put(origins, entry, "wait-for-instance", settings.waitForInstance());
			put(origins, entry, "protocol", settings.protocol());
			ReferenceSsl ssl = settings.ssl();
			put(origins, entry, "ssl.bundle", (ssl != null) ? ssl.bundle() : null);
			put(origins, entry, "ssl.mode", (ssl != null) ? ssl.mode() : null);
			put(origins, entry, "credentials", settings.credentials());
			put(origins, entry, "relay-credentials", settings.relayCredentials());
			put(origins, entry, "serializer", settings.serializer());
			put(origins, entry, "callbacks", settings.callbacks());
			put(origins, entry, "batching", settings.batching());
			putResilience(origins, entry);
			put(origins, entry, "detached", settings.detached());
			put(origins, entry, "fallback", settings.fallback());
			put(origins, entry, "interceptors", settings.interceptors());
			methods(entry, type, options).forEach((method, set) -> {
				ReferenceMethod ofMethod = Objects.requireNonNull(settings.methods().get(set));
				put(origins, entry, "methods." + method + ".timeout", ofMethod.timeout());
				put(origins, entry, "methods." + method + ".idempotent", ofMethod.idempotent());
				put(origins, entry, "methods." + method + ".hedge-after", ofMethod.hedgeAfter());
			});
		}
		return origins;
	}

	/**
	 * Adds the sources of resilience options: those of the reference, else of the client.
	 * A reference has all of these options or none.
	 */
	private static void putResilience(Map<String, String> origins, Entry entry) {
		ReferenceSettings settings = entry.settings();
		ReferenceRouting routing = settings.routing();
		ReferenceEjection ejection = settings.ejection();
		ReferenceRetry retry = settings.retry();
		if (routing == null && ejection == null && retry == null) {
			return;
		}
		for (String option : RESILIENCE) {
			origins.putIfAbsent(option, "rpc.client." + option);
		}
		put(origins, entry, "routing.tag", (routing != null) ? routing.tag() : null);
		put(origins, entry, "routing.strict", (routing != null) ? routing.strict() : null);
		put(origins, entry, "ejection.enabled", (ejection != null) ? ejection.enabled() : null);
		put(origins, entry, "retry.max-attempts", (retry != null) ? retry.maxAttempts() : null);
		put(origins, entry, "retry.budget", (retry != null) ? retry.budget() : null);
	}

	private static void put(Map<String, String> origins, Entry entry, String option, @Nullable Object value) {
		if (value != null) {
			origins.put(option, entry.property(option));
		}
	}

	/** Returns the methods with settings: the key of the settings, by method name. */
	private static Map<String, String> methods(Entry entry, Class<?> type, ReferenceOptions options) {
		if (entry.settings().methods().isEmpty()) {
			return Map.of();
		}
		NamedEntries<ReferenceMethod> methods = new NamedEntries<>(entry.property("methods"),
				entry.settings().methods());
		Set<String> known = new TreeSet<>();
		ServiceDescriptor.of(type, "", "", options.valueResolver())
			.methods()
			.forEach((method) -> known.add(method.name()));
		for (String unknown : methods.unknown(known)) {
			throw methods.failure(unknown, "'" + unknown + "'",
					"a method of %s: %s".formatted(type.getName(), String.join(", ", known)),
					"Correct the name '%s', or remove its settings.".formatted(unknown));
		}
		Map<String, String> result = new TreeMap<>();
		for (String method : known) {
			String set = methods.entryOf(method, () -> known);
			if (set != null) {
				result.put(method, set);
			}
		}
		return result;
	}

	private static ReferenceOptions withMethod(ReferenceOptions options, String method, ReferenceMethod settings,
			Supplier<ResilienceOptions> ofClient) {
		PropertyMapper map = PropertyMapper.get();
		ReferenceOptions result = options;
		result = map.from(settings::timeout).to(result, (each, value) -> each.withMethodTimeout(method, value));
		result = map.from(settings::idempotent).to(result, (each, value) -> each.withIdempotent(method, value));
		if (settings.hedgeAfter() != null) {
			ResilienceOptions before = (result.resilience() != null) ? result.resilience() : ofClient.get();
			HedgingOptions hedging = HedgingOptions.defaults().withDelay(settings.hedgeAfter());
			result = result.withResilience(before.withHedging(method, hedging));
		}
		return result;
	}

	private ReferenceOptions withBeans(Entry entry, Class<?> type, ReferenceOptions options) {
		return OptionToPropertyNames.under(entry.property(""), () -> {
			ReferenceOptions result = options;
			String fallback = entry.settings().fallback();
			if (fallback != null) {
				result = result.withFallback(fallback.isEmpty() ? null : this.beans.fallback(type, fallback));
			}
			if (entry.settings().credentials() != null) {
				result = result.withCredentials(this.beans.credentials(entry.settings().credentials()));
			}
			List<String> interceptors = entry.settings().interceptors();
			if (interceptors != null) {
				result = result.withInterceptors(this.beans.interceptors(RpcClientInterceptor.class, interceptors));
			}
			return result;
		});
	}

	private ReferenceOptions apply(Entry entry, ReferenceOptions options, Supplier<BatchingOptions> batching,
			Supplier<ResilienceOptions> resilience) {
		PropertyMapper map = PropertyMapper.get();
		ReferenceSettings settings = entry.settings();
		ReferenceOptions result = options;
		if (settings instanceof Reference reference) {
			requireText(entry, "version", reference.version());
			requireText(entry, "group", reference.group());
			result = map.from(reference::version).to(result, ReferenceOptions::withVersion);
			result = map.from(reference::group).to(result, ReferenceOptions::withGroup);
		}
		if (!settings.addresses().isEmpty()) {
			settings.addresses().forEach((address) -> requireAddress(entry, address));
			result = result.withAddresses(settings.addresses());
		}
		result = map.from(settings::protocol).to(result, ReferenceOptions::withProtocol);
		result = withTls(entry, result);
		result = map.from(settings::serializer)
			.as((name) -> this.serializers.get(entry.property("serializer"), name))
			.to(result, ReferenceOptions::withSerializer);
		result = map.from(settings::relayCredentials).to(result, ReferenceOptions::withRelayedCredentials);
		result = map.from(settings::callbacks).to(result, ReferenceOptions::withCallbacks);
		result = map.from(settings::detached).to(result, ReferenceOptions::withDetached);
		ReferenceOptions rest = result;
		return OptionToPropertyNames.under(entry.property(""), () -> withChecked(settings, rest, batching, resilience));
	}

	private ReferenceOptions withTls(Entry entry, ReferenceOptions options) {
		ReferenceSsl ssl = entry.settings().ssl();
		if (ssl == null || (ssl.bundle() == null && ssl.mode() == null)) {
			return options;
		}
		if (ssl.bundle() == null) {
			return options.withTls(TlsOptions.clearText());
		}
		if (ssl.mode() != null) {
			throw new InvalidPropertyException(entry.property("ssl.mode"), entry.property("ssl.mode"),
					"disabled, but ssl.bundle is '%s'".formatted(ssl.bundle()), "one of both", "Remove one of both.");
		}
		return options.withTls(this.tls.always(entry.property("ssl.bundle"), ssl.bundle()));
	}

	private static ReferenceOptions withChecked(ReferenceSettings settings, ReferenceOptions options,
			Supplier<BatchingOptions> batching, Supplier<ResilienceOptions> resilience) {
		PropertyMapper map = PropertyMapper.get();
		ReferenceOptions result = options;
		result = map.from(settings::timeout).to(result, ReferenceOptions::withTimeout);
		result = map.from(settings::waitForInstance).to(result, ReferenceOptions::withWaitForInstance);
		if (settings.batching() != null) {
			BatchingOptions before = options.batching();
			result = result.withBatching(settings.batching().over((before != null) ? before : batching.get()));
		}
		if (settings.routing() != null || settings.ejection() != null || settings.retry() != null) {
			ResilienceOptions before = options.resilience();
			result = result
				.withResilience(ResilienceProperties.over(settings, (before != null) ? before : resilience.get()));
		}
		return result;
	}

	private static void requireAddress(Entry entry, String address) {
		try {
			ReferenceOptions.defaults().withAddresses(List.of(address));
		}
		catch (RpcConfigurationException ex) {
			throw new InvalidPropertyException(entry.property("addresses"), "'" + address + "'",
					"host:port, [ipv6]:port or dns:host:port, several separated by commas");
		}
	}

	private static void requireText(Entry entry, String what, @Nullable String value) {
		if (value != null && !value.matches("[A-Za-z0-9_.-]+")) {
			throw new InvalidPropertyException(entry.property(what), "'" + value + "'",
					"letters, digits, '_', '.' or '-'; leave the property out for none");
		}
	}

}
