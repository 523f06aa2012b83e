package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Name of a service over gRPC, for an interface whose own name is another one, such as a
 * service of others:
 *
 * <pre>{@code
 * &#64;RpcContract(name = "acme.users.v1.UserService")
 * public interface Users {
 *
 *     &#64;RpcMethod(bare = true)
 *     User getUser(GetUserRequest request);
 *
 * }
 * }</pre>
 *
 * The native protocol, registries, properties and logs keep the name of the interface.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcContract {

	/**
	 * Full name of the service over gRPC. Clients of gRPC must know a change.
	 * @return names of letters, digits and '_', with dots between them
	 */
	String name();

}
