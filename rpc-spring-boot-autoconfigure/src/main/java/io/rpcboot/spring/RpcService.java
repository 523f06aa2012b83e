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
 * Offers the bean to remote callers. On a class it is a stereotype: the component scan
 * finds it. It may also stand on a {@code @Bean} method. It must not stand on an
 * interface, which references and fallbacks implement, too. Calls reach the bean through
 * its interface, so proxies, lazy, scoped and prototype beans work. Calls come from many
 * threads at once.
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
	 * The interfaces to offer, each a service of its own. They are public.
	 * @return empty for the only interface that the class implements, those of Java and
	 * Spring left aside
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
	 * What stands around the calls of these services, inside of the interceptors of all
	 * services: the bean of each class, or one that is made for it where there is none.
	 * One that stands around all services stays where it is there. The property
	 * {@code rpc.server.services.<name>.interceptors} overrides it.
	 * @return the first is the outermost of its position
	 */
	Class<? extends RpcServerInterceptor>[] interceptors() default {};

}
