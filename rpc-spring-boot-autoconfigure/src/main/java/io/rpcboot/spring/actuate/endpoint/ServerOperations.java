package io.rpcboot.spring.actuate.endpoint;

import java.util.Locale;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.RegistrationDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Operations of the endpoint on the server of this process. */
final class ServerOperations {

	private static final String ALL = "offline, online, drain or weight; over HTTP also invoke";

	private final RpcBeans beans;

	ServerOperations(RpcBeans beans) {
		this.beans = beans;
	}

	/**
	 * Starts an operation. Does not wait for the registry or for clients.
	 * @param operation one of {@link #ALL}
	 * @param weight for {@code weight} only, else null
	 * @param who who requested it, for the log and the endpoint
	 * @throws InvalidEndpointRequestException if the operation or the weight is not valid
	 * @throws IllegalStateException if there is no server, or it cannot run the operation
	 */
	RegistrationDescriptor run(String operation, @Nullable String weight, String who) {
		RpcServer server = this.beans.server();
		if (server == null) {
			throw new IllegalStateException("%s: this application has no RPC server".formatted(operation));
		}
		String name = operation.toLowerCase(Locale.ROOT);
		if (!name.equals("weight") && weight != null) {
			throw invalid("weight: %s (expected: none with %s)".formatted(weight, name));
		}
		switch (name) {
			case "offline" -> server.offline(who);
			case "online" -> server.online(who);
			case "drain" -> server.drain(who);
			case "weight" -> weigh(server, weight, who);
			default -> throw invalid("operation: %s (expected: %s)".formatted(operation, ALL));
		}
		RegistrationInfo presence = server.presence();
		return new RegistrationDescriptor(SummaryReport.state(this.beans.lifecycle(), presence), presence.weight(),
				presence.reason(), presence.since().toEpochMilli(), server.registeredLocation(), server.inFlightCalls(),
				server.connections().size());
	}

	private static void weigh(RpcServer server, @Nullable String weight, String who) {
		if (weight == null) {
			throw invalid("weight: missing (expected: 1 to 10000, in a body such as {\"weight\": 50})");
		}
		int number;
		try {
			number = Integer.parseInt(weight.strip());
		}
		catch (NumberFormatException ex) {
			throw invalid("weight: %s (expected: 1 to 10000)".formatted(weight));
		}
		try {
			server.weight(number, who);
		}
		catch (RpcConfigurationException ex) {
			throw invalid("weight: %d (expected: 1 to 10000)".formatted(number));
		}
	}

	private static InvalidEndpointRequestException invalid(String problem) {
		return new InvalidEndpointRequestException(problem, problem);
	}

}
