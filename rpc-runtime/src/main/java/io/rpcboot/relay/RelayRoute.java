package io.rpcboot.relay;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.context.Attachments;
import io.rpcboot.transport.Options;

/**
 * Route of a relay: the services that it passes on, and the way to their servers.
 * Immutable; every {@code with} method returns a copy.
 *
 * @since 0.1.0
 */
public final class RelayRoute extends Options {

	private final Set<String> services;

	private Set<String> versions = Set.of();

	private Set<String> groups = Set.of();

	private Map<String, String> attachments = Map.of();

	private Map<String, String> added = Map.of();

	private Set<String> removed = Set.of();

	private ReferenceOptions target = ReferenceOptions.defaults();

	private RelayRoute(Set<String> services) {
		this.services = services;
	}

	/**
	 * Creates a route whose servers are those of the registry.
	 * @param services names of the services, such as {@code shop.Stock}; over gRPC the
	 * name in front of the method. At least one; no wildcards, because a registry is
	 * asked by name
	 * @return the route
	 * @throws RpcConfigurationException if there is none, or one is no name
	 */
	public static RelayRoute to(Collection<String> services) {
		require(!services.isEmpty(), "services", "none", "the names of the services that the route passes on");
		services.forEach((each) -> {
			require(!each.contains("*"), "services", "'" + each + "'",
					"names without wildcards, because a registry is asked by name");
			new ServiceId(each, "", "");
		});
		return new RelayRoute(Set.copyOf(services));
	}

	/**
	 * Limits the route to some versions. Default: with addresses all, else calls without
	 * a version.
	 * @param versions the versions; an empty text stands for calls without one
	 * @return the copy
	 */
	public RelayRoute withVersions(Collection<String> versions) {
		RelayRoute copy = copy();
		copy.versions = Set.copyOf(versions);
		return copy;
	}

	/**
	 * Limits the route to some groups. Default: with addresses all, else calls without a
	 * group.
	 * @param groups the groups; an empty text stands for calls without one
	 * @return the copy
	 */
	public RelayRoute withGroups(Collection<String> groups) {
		RelayRoute copy = copy();
		copy.groups = Set.copyOf(groups);
		return copy;
	}

	/**
	 * Limits the route to calls with some attachments. Default: none.
	 * @param attachments values by name; a call needs all of them
	 * @return the copy
	 */
	public RelayRoute withAttachments(Map<String, String> attachments) {
		RelayRoute copy = copy();
		copy.attachments = named("attachments", attachments);
		return copy;
	}

	/**
	 * Adds attachments to the calls. One of the same name is replaced.
	 * @param attachments values by name, printable ASCII
	 * @return the copy
	 */
	public RelayRoute withAddedAttachments(Map<String, String> attachments) {
		RelayRoute copy = copy();
		copy.added = named("add-attachments", attachments);
		return copy;
	}

	/**
	 * Removes attachments from the calls.
	 * @param names the names
	 * @return the copy
	 */
	public RelayRoute withRemovedAttachments(Collection<String> names) {
		RelayRoute copy = copy();
		Set<String> lower = new LinkedHashSet<>();
		names.forEach((each) -> lower.add(name("remove-attachments", each)));
		copy.removed = Set.copyOf(lower);
		return copy;
	}

	/**
	 * Sets the way to the servers: addresses, TLS, credentials, and policies as far as
	 * they are about instances. A timeout bounds a whole call, also one without a
	 * deadline. Calls are repeated only if they did not run.
	 * @param target the options; version, group, protocol and methods do not count
	 * @return the copy
	 */
	public RelayRoute withTarget(ReferenceOptions target) {
		RelayRoute copy = copy();
		copy.target = target;
		return copy;
	}

	private static Map<String, String> named(String option, Map<String, String> attachments) {
		Map<String, String> lower = new TreeMap<>();
		attachments.forEach((name, value) -> {
			require(value.chars().allMatch((each) -> each >= ' ' && each <= '~') && value.strip().equals(value), option,
					"'" + value + "'", "printable ASCII without blanks at its ends");
			lower.put(name(option, name), value);
		});
		return Map.copyOf(lower);
	}

	private static String name(String option, String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		boolean isReserved = lower.startsWith("grpc-") || lower.startsWith(Attachments.RESERVED_PREFIX);
		require(Attachments.isName(lower) && !isReserved, option, "'" + name + "'",
				"the name of an attachment, which begins neither with grpc- nor with rpc-");
		return lower;
	}

	/**
	 * Returns the names of the services.
	 * @return one or more
	 */
	public Set<String> services() {
		return this.services;
	}

	/**
	 * Returns the versions.
	 * @return empty for the default
	 */
	public Set<String> versions() {
		return this.versions;
	}

	/**
	 * Returns the groups.
	 * @return empty for the default
	 */
	public Set<String> groups() {
		return this.groups;
	}

	/**
	 * Returns the attachments that a call needs.
	 * @return values by name
	 */
	public Map<String, String> attachments() {
		return this.attachments;
	}

	/**
	 * Returns the attachments that calls get.
	 * @return values by name
	 */
	public Map<String, String> addedAttachments() {
		return this.added;
	}

	/**
	 * Returns the names of the attachments that calls lose.
	 * @return names in lower case
	 */
	public Set<String> removedAttachments() {
		return this.removed;
	}

	/**
	 * Returns the way to the servers.
	 * @return the options
	 */
	public ReferenceOptions target() {
		return this.target;
	}

	/**
	 * Returns true if the servers have fixed addresses, so that no registry is asked.
	 * @return true with addresses
	 */
	public boolean hasAddresses() {
		return !this.target.endpoints().isEmpty() || !this.target.dnsEndpoints().isEmpty();
	}

	/**
	 * Returns the services that are looked up.
	 * @return each service with each version and group
	 */
	public List<ServiceId> targets() {
		Set<String> wantedVersions = this.versions.isEmpty() ? Set.of("") : this.versions;
		Set<String> wantedGroups = this.groups.isEmpty() ? Set.of("") : this.groups;
		return this.services.stream()
			.sorted()
			.flatMap((name) -> wantedVersions.stream()
				.sorted()
				.flatMap((
						version) -> wantedGroups.stream().sorted().map((group) -> new ServiceId(name, version, group))))
			.toList();
	}

}
