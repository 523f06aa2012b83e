package io.rpcboot.dashboard.browser;

import java.util.List;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of a real application that keeps no history. */
class HistoryOffBrowserIntegrationTests {

	private static final String HISTORY_OFF = "The history is off: rpc.history.enabled turns it on.";

	@Test
	void views_explainMissingMethodsAndCalls_whenHistoryIsDisabled() throws Exception {
		try (ConfigurableApplicationContext application = start(); Browser browser = new Browser()) {
			application.getBean(Caller.class).echo.echo("called");
			Actuator actuator = new Actuator(
					application.getEnvironment().getRequiredProperty("local.server.port", int.class));
			browser.show(1440, 900, "light");
			String echo = Echo.class.getName();
			String heading = echo.substring(echo.lastIndexOf('.') + 1);
			browser.open(actuator.page("services"), "Services");
			assertThat(browser.texts("tbody tr")).as("services are counted without it").hasSize(1);
			assertHistoryOff(browser, 1, actuator.page("methods"), "Methods");
			assertHistoryOff(browser, 1, actuator.page("services", echo), heading);
			assertHistoryOff(browser, 1, actuator.page("references", echo), heading);
			assertHistoryOff(browser, 2, actuator.page("calls"), "Calls");
			assertHistoryOff(browser, 4, actuator.page("overview"), "Overview");
			assertThat(browser.errors()).isEmpty();
		}
	}

	private static void assertHistoryOff(Browser browser, int times, String address, String heading) {
		browser.open(address, heading);
		List<String> texts = browser.texts(".empty");
		assertThat(texts).as(heading).hasSize(times).containsOnly(HISTORY_OFF);
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Configuration.class)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn", "rpc.history.enabled=false",
					"rpc.server.bind-address=127.0.0.1", "rpc.server.port=0", "server.address=127.0.0.1",
					"server.port=0", "server.shutdown=immediate",
					"management.endpoints.web.exposure.include=rpc,rpcdashboard", FakeApplication.WITHOUT_SECURITY)
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Speaker.class, Caller.class })
	static class Configuration {

	}

	public interface Echo {

		String echo(String text);

	}

	@RpcService
	static class Speaker implements Echo {

		@Override
		public String echo(String text) {
			return text;
		}

	}

	static class Caller {

		@RpcReference
		Echo echo;

	}

}
