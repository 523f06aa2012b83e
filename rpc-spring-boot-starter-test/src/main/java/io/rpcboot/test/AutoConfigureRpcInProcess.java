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
 * Lets the calls of a test stay inside the process: the same codec, queues and deadlines,
 * but no socket and no port, and a registry of the test's own instead of ZooKeeper.
 * Brings {@link RpcFaults}. For {@code @SpringBootTest}; {@link RpcTest} has it already.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@ExtendWith(RpcFaultsExtension.class)
public @interface AutoConfigureRpcInProcess {

}
