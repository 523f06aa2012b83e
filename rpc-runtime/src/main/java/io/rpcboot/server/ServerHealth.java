package io.rpcboot.server;

/**
 * Health of a server over gRPC (Check, Watch and List of {@code grpc.health.v1.Health}),
 * as far as the application decides about it. No call is refused because of it, and
 * nothing changes in the registry. Thread-safe; never blocks.
 *
 * <pre>{@code
 * server.health().serving("shop.Orders", false); // its database is away
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ServerHealth {

	/**
	 * Sets whether the application accepts traffic; otherwise the server, its services
	 * and {@code readiness} are NOT_SERVING. With Spring Boot its {@code ReadinessState}
	 * calls this.
	 * @param accepting true, the default, if it does
	 */
	void accepting(boolean accepting);

	/**
	 * Sets whether the application is alive; otherwise {@code liveness} is NOT_SERVING.
	 * It stays NOT_SERVING after {@link RpcServer#failure() a failure}. With Spring Boot
	 * its {@code LivenessState} calls this.
	 * @param live true, the default, if it is
	 */
	void live(boolean live);

	/**
	 * Sets whether a service is SERVING while the server is, or NOT_SERVING.
	 * @param service its full name in gRPC
	 * @param serving true, the default, if it is
	 * @throws io.rpcboot.RpcConfigurationException if the server does not offer it over
	 * gRPC
	 */
	void serving(String service, boolean serving);

}
