package io.rpcboot.dashboard.browser;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of an invented application, which has much of all, and rare states. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardBrowserIntegrationTests {

	/** Those that look other than in a real application with little trouble. */
	private static final Map<String, String> VIEWS = Map.of("#/overview", "Overview", "#/methods", "Methods",
			"#/references", "References", "#/instances", "Instances", "#/connections", "Connections", "#/streams",
			"Streams", "#/calls", "Calls", "#/services/no.such.Service", "Not here");

	private int port;

	private ConfigurableApplicationContext application;

	private Browser browser;

	@BeforeAll
	void start() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			this.port = free.getLocalPort();
		}
		this.application = FakeApplication.start(new FakeProcess(8, 24), this.port);
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
	void views_areAccessibleAndFitEveryScreen_withRareStates() {
		for (Screen screen : Screen.values()) {
			screen.show(this.browser);
			VIEWS.forEach((fragment, heading) -> {
				this.browser.open(address(fragment), heading);
				screen.assertSound(this.browser, screen + " " + fragment);
			});
		}
		assertThat(this.browser.errors())
			.allMatch((error) -> error.contains("no.such.Service") && error.contains("404"));
	}

	@Test
	void views_fitSmallestPhone() {
		this.browser.show(320, 640, "light");
		VIEWS.forEach((fragment, heading) -> {
			this.browser.open(address(fragment), heading);
			assertThat(this.browser.script("return document.documentElement.scrollWidth")).as(fragment).isEqualTo(320L);
		});
		this.browser.errors();
	}

	@Test
	void rareStates_areHighlighted() {
		this.browser.open(address("#/overview"), "Overview");
		assertThat(this.browser.texts(".of-server .gauge-text")).containsExactly("171 of 200", "20.4 MB of 128 MB",
				"34 %");
		assertThat(this.browser.texts(".gauge.warn .gauge-name")).containsExactly("Threads busy");
		assertThat(this.browser.texts(".findings .severity")).containsExactly("Error", "Warning", "Note");
		this.browser.open(address("#/instances"), "Instances");
		assertThat(this.browser.texts("tbody .badge")).startsWith("incompatible", "backing off", "ejected", "draining",
				"connecting", "ready");
		assertThat(this.browser.texts("tbody .badge.bad")).containsExactly("incompatible", "backing off", "ejected");
		assertThat(this.browser.texts("tbody .badge.warn")).containsExactly("draining", "connecting");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void unknownAddress_isSaid() {
		this.browser.open(address("#/nonsense"), "Not here");
		assertThat(this.browser.find("main").getText()).contains("This page has no nonsense.");
		this.browser.click(By.linkText("Overview"));
		this.browser.awaitHeading("Overview");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void figures_nameTheirWindows() {
		this.browser.open(address("#/overview"), "Overview");
		assertThat(this.browser.texts(".of-server .stat dt")).containsExactly("Calls/s, last minute",
				"Errors/s, last minute", "p50, newest 5 s", "p99, newest 5 s");
		this.browser.open(address("#/services"), "Services");
		assertThat(this.browser.texts("thead th")).contains("Worst p99 ms");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void call_showsTraceId() {
		this.browser.open(address("#/calls"), "Calls");
		assertThat(this.browser.texts("tbody td code")).contains("4bf92f3577b34da6a3ce929d0e0e4736");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void call_showsProtocolApplicationAndCaller() {
		this.browser.open(address("#/calls"), "Calls");
		assertThat(this.browser.texts("thead th")).contains("Protocol", "Application", "Caller");
		assertThat(this.browser.texts("tbody td")).contains("native", "inventory", "grpc", FakePeers.HOSTILE);
		assertThat(this.browser.driver().findElements(By.cssSelector("main img"))).isEmpty();
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void connection_showsIdentityAndEncryption() {
		this.browser.open(address("#/connections"), "Connections");
		assertThat(this.browser.texts("thead th")).contains("Identity", "TLS");
		assertThat(this.browser.texts("tbody td")).contains("spiffe://acme/shop-mobile", "encrypted", "clear text");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void streams_showWhoWaits_andWhatIsLeftOut() {
		this.browser.open(address("#/streams"), "Streams");
		assertThat(this.browser.texts("thead th")).contains("Age", "Sent", "Sent/s", "Received waits for");
		assertThat(this.browser.texts("tbody td")).contains("producer", "window", "socket", "peer", "consumer", "end",
				"1 h 0 min", "250 KB");
		assertThat(this.browser.texts(".note")).singleElement().asString().startsWith("99,000 more");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void certificates_areShownAtTheirSides() {
		this.browser.open(address("#/overview"), "Overview");
		assertThat(this.browser.texts(".of-server .tls")).singleElement()
			.asString()
			.contains("TLS by the bundle “own”", "CN=order-service", "order-service, 10.0.0.3", "valid", "2030");
		assertThat(this.browser.texts(".of-client .tls")).singleElement()
			.asString()
			.contains("TLS by the bundle “partners”", "expiring", "2027", FakePeers.HOSTILE);
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void securityPolicy_blocksInlineScriptsMarkupAndOtherHosts() {
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
	void peerNames_areShownAsText() {
		this.browser.open(address("#/connections"), "Connections");
		assertThat(this.browser.texts("td")).contains(FakePeers.HOSTILE);
		assertThat(this.browser.driver().findElements(By.cssSelector("main img"))).isEmpty();
		assertThat(this.browser.driver().getTitle()).doesNotContain("taken");
	}

	@Test
	void keyboard_skipsToContentFiltersAndSorts() {
		this.browser.open(address("#/overview"), "Overview");
		this.browser.press(Keys.TAB, Keys.ENTER);
		assertThat(this.browser.focused().getAttribute("id")).as("after the link that skips").isEqualTo("main");
		this.browser.open(address("#/overview"), "Overview");
		this.browser.tabTo("Methods", 8);
		this.browser.press(Keys.ENTER);
		this.browser.awaitHeading("Methods");
		this.browser.await(() -> this.browser.focused().getTagName().equals("h1"));
		this.browser.press(Keys.TAB);
		this.browser.press("payment save");
		this.browser.await(() -> this.browser.texts("tbody tr").size() == 1);
		assertThat(this.browser.focused().getTagName()).as("the filter keeps the focus").isEqualTo("input");
		this.browser.tabTo("p99 ms", 12);
		this.browser.press(Keys.ENTER);
		this.browser.await(() -> this.browser.find("th[aria-sort]").getText().equals("p99 ms"));
		assertThat(this.browser.find("th[aria-sort]").getAttribute("aria-sort")).isEqualTo("descending");
	}

	@Test
	void theme_isRemembered() {
		this.browser.open(address("#/connections"), "Connections");
		assertThat(theme()).isEqualTo("light");
		this.browser.find(".theme").click();
		assertThat(theme()).isEqualTo("dark");
		this.browser.open(address("#/connections"), "Connections");
		assertThat(theme()).isEqualTo("dark");
		this.browser.find(".theme").click();
		assertThat(theme()).isEqualTo("light");
		this.browser.show(1440, 900, "dark");
		this.browser.await(() -> theme().equals("dark"));
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void theme_switches_whileResponseIsPending() {
		this.browser.open(address("#/overview"), "Overview");
		this.browser.delayAnswers(Duration.ofMillis(500));
		try {
			this.browser.click(By.linkText("Services"));
			this.browser.find(".theme").click();
			assertThat(this.browser.find("main").getText()).isEqualTo("Loading …");
			this.browser.find(".theme").click();
		}
		finally {
			this.browser.delayAnswers(Duration.ZERO);
		}
		this.browser.awaitHeading("Services");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void views_stayUsable_with500ServicesAnd2000Connections() {
		this.browser.driver().get("about:blank");
		this.application.close();
		this.application = FakeApplication.start(new FakeProcess(500, 2000), this.port);
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
			this.application = FakeApplication.start(new FakeProcess(8, 24), this.port);
		}
	}

	private String theme() {
		return this.browser.script("return document.documentElement.dataset.theme").toString();
	}

	private String address(String fragment) {
		return "http://localhost:" + this.port + "/actuator/rpcdashboard" + fragment;
	}

}
