package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rpcboot.interceptor.RpcServerInterceptor;

import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * Offers a bean to remote callers: <pre class="code">
 * &#064;RpcService(version = "2")
 * class UserServiceImpl implements UserService {
 * }
 * </pre> On a class it is a stereotype, which component scanning finds. It is also
 * allowed on a {@code @Bean} method. It must not be on an interface, because references
 * and fallbacks implement that, too. Calls reach the bean through its interface, so
 * proxies and lazy, scoped and prototype beans work. Many threads call the bean at the
 * same time. Version and group may have placeholders and SpEL expressions.
 *
 * @since 0.1.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface RpcService {

	/**
	 * The name of the bean.
	 * @return empty for the name that Spring derives
	 */
	@AliasFor(annotation = Component.class, attribute = "value")
	String value() default "";

	/**
	 * The interfaces to offer. Each must be public and becomes a service.
	 * @return empty for the only interface that the class implements, not counting those
	 * of Java and Spring
	 */
	Class<?>[] interfaces() default {};

	/**
	 * The version of the service. Only references to the same version find it.
	 * @return letters, digits, '_', '.' or '-'; empty for none
	 */
	String version() default "";

	/**
	 * The group of the service. Only references to the same group find it.
	 * @return letters, digits, '_', '.' or '-'; empty for none
	 */
	String group() default "";

	/**
	 * Interceptors of these services. They run inside of interceptors that apply to all
	 * services. For each class its bean is used, or a new instance if there is no bean.
	 * An interceptor that already applies to all services is not added again. The
	 * property {@code rpc.server.services.<name>.interceptors} overrides this attribute.
	 * @return the classes, outermost first among those of one position
	 */
	Class<? extends RpcServerInterceptor>[] interceptors() default {};

}
