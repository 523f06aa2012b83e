package io.rpcboot.spring;

import java.util.List;

import io.rpcboot.server.GrpcServiceDefinition;

/**
 * Source of services that the server offers over gRPC alone, such as those that protoc
 * has generated. The server starts if there is a bean of this type. An application with a
 * server bean of its own adds them itself. Example: <pre class="code">
 * &#064;Bean
 * RpcGrpcServices users(UsersImpl users) {
 * 	return () -&gt; List.of(BindableServices.of(users));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcGrpcServices {

	/**
	 * Returns the services. Called once, when the server is created.
	 * @return their definitions
	 */
	List<GrpcServiceDefinition> definitions();

}
