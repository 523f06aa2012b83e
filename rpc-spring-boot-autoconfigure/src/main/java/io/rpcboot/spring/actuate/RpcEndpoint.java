package io.rpcboot.spring.actuate;

import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.RpcClients;
import io.rpcboot.spring.RpcServerLifecycle;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The endpoint {@code rpc}: services offered, references with their instances,
 * connections, the registry. It only reads.
 */
@Endpoint(id = "rpc")
public class RpcEndpoint {

	private final ObjectProvider<Registry> registry;

	private final ObjectProvider<RpcServer> server;

	private final ObjectProvider<RpcServerLifecycle> lifecycle;

	private final RpcClients clients;

	RpcEndpoint(ObjectProvider<Registry> registry, ObjectProvider<RpcServer> server,
			ObjectProvider<RpcServerLifecycle> lifecycle, RpcClients clients) {
		this.registry = registry;
		this.server = server;
		this.lifecycle = lifecycle;
		this.clients = clients;
	}

	/**
	 * How things stand now.
	 * @return a snapshot
	 */
	@ReadOperation
	public RpcDescriptor rpc() {
		return new RpcDescriptor(describeRegistry(), describeServer(), describeClient());
	}

	private @Nullable RegistryDescriptor describeRegistry() {
		Registry registry = this.registry.getIfAvailable();
		return (registry == null) ? null : new RegistryDescriptor(registry.description(), registry.state());
	}

	private @Nullable ServerDescriptor describeServer() {
		RpcServer server = this.server.getIfAvailable();
		RpcServerLifecycle lifecycle = this.lifecycle.getIfAvailable();
		if (server == null || lifecycle == null || !lifecycle.isRunning()) {
			return null;
		}
		List<ServiceDescriptor> services = server.services().stream().map(ServiceDescriptor::of).toList();
		return new ServerDescriptor(server.port(), server.advertisedEndpoint().toString(), server.registeredLocation(),
				server.inFlightCalls(), server.pool(), server.connections(), services);
	}

	private @Nullable ClientDescriptor describeClient() {
		return this.clients.inUse().stream().findFirst().map(ClientDescriptor::of).orElse(null);
	}

	/**
	 * Everything.
	 *
	 * @param registry the registry, null if there is none
	 * @param server the server, null if there is none or it is not bound
	 * @param client the client, null if nothing has needed one
	 */
	public record RpcDescriptor(@Nullable RegistryDescriptor registry, @Nullable ServerDescriptor server,
			@Nullable ClientDescriptor client) {
	}

	/**
	 * The registry.
	 *
	 * @param description what kind, and where
	 * @param state whether it can be reached now
	 */
	public record RegistryDescriptor(String description, RegistryState state) {
	}

	/**
	 * The server.
	 *
	 * @param port the port that is bound
	 * @param advertisedEndpoint what clients connect to
	 * @param location where the registry holds it, empty when not registered
	 * @param inFlightCalls calls that execute or wait for a thread
	 * @param pool the threads that run calls, and who had them when none was free
	 * @param connections the open connections
	 * @param services what it offers
	 */
	public record ServerDescriptor(int port, String advertisedEndpoint, String location, int inFlightCalls,
			PoolInfo pool, List<ConnectionInfo> connections, List<ServiceDescriptor> services) {
	}

	/**
	 * A service.
	 *
	 * @param service its identity: {@code name[:version][@group]}
	 * @param methods its methods by signature
	 * @param contractHash the hash of its contract; clients with another are translated
	 * @param serializers what clients may choose from
	 * @param maxThreads most threads of the pool that run its calls, null for no limit of
	 * its own
	 * @param methodMaxThreads the same for its methods that have such a limit, by name
	 * @param calls calls answered so far
	 */
	public record ServiceDescriptor(String service, List<String> methods, String contractHash, List<String> serializers,
			@Nullable Integer maxThreads, Map<String, Integer> methodMaxThreads, long calls) {

		static ServiceDescriptor of(ServiceInfo info) {
			return new ServiceDescriptor(info.service().toString(), info.methods(), info.contractHash(),
					info.serializers(), info.maxThreads(), info.methodMaxThreads(), info.calls());
		}

	}

	/**
	 * The client.
	 *
	 * @param pendingCalls calls under way
	 * @param queuedCalls calls that wait because as many are under way as may be
	 * @param connections the established connections
	 * @param references what it can call
	 */
	public record ClientDescriptor(int pendingCalls, int queuedCalls, List<ConnectionInfo> connections,
			List<ReferenceDescriptor> references) {

		static ClientDescriptor of(RpcClient client) {
			return new ClientDescriptor(client.pendingCalls(), client.queuedCalls(), client.connections(),
					client.references().stream().map(ReferenceDescriptor::of).toList());
		}

	}

	/**
	 * A reference.
	 *
	 * @param service the service: {@code name[:version][@group]}
	 * @param source where its instances come from
	 * @param ready whether a call would find an instance now
	 * @param waitingCalls calls that wait for an instance with a grant and room
	 * @param instances the known instances
	 */
	public record ReferenceDescriptor(String service, String source, boolean ready, int waitingCalls,
			List<InstanceDescriptor> instances) {

		static ReferenceDescriptor of(ReferenceInfo info) {
			return new ReferenceDescriptor(info.service().toString(), info.source(), info.isReady(),
					info.waitingCalls(), info.instances().stream().map(InstanceDescriptor::of).toList());
		}

	}

	/**
	 * An instance of a service.
	 *
	 * @param endpoint where it listens
	 * @param application its application, empty for a static address
	 * @param id its id, empty for a static address
	 * @param state whether it takes calls
	 * @param connections established connections
	 * @param pendingCalls calls waiting for its reply
	 * @param problem why it takes no calls, empty if it does
	 */
	public record InstanceDescriptor(String endpoint, String application, String id, ReferenceInfo.State state,
			int connections, int pendingCalls, String problem) {

		static InstanceDescriptor of(ReferenceInfo.Instance instance) {
			return new InstanceDescriptor(instance.endpoint().toString(), instance.application(), instance.id(),
					instance.state(), instance.connections(), instance.pendingCalls(), instance.problem());
		}

	}

}
