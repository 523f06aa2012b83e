package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.Calls;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfRegistry;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;

/** Checks whether the registry and the called servers are available. */
final class DependencyChecks {

	/**
	 * Time after which a server that was taken out may have been forgotten: maintenance
	 * of a host rarely takes longer.
	 */
	private static final Duration LONG_OUT = Duration.ofHours(1);

	private static final int MOST_NAMES = 3;

	private static final String UNREACHABLE_ONLY = "Calls fail at once. Look at the instances: are they up, and can this host reach their port?";

	private static final String INCOMPATIBLE_ONLY = "Calls fail at once. The servers run, but do not fit: deploy the same version of the interface on both sides, or let both use one serializer.";

	private static final String FROZEN_ONLY = "Calls still go to the frozen instances, because there are no others, and fail when their timeout is over. "
			+ "Look at those processes: a long garbage collection, a debugger, a stopped or overloaded host.";

	private static final String SETTINGS_ONLY = "Calls fail at once, because client and server are set up differently. Correct %s, or the setting of the server that does not fit it.";

	/** A property of this client that the problem of an instance names. */
	private static final Pattern SETTING = Pattern.compile("rpc\\.client\\.[\\w.-]*\\w");

	private DependencyChecks() {
	}

	static List<Finding> lostRegistry(DiagnosticSnapshot situation) {
		OfRegistry registry = situation.registry();
		if (registry == null || registry.state() == RegistryState.CONNECTED) {
			return List.of();
		}
		boolean wasThere = registry.state() == RegistryState.DISCONNECTED;
		RegistryKind kind = RegistryKind.of(registry.kind());
		String text = "The registry (%s) %s.".formatted(registry.description(), why(registry, situation.now()));
		String advice = (wasThere
				? "Known instances are still called; new ones are not seen. Look at %s and the network; no restart of this application is needed."
				: "Does %s run there, can this host reach it, and does it know this process?")
			.formatted(kind.directory());
		Finding finding = Finding.error(text, (kind == RegistryKind.ZOOKEEPER) ? kind.property() : null, advice);
		return List.of((registry.since() != null) ? finding.since(registry.since().toEpochMilli()) : finding);
	}

	private static String why(OfRegistry registry, Instant now) {
		if (!registry.problem().isEmpty()) {
			return "cannot be used: " + Formats.shortened(registry.problem());
		}
		return (registry.state() == RegistryState.DISCONNECTED) ? "is lost"
				: "has not been reached" + Formats.since(registry.since(), now);
	}

	/**
	 * Finds a server that an operator took out: first a note, after {@link #LONG_OUT} a
	 * warning.
	 */
	static List<Finding> takenOut(DiagnosticSnapshot situation) {
		OfServer server = situation.server();
		if (server == null || server.presence().mode() == Mode.ONLINE) {
			return List.of();
		}
		RegistrationInfo presence = server.presence();
		boolean isLong = !Formats.isWithin(presence.since(), situation.now(), LONG_OUT);
		String text = "The server of this process is taken out (%s)%s: %s.".formatted(presence.mode(),
				Formats.since(presence.since(), situation.now()), presence.reason());
		String advice = "POST to rpc/online of this endpoint brings it back. " + (presence.mode() == Mode.DRAINED
				? "Until then no client may call it." : "Until then clients that follow the registry do not call it.");
		return List.of(Finding.of(isLong ? Severity.WARNING : Severity.NOTE, text, null, advice)
			.since(presence.since().toEpochMilli()));
	}

	/**
	 * Finds references without an instance. References that miss the same instances are
	 * one finding.
	 */
	static List<Finding> withoutInstance(DiagnosticSnapshot situation) {
		Map<String, List<ReferenceInfo>> alike = new LinkedHashMap<>();
		references(situation).filter((each) -> !each.isReady() && !each.isConnecting())
			.forEach((each) -> alike
				.computeIfAbsent(each.instances().isEmpty() ? each.service().toString() : each.state(),
						(key) -> new ArrayList<>())
				.add(each));
		return alike.values().stream().map(DependencyChecks::withoutInstance).toList();
	}

	private static Finding withoutInstance(List<ReferenceInfo> alike) {
		ReferenceInfo first = alike.get(0);
		List<String> services = alike.stream().map((each) -> each.service().toString()).distinct().toList();
		String names = (services.size() > MOST_NAMES) ? "%s and %d more services"
			.formatted(String.join(", ", services.subList(0, MOST_NAMES - 1)), services.size() - MOST_NAMES + 1)
				: String.join(" and ", services);
		boolean isUnknown = first.instances().isEmpty();
		boolean isFrozen = first.instances().stream().anyMatch((each) -> each.state() == State.FROZEN);
		RegistryKind kind = RegistryKind.of(first.sourceKind());
		String text = "%s %s: %s.".formatted(isFrozen ? "No instance answers calls of" : "No instance takes calls of",
				names, Formats.shortened(first.state()));
		boolean isIncompatible = first.instances().stream().allMatch((each) -> each.state() == State.INCOMPATIBLE);
		Matcher setting = SETTING.matcher(first.state());
		if (!isUnknown && !isFrozen && setting.find()) {
			return Finding.error(text, setting.group(), SETTINGS_ONLY.formatted(setting.group()))
				.at("references", first.service().toString());
		}
		String advice = isFrozen ? FROZEN_ONLY : isIncompatible ? INCOMPATIBLE_ONLY : UNREACHABLE_ONLY;
		return Finding.error(text, isUnknown ? kind.property() : null, isUnknown ? missing(kind) : advice)
			.at("references", first.service().toString());
	}

	private static String missing(RegistryKind kind) {
		return switch (kind) {
			case DISCOVERY_CLIENT ->
				"Is a server with this service, version and group up, and does the discovery system have it under the application that is set for this service?";
			case DNS ->
				"Does the host in the addresses of this reference have an address here, and is a server up there?";
			default -> "Is a server with this service, version and group up and registered where this client looks?";
		};
	}

	/** Finds unreachable instances of services that have others. */
	static List<Finding> unreachable(DiagnosticSnapshot situation) {
		Map<String, Finding> result = new LinkedHashMap<>();
		references(situation).filter(ReferenceInfo::isReady).forEach((reference) -> {
			long ready = reference.instances().stream().filter((each) -> each.state() == State.READY).count();
			for (Instance each : reference.instances()) {
				if (each.state() == State.BACKING_OFF) {
					result.putIfAbsent(each.endpoint().toString(),
							unreachable(each, reference.service().toString(), ready, reference.instances().size()));
				}
			}
		});
		return List.copyOf(result.values());
	}

	private static Finding unreachable(Instance instance, String service, long ready, int known) {
		String endpoint = instance.endpoint().toString();
		return Finding
			.warning(
					"%s cannot be reached%s. %d of %d instances of %s %s calls.".formatted(
							name(instance),
							instance.problem().isEmpty() ? "" : ": "
									+ Formats.shortened(instance.problem()),
							ready, known, service, (ready == 1) ? "takes" : "take"),
					null,
					"The registry still lists it. Is that process running, and can this host reach its port? Calls go to other instances; the client keeps trying to connect.")
			.at("instances", endpoint);
	}

	/** Finds ejected instances. */
	static List<Finding> ejected(DiagnosticSnapshot situation) {
		Map<String, Finding> result = new LinkedHashMap<>();
		references(situation).forEach((reference) -> {
			long ready = reference.instances().stream().filter((each) -> each.state() == State.READY).count();
			for (Instance each : reference.instances()) {
				if (each.state() == State.EJECTED) {
					result.putIfAbsent(each.endpoint().toString(),
							ejected(each, reference.service().toString(), ready, reference.instances().size()));
				}
			}
		});
		return List.copyOf(result.values());
	}

	private static Finding ejected(Instance instance, String service, long ready, int known) {
		String others = (ready > 0) ? "Its calls go to %d of %d instances; a trial call goes there from time to time."
			.formatted(ready, known) : "No other instance takes calls, so it gets all of them.";
		return Finding.warning(
				"%s is ejected for %s: %s%s. %s".formatted(name(instance), service,
						Formats.shortened(instance.problem()), statuses(instance), others),
				null,
				"Look at that process: its log, its database, its host. It takes calls again as soon as trial calls succeed; rpc.client.ejection.* configure when an instance is ejected.")
			.at("instances", instance.endpoint().toString());
	}

	/** Returns the failures of the last minute by status; empty if there are none. */
	private static String statuses(Instance instance) {
		Calls calls = instance.calls();
		if (calls == null || calls.failures().isEmpty()) {
			return "";
		}
		return calls.failures()
			.entrySet()
			.stream()
			.sorted(Map.Entry.<RpcStatus, Long>comparingByValue().reversed())
			.map((each) -> Formats.grouped(each.getValue()) + " " + each.getKey())
			.collect(Collectors.joining(", ", " (in the last minute ", ")"));
	}

	/** Finds instances that take calls and are much slower than the others. */
	static List<Finding> slow(DiagnosticSnapshot situation) {
		Map<String, Finding> result = new LinkedHashMap<>();
		references(situation).forEach((reference) -> reference.instances()
			.stream()
			.filter((each) -> !each.slowness().isEmpty())
			.forEach((each) -> result.putIfAbsent(each.endpoint().toString(), slow(each, reference))));
		return List.copyOf(result.values());
	}

	private static Finding slow(Instance instance, ReferenceInfo reference) {
		return Finding.warning(
				"%s is slow for calls of %s: %s.".formatted(name(instance), reference.service(), instance.slowness()),
				"rpc.client.load-balancer",
				"Look at that process: its log, its database, its host. power-of-two sends it few calls, the other balancers send its whole share; of two instances none is ejected for being slow.")
			.at("instances", instance.endpoint().toString());
	}

	private static String name(Instance instance) {
		String endpoint = instance.endpoint().toString();
		return instance.application().isEmpty() ? endpoint : instance.application() + " at " + endpoint;
	}

	/**
	 * Finds instances that are called although they refuse some methods of the contract.
	 */
	static List<Finding> incompatible(DiagnosticSnapshot situation) {
		Map<String, Finding> result = new LinkedHashMap<>();
		references(situation).filter(ReferenceInfo::isReady).forEach((reference) -> {
			List<Instance> refusing = reference.instances()
				.stream()
				.filter((each) -> !each.problem().isEmpty())
				.filter((each) -> each.state() == State.READY || each.state() == State.INCOMPATIBLE)
				.toList();
			if (!refusing.isEmpty()) {
				result.putIfAbsent(reference.service().toString(), incompatible(reference, refusing));
			}
		});
		return List.copyOf(result.values());
	}

	private static Finding incompatible(ReferenceInfo reference, List<Instance> refusing) {
		String text = "%s of %s %s methods: %s.".formatted(Formats.count(refusing.size(), "instance"),
				reference.service(), (refusing.size() == 1) ? "refuses" : "refuse",
				Formats.shortened(refusing.get(0).problem()));
		return Finding
			.warning(text, null, "Deploy the same version of the interface on both sides, or undo its change.")
			.at("references", reference.service().toString());
	}

	/** Instances that the client has found {@link State#FROZEN}. */
	static List<Finding> frozen(DiagnosticSnapshot situation) {
		Map<String, Instance> result = new LinkedHashMap<>();
		references(situation).flatMap((reference) -> reference.instances().stream())
			.filter((each) -> each.state() == State.FROZEN)
			.forEach((each) -> result.putIfAbsent(each.endpoint().toString(), each));
		return result.values()
			.stream()
			.sorted(Comparator.comparing((Instance each) -> -each.pendingCalls()))
			.map(DependencyChecks::frozen)
			.toList();
	}

	private static Finding frozen(Instance instance) {
		return Finding.error(
				"%s seems to be frozen: it owes replies and sends nothing, not even to a probe. New calls go to other instances, if there are any."
					.formatted(name(instance)),
				"rpc.client.keep-alive.timeout",
				"Look at that process: a long garbage collection, a debugger, a stopped or overloaded host. "
						+ "Its connection is closed when it has been silent for rpc.client.keep-alive.interval and timeout.")
			.at("instances", instance.endpoint().toString());
	}

	private static Stream<ReferenceInfo> references(DiagnosticSnapshot situation) {
		return (situation.client() != null) ? situation.client().references().stream() : Stream.empty();
	}

}
