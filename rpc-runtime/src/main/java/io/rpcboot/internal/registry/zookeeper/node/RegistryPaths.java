package io.rpcboot.internal.registry.zookeeper.node;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Options;

/**
 * Paths of the nodes below the root.
 *
 * @param root the root path
 */
public record RegistryPaths(String root) {

	private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[^/\\p{C}\\x{FFF0}-\\x{10FFFF}]+");

	/**
	 * Returns true for an absolute path of valid names without empty segments, by the
	 * rules of ZooKeeper.
	 */
	public static boolean isRoot(String path) {
		return path.startsWith("/")
				&& List.of(path.substring(1).split("/", -1)).stream().allMatch(SEGMENT.asMatchPredicate());
	}

	public static void requireSegment(String name, String value) {
		Options.require(SEGMENT.matcher(value).matches(), name, "'" + value + "'",
				"a name without '/' and control characters, not '.' or '..'");
	}

	public String service(ServiceId service) {
		return this.root + "/services/" + service;
	}

	public String mapping(ServiceId service, String application) {
		return service(service) + "/" + application;
	}

	public String application(String application) {
		return this.root + "/apps/" + application;
	}

	public String revisions(String application) {
		return application(application) + "/revisions";
	}

	public String instances(String application) {
		return application(application) + "/instances";
	}

	/** Returns the nodes whose children describe an instance, from the root down. */
	public List<String> above(ServiceInstance instance) {
		String application = instance.application();
		List<String> above = new ArrayList<>(List.of(this.root, this.root + "/services", this.root + "/apps",
				application(application), revisions(application), instances(application)));
		instance.services().stream().map(this::service).sorted().forEach(above::add);
		return above;
	}

}
