package io.rpcboot.spring.autoconfigure.properties;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition of {@link ConditionalOnSwitch}.
 *
 * @since 0.1.0
 */
public final class OnSwitchCondition extends SpringBootCondition {

	/**
	 * Returns a boolean property.
	 * @param environment the environment
	 * @param property its name
	 * @return null if it is not set
	 * @throws io.rpcboot.RpcConfigurationException if it is neither true nor false
	 */
	public static @Nullable Boolean read(Environment environment, String property) {
		try {
			return environment.getProperty(property, Boolean.class);
		}
		catch (ConversionException ex) {
			throw new InvalidPropertyException(property, String.valueOf(environment.getProperty(property)),
					"true or false");
		}
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnSwitch> annotation = metadata.getAnnotations().get(ConditionalOnSwitch.class);
		String property = annotation.getString("value");
		Boolean set = read(context.getEnvironment(), property);
		boolean on = (set != null) ? set : annotation.getBoolean("byDefault");
		return new ConditionOutcome(on == annotation.getBoolean("is"),
				ConditionMessage.forCondition(ConditionalOnSwitch.class).because(property + " is " + on));
	}

}
