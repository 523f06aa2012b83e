package io.rpcboot.dashboard;

import io.rpcboot.spring.autoconfigure.properties.OnSwitchCondition;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition of the dashboard: {@code rpc.dashboard.enabled}; if it is not set, true
 * unless a profile for production is active.
 */
final class OnDashboardCondition extends SpringBootCondition {

	static final String PROPERTY = "rpc.dashboard.enabled";

	private static final Profiles PRODUCTION = Profiles.of("prod", "production");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Environment environment = context.getEnvironment();
		ConditionMessage.Builder message = ConditionMessage.forCondition("RPC dashboard");
		Boolean enabled = OnSwitchCondition.read(environment, PROPERTY);
		if (enabled != null) {
			return new ConditionOutcome(enabled, message.because(PROPERTY + "=" + enabled));
		}
		boolean production = environment.acceptsProfiles(PRODUCTION);
		return new ConditionOutcome(!production, message
			.because(production ? "a profile for production is active" : "no profile for production is active"));
	}

}
