package io.rpcboot.spring.actuate.findings;

import io.rpcboot.spring.discovery.DiscoveryOptions;
import org.jspecify.annotations.Nullable;

/**
 * What kind of registry instances come from. The word for people with which it begins to
 * describe itself is all that a reference knows of it.
 */
enum RegistryKind {

	ZOOKEEPER("zookeeper at ", "ZooKeeper", "rpc.registry.zookeeper.connect-string"),

	IN_MEMORY("the in-memory registry", "this process", "rpc.registry.zookeeper.connect-string"),

	DISCOVERY_CLIENT("the DiscoveryClient (", "the discovery system", DiscoveryOptions.APPLICATIONS),

	DNS("dns:", "the name service", null),

	/** A bean of the application. */
	OWN("", "the registry", null);

	private final String begin;

	private final String directory;

	private final @Nullable String property;

	RegistryKind(String begin, String directory, @Nullable String property) {
		this.begin = begin;
		this.directory = directory;
		this.property = property;
	}

	/** The last one begins as every description does. */
	static RegistryKind of(String description) {
		for (RegistryKind each : values()) {
			if (description.startsWith(each.begin)) {
				return each;
			}
		}
		return OWN;
	}

	/** What knows the instances. */
	String directory() {
		return this.directory;
	}

	/** What says where it is, or which instances are meant; null for nothing of ours. */
	@Nullable String property() {
		return this.property;
	}

}
