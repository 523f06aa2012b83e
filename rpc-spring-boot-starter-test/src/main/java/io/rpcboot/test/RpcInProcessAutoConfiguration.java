package io.rpcboot.test;

import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.transport.EventLoopOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of client and server without sockets, an in-memory registry, faults,
 * and the caller of calls.
 */
@AutoConfiguration(before = { RpcRegistryAutoConfiguration.class, RpcClientAutoConfiguration.class,
		RpcServerAutoConfiguration.class })
final class RpcInProcessAutoConfiguration {

	private static final EventLoopOptions EVENT_LOOP = EventLoopOptions.defaults()
		.withTransport(EventLoopOptions.Transport.IN_PROCESS)
		.withThreads(1);

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	RpcClientBuilderCustomizer rpcInProcessClient(RpcCaller caller) {
		return (builder) -> builder.eventLoop(EVENT_LOOP).interceptor(caller.interceptor());
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	RpcServerBuilderCustomizer rpcInProcessServer(RpcCaller caller) {
		return (builder) -> builder.eventLoop(EVENT_LOOP).access(caller.identifiedBy(builder.access()));
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	RpcServiceCustomizer rpcInProcessServices(ActiveFaults active) {
		return (service, options) -> new FaultInterceptor(service.type(), active).innermost(options);
	}

	@Bean
	@ConditionalOnMissingBean(Registry.class)
	FaultyRegistry rpcInProcessRegistry() {
		return new FaultyRegistry();
	}

	@Bean
	RpcFaults rpcFaults(ConfigurableListableBeanFactory beanFactory, ActiveFaults active,
			ObjectProvider<RpcServer> servers, ObjectProvider<FaultyRegistry> registries) {
		return new RpcFaults(beanFactory, active, servers, registries);
	}

	@Bean
	RpcCaller rpcCaller() {
		return new RpcCaller();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ActiveFaults rpcActiveFaults() {
		return new ActiveFaults();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FaultPostProcessor rpcFaultPostProcessor(ActiveFaults active) {
		return new FaultPostProcessor(active);
	}

}
