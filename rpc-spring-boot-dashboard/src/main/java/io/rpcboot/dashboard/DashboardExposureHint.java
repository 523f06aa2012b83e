package io.rpcboot.dashboard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Logs at start-up how to expose the dashboard, if it is on the class path but not
 * exposed.
 */
final class DashboardExposureHint implements ApplicationListener<ApplicationReadyEvent> {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final String EXPOSURE = "management.endpoints.web.exposure.include";

	private final Environment environment;

	DashboardExposureHint(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		Set<String> exposed = new LinkedHashSet<>(
				Binder.get(this.environment).bind(EXPOSURE, Bindable.setOf(String.class)).orElse(Set.of("health")));
		if (exposed.contains("*") || !exposed.addAll(List.of("rpc", "rpcdashboard"))) {
			return; // excluded, or access is denied: intended
		}
		logger.info(
				"The RPC dashboard is on the class path, but Actuator does not expose it: set {}={} to see it, or {}=false to silence this line",
				EXPOSURE, String.join(",", exposed), OnDashboardCondition.PROPERTY);
	}

}
