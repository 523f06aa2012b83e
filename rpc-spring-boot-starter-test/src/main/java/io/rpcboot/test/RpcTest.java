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
 * Test slice for services. It contains beans with {@link io.rpcboot.spring.RpcService},
 * what applies to calls (components with {@link io.rpcboot.spring.RpcAdvice},
 * interceptors, serializers, connection listeners, customizers), client and server, in
 * one process and without sockets. It contains no web server, no data access and no other
 * components. Example: <pre class="code">
 * &#064;RpcTest
 * class StockServiceTests {
 *
 * 	&#064;RpcReference
 * 	private StockService stock;
 *
 * 	&#064;Test
 * 	void count_isZero_forUnknownArticle() {
 * 		assertThat(this.stock.count("unknown")).isZero();
 * 	}
 *
 * }
 * </pre>
 *
 * @since 0.1.0
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
	 * Further components of the application that the test needs, such as one with
	 * references, or a fallback. {@code value} and {@code components} are aliases.
	 * @return classes that component scanning finds; empty for none
	 */
	@AliasFor("components")
	Class<?>[] value() default {};

	/**
	 * Further components of the application that the test needs, such as one with
	 * references, or a fallback. {@code value} and {@code components} are aliases.
	 * @return classes that component scanning finds; empty for none
	 */
	@AliasFor("value")
	Class<?>[] components() default {};

	/**
	 * Properties of the test, which override those of the application.
	 * @return {@code name=value}; empty for none
	 */
	String[] properties() default {};

	/**
	 * True to include services and what applies to calls.
	 * @return false to include only what the filters include
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Further components to include.
	 * @return filters of component scanning; empty for none
	 */
	Filter[] includeFilters() default {};

	/**
	 * Components to exclude.
	 * @return filters of component scanning; empty for none
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configuration to exclude.
	 * @return classes of auto-configuration; empty for none
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
