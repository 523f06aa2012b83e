package io.rpcboot.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Value;

/**
 * Injects the port of the server of the test's context, an {@code int}. The port is free
 * unless the test sets {@code rpc.server.port}. Example: <pre class="code">
 * &#064;LocalRpcPort
 * private int port;
 * </pre>
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Value("${local.rpc.port}")
public @interface LocalRpcPort {

}
