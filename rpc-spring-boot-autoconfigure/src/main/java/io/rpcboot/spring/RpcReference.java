package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rpcboot.interceptor.RpcClientInterceptor;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Injects a remote service where its interface is wanted: on a field, a setter, a
 * parameter of a constructor or of a {@code @Bean} method, a record component; as the
 * interface itself, as {@code Optional} or {@code ObjectProvider} of it, or lazily. No
 * {@code @Autowired} is needed. The proxy is thread-safe; equal references share one.
 * <p>
 * A local bean of the same interface is never injected here, and the reference is never
 * injected where this annotation is missing.
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
	 * Time allowed for a call, written as in properties: {@code 500ms}, {@code 2s},
	 * {@code PT2S}.
	 * @return a positive duration; empty for the timeout of the client
	 */
	String timeout() default "";

	/**
	 * How long a call waits for an instance while nothing is known of any yet, or after
	 * the last one was lost: written as {@link #timeout()}. Where every known instance
	 * was tried and refused, calls fail at once whatever the value.
	 * @return a duration, {@code 0s} to never wait; empty for the choice of the client
	 */
	String waitForInstance() default "";

	/**
	 * Whether calls go on whatever becomes of a call for which they are made. Otherwise
	 * they have at most the time that it has left, and end when it ends early.
	 * @return true to go on
	 */
	boolean detached() default false;

	/**
	 * What answers in place of the service when a call fails without a verdict of the
	 * application: a bean of this type, which implements the interface. It is looked up
	 * at the first such failure, and whether there is one at the start.
	 * @return the class of one bean; void for none
	 * @see io.rpcboot.client.ReferenceOptions#withFallback
	 */
	Class<?> fallback() default void.class;

	/**
	 * What stands around the calls of this reference, inside of the interceptors of all
	 * references: the bean of each class, or one that is made for it where there is none.
	 * One that stands around all references stays where it is there.
	 * @return the first is the outermost
	 */
	Class<? extends RpcClientInterceptor>[] interceptors() default {};

	/**
	 * The name of this reference in properties, {@code rpc.client.references.<name>.*}. A
	 * property overrides the attribute. References without a name have those of their
	 * service, {@code rpc.client.services.<service>.*}.
	 * @return empty for none
	 */
	String name() default "";

}
