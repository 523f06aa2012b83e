package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that calls itself ends without a warning. */
class OrderlyEndIntegrationTests {

	private static final int STARTS = Boolean.getBoolean("rpc.test.long") ? 10 : 2;

	@TempDir
	private Path files;

	private final Queue<String> warnings = new ConcurrentLinkedQueue<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
				OrderlyEndIntegrationTests.this.warnings
					.add(event.getLoggerName() + ": " + event.getFormattedMessage());
			}
		}

	};

	/** Called once an application has begun, because that resets the log. */
	private void listen() {
		this.appender.start();
		((Logger) LoggerFactory.getLogger("rpc")).addAppender(this.appender);
	}

	@AfterEach
	void stop() {
		((Logger) LoggerFactory.getLogger("rpc")).detachAppender(this.appender);
	}

	@ParameterizedTest
	@CsvSource({ "native, none", "native, want", "native, need", "grpc, none", "grpc, want", "grpc, need" })
	void applicationThatCallsItself_endsWithoutWarning(String protocol, String clientAuth) {
		try (ConfigurableApplicationContext context = start(protocol, clientAuth, "2s")) {
			assertThat(context.getBean(Caller.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
		}
		assertThat(this.warnings).isEmpty();
	}

	/** Its connections to itself are being opened: its client may miss their server. */
	@ParameterizedTest
	@CsvSource({ "native, none", "native, want", "grpc, none", "grpc, need" })
	void applicationThatHasJustStarted_endsWithoutWarningOfServer(String protocol, String clientAuth) {
		for (int i = 0; i < STARTS; i++) {
			start(protocol, clientAuth, "0").close();
		}
		assertThat(this.warnings).noneMatch((each) -> each.startsWith("rpc.server"));
	}

	private ConfigurableApplicationContext start(String protocol, String clientAuth, String warmUp) {
		Map<String, Object> properties = new HashMap<>(Map.of("rpc.client.enabled", true, "rpc.client.protocol",
				protocol, "rpc.client.warm-up", warmUp, "rpc.server.shutdown.grace-period", "30s"));
		if (clientAuth.equals("none")) {
			ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE, properties,
					GreeterService.class, Caller.class);
			listen();
			return context;
		}
		properties.putAll(Map.of("rpc.server.ssl.client-auth", clientAuth, "rpc.client.ssl.bundle", "own"));
		SecuredApplication application = new SecuredApplication(this.files, properties, GreeterService.class,
				Caller.class);
		listen();
		return application.context;
	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

}
