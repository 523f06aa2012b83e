package io.rpcboot.spring.autoconfigure.server;

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
 * Whether a bean of this context carries {@link RpcService}. {@code ConditionalOnBean}
 * passes over beans that nothing is to be injected with, such as those behind a scoped
 * proxy, and these are offered, too.
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
		return new ConditionOutcome(found, found ? message.foundExactly("bean with @RpcService")
				: message.didNotFind("bean").items("@RpcService"));
	}

}
