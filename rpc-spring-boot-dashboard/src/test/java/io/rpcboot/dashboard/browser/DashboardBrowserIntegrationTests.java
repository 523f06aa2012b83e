package io.rpcboot.dashboard.browser;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The page as people meet it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardBrowserIntegrationTests {

	private static final String METHOD = "#/methods/client/com.acme.payment.PaymentService%40eu/save(com.acme.order.Order)";

	private static final Map<String, String> VIEWS = Map.ofEntries(Map.entry("#/overview", "Overview"),
			Map.entry("#/services", "Services"), Map.entry("#/services/com.acme.order.CartService", "CartService"),
			Map.entry("#/methods", "Methods"), Map.entry(METHOD, "save(Order)"),
			Map.entry("#/references", "References"),
			Map.entry("#/references/com.acme.stock.StockService", "StockService"),
			Map.entry("#/instances", "Instances"), Map.entry("#/instances/10.0.0.7%3A9090", "10.0.0.7:9090"),
			Map.entry("#/connections", "Connections"),
			Map.entry("#/connections/server/10.1.0.10%3A40000", "10.1.0.10:40000"), Map.entry("#/calls", "Calls"),
			Map.entry("#/settings", "Settings"), Map.entry("#/services/no.such.Service", "Not here"));

	private final Path screenshots = Path.of(System.getProperty("dashboard.screenshots", "target/screenshots"));

	private int port;

	private ConfigurableApplicationContext application;

	private Browser browser;

	@BeforeAll
	void start() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			this.port = free.getLocalPort();
		}
		this.application = FakeApplication.start(new FakeProcess(8, 24, true), this.port);
		this.browser = new Browser();
	}

	@BeforeEach
	void forget() {
		this.browser.show(1440, 900, "light");
		this.browser.errors();
		this.browser.hosts();
	}

	@AfterEach
	void nothingFromAnotherHost() {
		assertThat(this.browser.hosts()).isSubsetOf("localhost:" + this.port);
	}

	@AfterAll
	void stop() throws IOException {
		this.browser.close();
		this.application.close();
	}

	@Test
	void everyViewIsSoundInBothColoursOnEveryScreen() throws IOException {
		for (String colors : List.of("light", "dark")) {
			for (int width : new int[] { 1440, 390 }) {
				this.browser.show(width, 900, colors);
				for (Map.Entry<String, String> view : VIEWS.entrySet()) {
					this.browser.open(address(view.getKey()), view.getValue());
					String what = colors + " " + width + " " + view.getKey();
					assertThat(this.browser.barriers()).as(what).isEmpty();
					assertThat(this.browser.script("return document.documentElement.scrollWidth")).as(what)
						.isEqualTo((long) width);
				}
				this.browser.open(address("#/overview"), "Overview");
				this.browser.await(() -> !this.browser.driver().findElements(By.cssSelector(".plot canvas")).isEmpty());
				this.browser.screenshot(this.screenshots.resolve("dashboard-%s-%d.png".formatted(colors, width)));
			}
		}
		assertThat(this.browser.errors())
			.allMatch((error) -> error.contains("no.such.Service") && error.contains("404"));
	}

	@Test
	void figuresAreThoseOfTheEndpoint() {
		this.browser.open(address("#/overview"), "Overview");
		this.browser.await(() -> {
			var summary = JsonMapper.shared().readTree(read("/actuator/rpc"));
			List<String> expected = List.of(
					String.format(Locale.ENGLISH, "%,.0f", summary.at("/server/callsPerSecond").asDouble()),
					String.format(Locale.ENGLISH, "%.1f", summary.at("/server/errorsPerSecond").asDouble()), "1.42 ms",
					"9.31 ms");
			return this.browser.texts(".of-server .stat dd").equals(expected);
		});
		assertThat(this.browser.texts(".of-server .gauge-text")).containsExactly("171 of 200", "20.4 MB of 128 MB",
				"34 %");
		assertThat(this.browser.texts(".findings .severity")).containsExactly("Error", "Warning", "Note");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void policyStopsInlineScriptsMarkupAndOtherHosts() {
		this.browser.open(address("#/overview"), "Overview");
		this.browser.script("""
				window.stopped = [];
				addEventListener('securitypolicyviolation', (event) => stopped.push(event.effectiveDirective));
				fetch('http://127.0.0.1:9/').catch(() => undefined);
				try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); } catch { }
				const button = document.createElement('button');
				try { button.setAttribute('onclick', 'window.taken = true'); } catch { }
				button.click();
				return true;
				""");
		this.browser.await(() -> this.browser.script("return stopped").toString().contains("connect-src"));
		assertThat((List<?>) this.browser.script("return stopped")).asString()
			.contains("connect-src", "require-trusted-types-for");
		assertThat(this.browser.script("return window.taken === undefined")).isEqualTo(true);
		this.browser.errors();
	}

	@Test
	void namesOfPeersAreText() {
		this.browser.open(address("#/connections"), "Connections");
		assertThat(this.browser.texts("td")).contains(FakePeers.HOSTILE);
		assertThat(this.browser.driver().findElements(By.cssSelector("main img"))).isEmpty();
		assertThat(this.browser.driver().getTitle()).doesNotContain("taken");
	}

	@Test
	void mouseGoesDownAndTheAddressCanBeShared() {
		this.browser.open(address("#/overview"), "Overview");
		this.browser.driver().findElement(By.partialLinkText("CartService.find")).click();
		this.browser.awaitHeading("find(String)");
		String shared = this.browser.driver().getCurrentUrl();
		assertThat(shared).contains("#/methods/server/com.acme.order.CartService/find");
		this.browser.driver().findElement(By.linkText("CartService")).click();
		this.browser.awaitHeading("CartService");
		this.browser.driver().navigate().back();
		this.browser.awaitHeading("find(String)");
		this.browser.open(shared, "find(String)");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void keyboardAlone() {
		this.browser.open(address("#/overview"), "Overview");
		press(Keys.TAB, Keys.ENTER);
		assertThat(focused().getAttribute("id")).as("after the link that skips").isEqualTo("main");
		this.browser.open(address("#/overview"), "Overview");
		for (int tabs = 0; !focused().getText().equals("Methods"); tabs++) {
			assertThat(tabs).isLessThan(8);
			press(Keys.TAB);
		}
		press(Keys.ENTER);
		this.browser.awaitHeading("Methods");
		this.browser.await(() -> focused().getTagName().equals("h1"));
		press(Keys.TAB);
		press("payment save");
		this.browser.await(() -> this.browser.texts("tbody tr").size() == 1);
		assertThat(focused().getTagName()).as("the filter keeps the focus").isEqualTo("input");
		for (int tabs = 0; !focused().getText().equals("p99 ms"); tabs++) {
			assertThat(tabs).isLessThan(12);
			press(Keys.TAB);
		}
		press(Keys.ENTER);
		this.browser.await(() -> this.browser.find("th[aria-sort]").getText().equals("p99 ms"));
		assertThat(this.browser.find("th[aria-sort]").getAttribute("aria-sort")).isEqualTo("descending");
		press(Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER);
		this.browser.awaitHeading("save(Order)");
	}

	@Test
	void switchOfColoursIsRemembered() {
		this.browser.open(address("#/calls"), "Calls");
		assertThat(theme()).isEqualTo("light");
		this.browser.find(".theme").click();
		assertThat(theme()).isEqualTo("dark");
		this.browser.open(address("#/calls"), "Calls");
		assertThat(theme()).isEqualTo("dark");
		this.browser.find(".theme").click();
		assertThat(theme()).isEqualTo("light");
		this.browser.show(1440, 900, "dark");
		this.browser.await(() -> theme().equals("dark"));
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void saysThatTheApplicationIsGoneAndComesBackByItself() {
		this.browser.open(address("#/overview"), "Overview");
		this.application.close();
		this.browser.await(() -> this.browser.find("#banner").getText().startsWith("The application does not answer."));
		assertThat(this.browser.find(".age").getText()).startsWith("Stopped at");
		assertThat(this.browser.texts(".stat dd")).as("the last numbers").isNotEmpty();
		this.browser.driver().findElement(By.linkText("Services")).click();
		this.browser.awaitHeading("No answer");
		this.application = FakeApplication.start(new FakeProcess(8, 24, true), this.port);
		this.browser.awaitHeading("Services");
		assertThat(this.browser.find("#banner").getText()).isEqualTo("The application answers again.");
		this.browser.await(() -> !this.browser.find("#banner").isDisplayed());
		assertThat(this.browser.find(".age").getText()).startsWith("Live");
		assertThat(this.browser.errors()).allMatch((error) -> error.contains("ERR_CONNECTION_REFUSED"));
	}

	@Test
	void fiveHundredServicesAndTwoThousandConnections() {
		this.browser.driver().get("about:blank");
		this.application.close();
		this.application = FakeApplication.start(new FakeProcess(500, 2000, false), this.port);
		try {
			for (Map.Entry<String, String> view : Map
				.of("#/services", "Services", "#/methods", "Methods", "#/references", "References", "#/connections",
						"Connections")
				.entrySet()) {
				this.browser.open(address(view.getKey()), view.getValue());
				assertThat(this.browser.texts("table").size() * 50)
					.isGreaterThanOrEqualTo(this.browser.texts("tbody tr").size());
			}
			this.browser.open(address("#/connections"), "Connections");
			assertThat(this.browser.texts(".note")).containsExactly("1,500 more are open; these are the busiest.");
			this.browser.open(address("#/services"), "Services");
			this.browser.find(".more").click();
			this.browser.await(() -> this.browser.texts("tbody tr").size() == 150);
			this.browser.find("input").sendKeys("Part499");
			this.browser.await(() -> this.browser.texts("tbody tr").size() == 1);
			this.browser.open(address("#/overview"), "Overview");
			double seconds = this.browser.processorSeconds(Duration.ofSeconds(30));
			System.out.printf("The page at 500 services took %.2f %% of a core%n", seconds / 30 * 100);
			assertThat(seconds).as("of 30").isLessThan(0.3);
			assertThat(this.browser.errors()).isEmpty();
		}
		finally {
			this.browser.driver().get("about:blank");
			this.application.close();
			this.application = FakeApplication.start(new FakeProcess(8, 24, true), this.port);
		}
	}

	private String theme() {
		return this.browser.script("return document.documentElement.dataset.theme").toString();
	}

	private void press(CharSequence... keys) {
		for (CharSequence key : keys) {
			new Actions(this.browser.driver()).sendKeys(key).perform();
		}
	}

	private WebElement focused() {
		return this.browser.driver().switchTo().activeElement();
	}

	private String address(String fragment) {
		return "http://localhost:" + this.port + "/actuator/rpcdashboard" + fragment;
	}

	private String read(String path) {
		try (var in = URI.create("http://localhost:" + this.port + path).toURL().openStream()) {
			return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
	}

}
