package io.rpcboot.internal.serialization.types;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.serialization.ServiceCodec;

import org.jspecify.annotations.Nullable;

/**
 * Cache of the codecs of one serializer. A process that both offers and calls a service
 * walks through its types once. Keeps neither codecs nor classes alive. Thread-safe.
 */
public final class KnownCodecs {

	private final Map<Class<?>, Map<Key, WeakReference<ServiceCodec>>> codecs = new WeakHashMap<>();

	/**
	 * Key of a service of an interface.
	 *
	 * @param methods number of methods: a part of the service has fewer
	 */
	private record Key(ServiceId id, int methods) {

		static Key of(ServiceDescriptor service) {
			return new Key(service.id(), service.methods().size());
		}

	}

	/** Returns the known codec of a service, else creates one. */
	public ServiceCodec get(ServiceDescriptor service, Supplier<ServiceCodec> factory) {
		ServiceCodec known = find(service);
		return (known != null) ? known : add(service, factory.get());
	}

	private synchronized @Nullable ServiceCodec find(ServiceDescriptor service) {
		WeakReference<ServiceCodec> known = this.codecs.getOrDefault(service.type(), Map.of()).get(Key.of(service));
		return (known != null) ? known.get() : null;
	}

	private synchronized ServiceCodec add(ServiceDescriptor service, ServiceCodec codec) {
		this.codecs.computeIfAbsent(service.type(), (type) -> new HashMap<>())
			.put(Key.of(service), new WeakReference<>(codec));
		return codec;
	}

}
