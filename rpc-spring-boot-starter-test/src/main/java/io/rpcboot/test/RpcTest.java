package io.rpcboot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Starts only what calls need: the beans of the application that carry
 * {@link io.rpcboot.spring.RpcService}, what stands around calls (components with
 * {@link io.rpcboot.spring.RpcAdvice}, interceptors, serializers, listeners of
 * connections, customizers), client and server, in one process and without a socket. No
 * web server, no data, no other component of the application. The test class calls the
 * services by a field with {@link io.rpcboot.spring.RpcReference}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(RpcTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(RpcTypeExcludeFilter.class)
@ImportAutoConfiguration
@AutoConfigureRpcInProcess
public @interface RpcTest {

	/**
	 * Components of the application that the test needs beside the services, such as one
	 * that has references, or a fallback. The same as {@link #components()}.
	 * @return classes that the component scan finds; empty for none
	 */
	@AliasFor("components")
	Class<?>[] value() default {};

	/**
	 * Components of the application that the test needs beside the services, such as one
	 * that has references, or a fallback.
	 * @return classes that the component scan finds; empty for none
	 */
	@AliasFor("value")
	Class<?>[] components() default {};

	/**
	 * Properties of the test, which win over those of the application.
	 * @return {@code name=value}; empty for none
	 */
	String[] properties() default {};

	/**
	 * Whether the services of the application are there, and what stands around calls.
	 * @return false for none but those that the filters include
	 */
	boolean useDefaultFilters() default true;

	/**
	 * What else of the application is there.
	 * @return filters of the component scan; empty for none
	 */
	Filter[] includeFilters() default {};

	/**
	 * What of the application is not there.
	 * @return filters of the component scan; empty for none
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configuration that does not take part.
	 * @return classes of auto-configuration; empty for none
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
