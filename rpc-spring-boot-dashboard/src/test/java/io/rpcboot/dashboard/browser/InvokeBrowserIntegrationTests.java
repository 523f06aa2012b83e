package io.rpcboot.dashboard.browser;

import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcService;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** The form that calls a method. */
class InvokeBrowserIntegrationTests {

	private static final String DESK = Desk.class.getName();

	private static final String NOTE = "note(java.lang.String,int)";

	@Test
	void form_callsMethod_andShowsItsAnswer() throws Exception {
		try (ConfigurableApplicationContext application = start("unrestricted"); Browser browser = new Browser()) {
			Actuator actuator = actuator(application);
			browser.show(1440, 900, "light");
			browser.open(actuator.page("services", DESK), DESK.substring(DESK.lastIndexOf('.') + 1));
			browser.click(By.cssSelector("a[aria-label='Call note(String,int)']"));
			browser.awaitHeading("note(String,int)");
			WebElement arguments = browser.find("[name=arguments]");
			assertThat(arguments.getDomProperty("value")).isEqualTo("{\n  \"text\": \"\",\n  \"times\": 0\n}");
			arguments.clear();
			arguments.sendKeys("{\"text\": \"<b>tea</b>\", \"times\": 2}");
			browser.find("[name=metadata]").sendKeys("tenant: acme");
			browser.find("[name=credentials]").sendKeys("Bearer secret");
			browser.click(By.cssSelector("form button"));
			browser.await(() -> browser.texts("pre").size() == 1);
			assertThat(browser.find("pre").getText()).contains("2 <b>tea</b> of acme by Bearer secret");
			assertThat(browser.find("[role=status] .badge").getText()).isEqualTo("ok");
			assertThat(browser.barriers()).isEmpty();
			arguments.clear();
			arguments.sendKeys("{\"text\": 1}");
			browser.click(By.cssSelector("form button"));
			browser.await(() -> browser.texts("[role=status] .badge").contains("invalid argument"));
			assertThat(browser.find("pre").getText()).contains("text: an integer");
			assertThat(browser.errors()).allMatch((error) -> error.contains("400"));
			assertThat(browser.script("return JSON.stringify({...localStorage, ...sessionStorage})").toString())
				.doesNotContain("secret");
		}
	}

	@Test
	void form_saysWhyItIsOff_withoutWriteAccess() throws Exception {
		try (ConfigurableApplicationContext application = start("read-only"); Browser browser = new Browser()) {
			browser.show(1440, 900, "light");
			browser.open(actuator(application).page("services", DESK, NOTE), "note(String,int)");
			assertThat(browser.texts(".note")).anyMatch((text) -> text.contains("management.endpoint.rpc.access"));
			assertThat(browser.find("form button").isEnabled()).isFalse();
			assertThat(browser.find("[name=credentials]").isEnabled()).isFalse();
			assertThat(browser.errors()).isEmpty();
		}
	}

	private static Actuator actuator(ConfigurableApplicationContext application) {
		return new Actuator(application.getEnvironment().getRequiredProperty("local.server.port", int.class));
	}

	private static ConfigurableApplicationContext start(String access) {
		return new SpringApplicationBuilder(Configuration.class)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn", "rpc.server.bind-address=127.0.0.1",
					"rpc.server.port=0", "server.address=127.0.0.1", "server.port=0", "server.shutdown=immediate",
					"management.endpoint.rpc.access=" + access,
					"management.endpoints.web.exposure.include=rpc,rpcdashboard", FakeApplication.WITHOUT_SECURITY)
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(DeskService.class)
	static class Configuration {

	}

	public interface Desk {

		String note(String text, int times);

	}

	@RpcService
	static class DeskService implements Desk {

		@Override
		public String note(String text, int times) {
			RpcContext context = RpcContext.current();
			assertThat(context).isNotNull();
			return "%d %s of %s by %s".formatted(times, text, context.attachments().get("tenant"),
					context.attachments().get("authorization"));
		}

	}

}
