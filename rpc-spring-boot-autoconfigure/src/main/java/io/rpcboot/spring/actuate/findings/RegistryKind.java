package io.rpcboot.spring.actuate.findings;

import io.rpcboot.registry.Registry;
import io.rpcboot.spring.discovery.DiscoveryOptions;
import org.jspecify.annotations.Nullable;

/** Words and properties for advice about a registry, by {@link Registry#kind()}. */
enum RegistryKind {

	ZOOKEEPER("zookeeper", "ZooKeeper", "rpc.registry.zookeeper.connect-string"),

	IN_MEMORY("in-memory", "this process", "rpc.registry.zookeeper.connect-string"),

	DISCOVERY_CLIENT("discovery-client", "the discovery system", DiscoveryOptions.APPLICATIONS),

	DNS("dns", "the name service", null),

	/** Any other kind: a bean of the application. */
	CUSTOM("custom", "the registry", null);

	private final String kind;

	private final String directory;

	private final @Nullable String property;

	RegistryKind(String kind, String directory, @Nullable String property) {
		this.kind = kind;
		this.directory = directory;
		this.property = property;
	}

	static RegistryKind of(String kind) {
		for (RegistryKind each : values()) {
			if (kind.equals(each.kind)) {
				return each;
			}
		}
		return CUSTOM;
	}

	/** Returns the name of the system that knows the instances, as a message has it. */
	String directory() {
		return this.directory;
	}

	/** Returns the property that says where to look; null if no property of ours does. */
	@Nullable String property() {
		return this.property;
	}

}
