package io.rpcboot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Keeps the calls of a test in the process: with serialization, queues and deadlines, but
 * without sockets and ports, and with a registry of the test instead of ZooKeeper. Adds
 * {@link RpcFaults} and {@link RpcCaller}. {@link RpcTest} includes it. Example:
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;AutoConfigureRpcInProcess
 * class ShopTests {
 *
 * 	&#064;RpcReference
 * 	private StockService stock;
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
@ImportAutoConfiguration
@ExtendWith(RpcInProcessExtension.class)
public @interface AutoConfigureRpcInProcess {

}
