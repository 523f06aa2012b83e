package io.rpcboot.spring.autoconfigure.registry;

import io.rpcboot.spring.autoconfigure.properties.OnSwitchCondition;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Type;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Condition of {@link ConditionalOnRegistryType}. If {@code rpc.registry.type} is not
 * set: ZooKeeper if there is an address of it, else the in-memory registry.
 */
final class OnRegistryTypeCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnRegistryType.class);
		Type wanted = metadata.getAnnotations().get(ConditionalOnRegistryType.class).getEnum("value", Type.class);
		Type type = Binder.get(context.getEnvironment()).bind("rpc.registry.type", Type.class).orElse(null);
		if (type != null) {
			return new ConditionOutcome(type == wanted, message.because("rpc.registry.type is " + type));
		}
		String place = place(context.getEnvironment(), context.getBeanFactory());
		return new ConditionOutcome(wanted == ((place != null) ? Type.ZOOKEEPER : Type.IN_MEMORY),
				(place != null) ? message.found("address of ZooKeeper").items(place)
						: message.didNotFind("address of ZooKeeper").atAll());
	}

	private static @Nullable String place(Environment environment,
			@Nullable ConfigurableListableBeanFactory beanFactory) {
		if (StringUtils.hasText(environment.getProperty("rpc.registry.zookeeper.connect-string"))) {
			return "rpc.registry.zookeeper.connect-string";
		}
		if (Boolean.TRUE.equals(OnSwitchCondition.read(environment, "rpc.registry.zookeeper.embedded.enabled"))) {
			return "rpc.registry.zookeeper.embedded.enabled";
		}
		boolean details = beanFactory != null
				&& beanFactory.getBeanNamesForType(RpcRegistryConnectionDetails.class, true, false).length > 0;
		return details ? RpcRegistryConnectionDetails.class.getSimpleName() : null;
	}

}
