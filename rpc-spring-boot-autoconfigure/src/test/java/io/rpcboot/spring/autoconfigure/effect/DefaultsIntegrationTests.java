package io.rpcboot.spring.autoconfigure.effect;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.effect.Fleet.Callers;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Clocks, timers and random numbers that other tests replace, in an application. */
@Timeout(60)
class DefaultsIntegrationTests {

	@Test
	void restartedServer_isFoundAgain() throws IOException {
		RpcServer first = EffectApplication.server();
		try (Relay relay = new Relay(first.port());
				EffectApplication application = EffectApplication.calling(Map.of(), relay.port())) {
			assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			first.close();
			Applications.eventually(() -> !application.instances().equals(List.of("READY ")));
			try (RpcServer second = EffectApplication.server()) {
				relay.target(second.port());
				Applications.eventually(() -> application.instances().equals(List.of("READY ")));
				assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			}
		}
		finally {
			first.close();
		}
	}

	@Test
	void sickInstance_isEjectedAndReturns() {
		AtomicBoolean sick = new AtomicBoolean(true);
		try (Fleet fleet = new Fleet().with(() -> {
			if (sick.get()) {
				throw new IllegalStateException("sick");
			}
			return "well";
		}).withHealthy(2)) {
			Callers callers = fleet.start(Map.of());
			callers.callUntilEjected();
			sick.set(false);
			Applications.eventually(() -> {
				Callers.call(callers.depot);
				return callers.ejected(false).isEmpty();
			});
		}
	}

	@Test
	void historyHasCalls_afterSomeSeconds() {
		try (EffectApplication application = EffectApplication.run(Map.of())) {
			application.desk.sign("Doug");
			RpcHistory history = application.context.getBean(RpcHistory.class);
			Applications.eventually(() -> !history.methods().isEmpty());
			assertThat(history.methods()).extracting(MethodStats::method).contains("sign(java.lang.String)");
		}
	}

}
