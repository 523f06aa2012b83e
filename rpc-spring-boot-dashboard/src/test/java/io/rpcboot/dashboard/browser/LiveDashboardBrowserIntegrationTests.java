package io.rpcboot.dashboard.browser;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.rpcboot.dashboard.browser.shop.Application;
import io.rpcboot.dashboard.browser.shop.OrderService;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The ways through a real application, and what comes and goes in it. */
class LiveDashboardBrowserIntegrationTests extends AbstractLiveDashboard {

	private static final String CHARGE = "charge(java.lang.String,int)";

	/** The time of day as the page writes it. */
	private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
		.withZone(ZoneId.systemDefault());

	private final Path screenshots = Path.of(System.getProperty("dashboard.screenshots", "target/screenshots"));

	/** How long customers were there before pictures are taken. */
	private final Duration age = Duration.parse(System.getProperty("dashboard.screenshots.age", "PT0S"));

	@Test
	void views_areAccessibleAndFitEveryScreen() {
		String instance = this.shop.endpoint(Application.OTHER_PAYMENT);
		String client = this.actuator.rpc("connections").at("/server/0/remote").asString();
		String[][] views = { { "Overview", "overview" }, { "Services", "services" },
				{ "OrderService", "services", ORDERS }, { "Methods", "methods" },
				{ "charge(String,int)", "methods", "client", PAYMENTS, CHARGE }, { "References", "references" },
				{ "PaymentService", "references", PAYMENTS }, { "Instances", "instances" },
				{ instance, "instances", instance }, { "Connections", "connections" },
				{ instance, "connections", "client", instance }, { client, "connections", "server", client },
				{ "Calls", "calls" }, { "Settings", "settings" } };
		for (Screen screen : Screen.values()) {
			screen.show(this.browser);
			for (String[] view : views) {
				open(view[0], List.of(view).subList(1, view.length).toArray(String[]::new));
				screen.assertSound(this.browser, screen + " " + String.join("/", view));
			}
		}
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void screenshots_areTaken() throws IOException {
		open("Overview", "overview");
		look(this.age.dividedBy(2));
		this.shop.customers().enter(CUSTOMERS, 8);
		look(this.age.dividedBy(10));
		this.shop.customers().leave();
		this.shop.customers().enter(CUSTOMERS, 8);
		look(this.age.dividedBy(3));
		for (Screen screen : Screen.values()) {
			screen.show(this.browser);
			open("Overview", "overview");
			this.browser.await(() -> !this.browser.driver().findElements(By.cssSelector(".plot canvas")).isEmpty());
			this.browser.screenshot(this.screenshots.resolve("dashboard-%s.png".formatted(screen.fileName())));
		}
		assertThat(this.browser.errors()).isEmpty();
	}

	private void look(Duration time) {
		Instant end = Instant.now().plus(time);
		while (Instant.now().isBefore(end)) {
			Readings.ofOneRefresh(this.browser, this.actuator);
		}
	}

	@Test
	void mouse_navigatesFromOverviewToConnection() {
		open("Overview", "overview");
		this.browser.click(By.linkText("PaymentService"));
		this.browser.awaitHeading("PaymentService");
		this.browser.click(By.partialLinkText("charge(String,int)"));
		this.browser.awaitHeading("charge(String,int)");
		String endpoint = awaitFailedCall();
		this.browser.click(By.linkText(endpoint));
		this.browser.awaitHeading(endpoint);
		assertThat(this.browser.driver().getCurrentUrl()).isEqualTo(this.actuator.page("instances", endpoint));
		assertThat(named("main", "State")).isEqualTo("ready");
		this.browser.click(By.linkText("1"));
		this.browser.await(() -> this.browser.texts("h2").contains("Connection"));
		assertThat(this.browser.driver().getCurrentUrl())
			.isEqualTo(this.actuator.page("connections", "client", endpoint));
		assertThat(this.browser.texts(".heading p")).containsExactly("client connection to payment");
		this.browser.driver().navigate().back();
		this.browser.await(() -> this.browser.texts("h2").contains("Instance"));
		String shared = this.browser.driver().getCurrentUrl();
		this.browser.open(shared, endpoint);
		this.browser.click(By.linkText("PaymentService"));
		this.browser.awaitHeading("PaymentService");
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void keyboard_navigatesFromOverviewToConnection() {
		open("Overview", "overview");
		follow("PaymentService", "PaymentService", 100);
		follow("PaymentService.charge(String,int)", "charge(String,int)", 30);
		String endpoint = awaitFailedCall();
		follow(endpoint, endpoint, 30);
		follow("1", endpoint, 5);
		this.browser.await(() -> this.browser.texts("h2").contains("Connection"));
		assertThat(this.browser.driver().getCurrentUrl())
			.isEqualTo(this.actuator.page("connections", "client", endpoint));
		assertThat(this.browser.errors()).isEmpty();
	}

	private void follow(String link, String heading, int most) {
		this.browser.tabTo(link, most);
		this.browser.press(Keys.ENTER);
		this.browser.awaitHeading(heading);
		this.browser.await(() -> this.browser.focused().getTagName().equals("h1"));
	}

	/** Some charges take longer than their caller waits. */
	private String awaitFailedCall() {
		this.browser.await(() -> !table("Failed calls, latest first").isEmpty());
		List<String> call = table("Failed calls, latest first").get(0);
		assertThat(call.get(3)).isEqualTo("deadline exceeded");
		return call.get(4);
	}

	@Test
	void stoppedInstance_isMarked_untilItReturns() {
		String endpoint = this.shop.endpoint(Application.PAYMENT);
		OrderService orders = this.shop.customers().orders();
		ExecutorService callers = Executors.newFixedThreadPool(9);
		List<CompletableFuture<Void>> held = IntStream.range(0, 8)
			.mapToObj((number) -> CompletableFuture.runAsync(orders::settle, callers))
			.toList();
		open("Instances", "instances");
		this.browser.await(() -> Integer.parseInt(row("All instances", endpoint).get(7)) >= 4);
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> this.shop.stop(Application.PAYMENT),
				callers);
		try {
			this.browser.await(() -> row("All instances", endpoint).get(2).equals("draining"));
			this.shop.bank().open();
			held.forEach(CompletableFuture::join);
			stopped.join();
			this.browser.await(() -> row("All instances", endpoint).get(2).equals("backing off"));
			List<String> first = table("All instances").get(0);
			assertThat(first.get(0)).as("those in trouble come first").isEqualTo(endpoint);
			assertThat(first.get(8)).as("connections").isEqualTo("0");
			assertThat(first.get(11)).as("reason").contains("refused");
			open(endpoint, "instances", endpoint);
			assertThat(named("main", "State")).isEqualTo("backing off");
			assertThat(named("main", "Reason")).contains("refused");
			open("Overview", "overview");
			assertThat(row("References, those that are not ready first", "PaymentService").subList(1, 3))
				.containsExactly("ready", "1 of 2");
			assertThat(this.browser.texts(".flow li")).anySatisfy((text) -> assertThat(text).contains("1 of 2 ready"));
			this.shop.stop(Application.OTHER_PAYMENT);
			try {
				this.browser.await(() -> this.browser.texts(".findings li.bad")
					.stream()
					.anyMatch((text) -> text.contains("No instance takes calls of PaymentService")
							&& text.contains(endpoint)));
			}
			finally {
				this.shop.start(Application.OTHER_PAYMENT);
			}
		}
		finally {
			this.shop.bank().open();
			stopped.join();
			callers.shutdown();
			this.shop.start(Application.PAYMENT);
		}
		this.browser.await(() -> row("References, those that are not ready first", "PaymentService").subList(1, 3)
			.equals(List.of("ready", "2 of 2")));
		this.browser.await(() -> {
			List<String> row = row("Instances, those in trouble first", endpoint);
			return row.get(2).equals("ready") && row.get(4).isEmpty();
		});
		this.browser.await(() -> this.browser.texts(".findings ul li")
			.stream()
			.noneMatch((text) -> text.contains("No instance takes calls of PaymentService")));
		assertThat(this.browser.texts(".findings .ended li"))
			.anyMatch((text) -> text.contains("No instance takes calls of PaymentService"));
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void instanceView_updates_whenInstanceLeavesAndReturns() {
		String endpoint = this.shop.endpoint(Application.OTHER_STOCK);
		open(endpoint, "instances", endpoint);
		assertThat(this.browser.texts(".heading p")).containsExactly("stock");
		this.shop.stop(Application.OTHER_STOCK);
		try {
			this.browser.awaitHeading("Not here");
			assertThat(this.browser.find(".age").getText()).as("the application is there").startsWith("Live");
			this.browser.click(By.linkText("All instances"));
			this.browser.awaitHeading("Instances");
			assertThat(table("All instances")).hasSize(3).noneMatch((row) -> row.get(0).equals(endpoint));
			this.browser.driver().navigate().back();
			this.browser.awaitHeading("Not here");
		}
		finally {
			this.shop.start(Application.OTHER_STOCK);
		}
		this.browser.awaitHeading(endpoint);
		this.browser.await(() -> named("main", "State").equals("ready"));
		assertThat(this.browser.errors()).allMatch((error) -> error.contains("404"));
	}

	@Test
	void registryState_isShown_whenRegistryStopsAndReturns() {
		open("Overview", "overview");
		assertThat(named("main", "Registry")).startsWith("connected");
		this.shop.stopRegistry();
		try {
			this.browser.await(() -> named("main", "Registry").startsWith("disconnected"));
			assertThat(named("main", "Registry")).contains(" since ");
			assertThat(this.browser.texts(".findings li.bad")).anyMatch((text) -> text.contains("is lost"));
			long since = this.actuator.rpc().at("/registry/since").asLong();
			this.browser.await(() -> this.browser.texts(".findings li.bad .since")
				.stream()
				.anyMatch((text) -> text.startsWith("Since " + clock(since) + ", ")));
			assertThat(this.browser.texts(".findings .ended li")).noneMatch((text) -> text.contains("is lost"));
			assertThat(row("References, those that are not ready first", "StockService").subList(1, 3))
				.as("known instances are called")
				.containsExactly("ready", "2 of 2");
		}
		finally {
			this.shop.startRegistry();
		}
		this.browser.await(() -> named("main", "Registry").startsWith("connected"));
		this.browser
			.await(() -> this.browser.texts(".findings li.bad").stream().noneMatch((text) -> text.contains("is lost")));
		assertThat(this.browser.texts(".findings h3")).containsExactly("Over by now");
		JsonNode over = endedLoss();
		assertThat(this.browser.texts(".findings .ended li")).filteredOn((text) -> text.contains("is lost"))
			.singleElement()
			.asString()
			.startsWith(span(over.at("/since").asLong(), over.at("/until").asLong()))
			.containsIgnoringCase("error");
		assertThat(this.browser.errors()).isEmpty();
	}

	private JsonNode endedLoss() {
		return StreamSupport.stream(this.actuator.rpc().at("/ended").spliterator(), false)
			.filter((each) -> each.at("/kind").asString().equals("LOST_REGISTRY"))
			.findFirst()
			.orElseThrow();
	}

	private static String span(long since, long until) {
		return clock(since).equals(clock(until)) ? clock(since) : clock(since) + " to " + clock(until);
	}

	private static String clock(long epochMillis) {
		return CLOCK.format(Instant.ofEpochMilli(epochMillis));
	}

	@Test
	void page_reportsOutageAndRecovers_whenApplicationRestarts() {
		open("Overview", "overview");
		String before = this.browser.find(".of-server .stat dd").getText();
		this.shop.stop(Application.ORDERS);
		try {
			this.browser.await(() -> banner().startsWith("The application does not answer."));
			assertThat(this.browser.find(".age").getText()).startsWith("Stopped at");
			assertThat(this.browser.texts(".stat dd")).as("the last numbers").hasSize(8).contains(before);
			this.browser.click(By.linkText("Services"));
			this.browser.awaitHeading("No answer");
		}
		finally {
			this.shop.start(Application.ORDERS);
		}
		this.browser.awaitHeading("Services");
		assertThat(banner()).isEqualTo("The application answers again.");
		this.browser.await(() -> !this.browser.find("#banner").isDisplayed());
		assertThat(this.browser.find(".age").getText()).startsWith("Live");
		Readings readings = Readings.ofOneRefresh(this.browser, this.actuator, "services");
		readings.assertShown(row("Offered services", "OrderService").get(5), "/services/0/calls");
		assertThat(this.browser.errors()).allMatch((error) -> error.contains("ERR_CONNECTION_REFUSED"));
	}

	/** The connection does not come back, but the application does. */
	@Test
	void page_reportsRecovery_whenViewedConnectionIsGone() {
		String remote = this.actuator.rpc("connections").at("/server/0/remote").asString();
		open(remote, "connections", "server", remote);
		assertThat(this.browser.texts(".heading p")).containsExactly("server connection from shop-web");
		this.shop.stop(Application.ORDERS);
		try {
			this.browser.await(() -> banner().startsWith("The application does not answer."));
		}
		finally {
			this.shop.start(Application.ORDERS);
		}
		this.browser.awaitHeading("Not here");
		assertThat(banner()).isEqualTo("The application answers again.");
		assertThat(this.browser.find(".age").getText()).startsWith("Live");
		this.browser.await(() -> !this.browser.find("#banner").isDisplayed());
		assertThat(this.browser.errors())
			.allMatch((error) -> error.contains("ERR_CONNECTION_REFUSED") || error.contains("404"));
	}

	private String banner() {
		return this.browser.find("#banner").getText();
	}

	private void open(String heading, String... segments) {
		this.browser.open(this.actuator.page(segments), heading);
	}

}
