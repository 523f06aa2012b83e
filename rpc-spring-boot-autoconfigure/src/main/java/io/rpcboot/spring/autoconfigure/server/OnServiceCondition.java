package io.rpcboot.spring.autoconfigure.server;

import io.rpcboot.spring.RpcGrpcServices;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.service.RpcServiceExporter;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that a bean of this context has {@link RpcService} or is a
 * {@link RpcGrpcServices}. Unlike {@code ConditionalOnBean} it finds beans that are no
 * candidates for injection, such as the target of a scoped proxy.
 */
final class OnServiceCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("RPC service");
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		boolean found = beanFactory != null && new RpcServiceExporter(beanFactory).hasServices();
		return new ConditionOutcome(found, found ? message.foundExactly("bean with @RpcService or RpcGrpcServices")
				: message.didNotFind("bean").items("@RpcService", "RpcGrpcServices"));
	}

}
