package io.rpcboot.spring.autoconfigure.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rpcboot.context.CallOptions;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the properties of the call log, and that calls have no recorder without them.
 */
class CallLogPropertiesIntegrationTests {

	private static final String LOGGER = "rpc.server.access";

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

	@RpcService
	static class Tells implements Greeter {

		@Override
		public String greet(String name) {
			return name + " of " + MDC.get("tenant");
		}

	}

	private static List<String> linesOf(Map<String, Object> properties, String greeting) throws Exception {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("logging.level." + LOGGER, "info");
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE, all, Tells.class,
				Caller.class)) {
			ListAppender<ILoggingEvent> appender = new ListAppender<>();
			appender.start();
			Logger logger = (Logger) LoggerFactory.getLogger(LOGGER);
			logger.addAppender(appender);
			try {
				Greeter greeter = context.getBean(Caller.class).greeter;
				String greeted = CallOptions.with("tenant", "acme").call(() -> greeter.greet("Doug"));
				assertThat(greeted).isEqualTo(greeting);
				if (properties.containsKey("rpc.server.access-log.enabled")) {
					await().until(() -> !appender.list.isEmpty());
				}
				return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
			}
			finally {
				logger.detachAppender(appender);
			}
		}
	}

	@Test
	void accessLog_isEmpty_byDefault() throws Exception {
		assertThat(linesOf(Map.of(), "Doug of null")).isEmpty();
	}

	@Test
	@PropertyEffect({ "rpc.server.access-log.enabled", "rpc.server.log-attachments" })
	void accessLogAndAttachments_areLogged_whenEnabled() throws Exception {
		assertThat(linesOf(Map.of("rpc.server.access-log.enabled", true, "rpc.server.log-attachments[0]", "tenant"),
				"Doug of acme"))
			.singleElement()
			.asString()
			.startsWith("peer=")
			.contains(" service=io.rpcboot.spring.Greeter method=greet(java.lang.String) status=OK ");
	}

}
