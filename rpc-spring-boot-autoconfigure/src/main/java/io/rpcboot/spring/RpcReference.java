package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rpcboot.interceptor.RpcClientInterceptor;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Injects a proxy of a remote service: <pre class="code">
 * &#064;RpcReference(version = "2", timeout = "500ms")
 * private UserService users;
 * </pre> Allowed on a field, a setter, a record component, and a parameter of a
 * constructor or of a {@code @Bean} method. The type is the interface, {@code Optional}
 * or {@code ObjectProvider} of it; {@code @Lazy} works. {@code @Autowired} is not needed.
 * The proxy is thread-safe. References with equal attributes share one proxy. Texts may
 * have placeholders and SpEL expressions, {@code version = "${api.version:2}"}.
 * <p>
 * A local bean of the same interface is never injected here, and the proxy is never
 * injected without this annotation.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface RpcReference {

	/**
	 * The version of the service.
	 * @return letters, digits, '_', '.' or '-'; empty for none
	 */
	String version() default "";

	/**
	 * The group of the service.
	 * @return letters, digits, '_', '.' or '-'; empty for none
	 */
	String group() default "";

	/**
	 * The time allowed for a call, in the format of properties: {@code 500ms},
	 * {@code 2s}, {@code PT2S}.
	 * @return a positive duration; empty for {@code rpc.client.timeout}
	 */
	String timeout() default "";

	/**
	 * The time for which a call waits for an instance while none is known yet, or after
	 * the last one was lost; in the format of {@link #timeout()}. If every known instance
	 * refused the connection, calls fail at once whatever the value.
	 * @return a duration, {@code 0s} to never wait; empty for
	 * {@code rpc.client.wait-for-instance}
	 */
	String waitForInstance() default "";

	/**
	 * The protocol of the calls: {@code native}, or {@code grpc} for any gRPC server.
	 * @return empty for {@code rpc.client.protocol}
	 */
	String protocol() default "";

	/**
	 * True if calls are independent of the call on whose behalf they are made. By default
	 * such a call takes at most the remaining time of its parent call and is cancelled
	 * with it.
	 * @return true for independent calls
	 */
	boolean detached() default false;

	/**
	 * The class of a bean that implements the interface and returns the result when a
	 * call fails for infrastructure reasons, such as {@code UNAVAILABLE} or
	 * {@code DEADLINE_EXCEEDED}. Start-up fails if there is no such bean; the bean itself
	 * is created at the first such failure.
	 * @return the class of one bean; {@code void.class} for no fallback
	 * @see io.rpcboot.client.ReferenceOptions#withFallback
	 */
	Class<?> fallback() default void.class;

	/**
	 * Interceptors of this reference. They run inside of interceptors that apply to all
	 * references. For each class its bean is used, or a new instance if there is no bean.
	 * An interceptor that already applies to all references is not added again.
	 * @return the classes, outermost first
	 */
	Class<? extends RpcClientInterceptor>[] interceptors() default {};

	/**
	 * The name of this reference in properties, {@code rpc.client.references.<name>.*}.
	 * Properties override attributes. References without a name follow
	 * {@code rpc.client.services.<service>.*}.
	 * @return empty for no name
	 */
	String name() default "";

}
