package io.rpcboot.dashboard.browser;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Collectors;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Debian's Chromium without a window. */
final class Browser implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ChromeDriver driver;

	private final Path profile;

	Browser() throws IOException {
		this.profile = Files.createTempDirectory("dashboard-browser");
		ChromeOptions options = new ChromeOptions();
		options.setBinary(System.getProperty("browser", "/usr/bin/chromium"));
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
				"--hide-scrollbars", "--user-data-dir=" + this.profile);
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable("browser", Level.ALL);
		logs.enable("performance", Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		this.driver = new ChromeDriver(new ChromeDriverService.Builder()
			.usingDriverExecutable(new File(System.getProperty("browser.driver", "/usr/bin/chromedriver")))
			.build(), options);
	}

	ChromeDriver driver() {
		return this.driver;
	}

	/** How wide and high the window is, in CSS pixels, and what the system prefers. */
	void show(int width, int height, String colors) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colors))));
	}

	/** Load the page afresh at an address, and wait for its heading. */
	void open(String address, String heading) {
		this.driver.get("about:blank");
		this.driver.get(address);
		awaitHeading(heading);
	}

	void awaitHeading(String heading) {
		await(() -> texts("h1").contains(heading));
	}

	void await(Supplier<Boolean> condition) {
		new WebDriverWait(this.driver, PATIENCE, Duration.ofMillis(100)).ignoring(RuntimeException.class)
			.until((ignored) -> condition.get());
	}

	WebElement find(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	/** Let each answer of a server come so much later. */
	void delayAnswers(Duration delay) {
		this.driver.executeCdpCommand("Network.enable", Map.of());
		this.driver.executeCdpCommand("Network.emulateNetworkConditions", Map.of("offline", false, "latency",
				delay.toMillis(), "downloadThroughput", -1, "uploadThroughput", -1));
	}

	void click(By what) {
		await(() -> {
			this.driver.findElement(what).click();
			return true;
		});
	}

	/** Presses tab until something with this text has the focus. */
	void tabTo(String text, int most) {
		for (int tabs = 0; !focused().getText().equals(text); tabs++) {
			if (tabs == most) {
				throw new AssertionError("No '%s' within %d tabs".formatted(text, most));
			}
			press(Keys.TAB);
		}
	}

	void press(CharSequence... keys) {
		for (CharSequence key : keys) {
			new Actions(this.driver).sendKeys(key).perform();
		}
	}

	WebElement focused() {
		return this.driver.switchTo().activeElement();
	}

	List<String> texts(String selector) {
		return this.driver.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList();
	}

	Object script(String script) {
		return Objects.requireNonNull(this.driver.executeScript(script));
	}

	/**
	 * What is serious or critical for people who use a screen reader, a keyboard or
	 * little contrast.
	 */
	List<String> barriers() {
		return new AxeBuilder().analyze(this.driver)
			.getViolations()
			.stream()
			.filter((rule) -> Set.of("serious", "critical").contains(String.valueOf(rule.getImpact())))
			.map(Browser::describe)
			.toList();
	}

	private static String describe(Rule rule) {
		return rule.getId() + " "
				+ rule.getNodes().stream().map((node) -> node.getHtml()).limit(3).collect(Collectors.joining(" | "));
	}

	/** Errors in the console since the last look. */
	List<String> errors() {
		return this.driver.manage()
			.logs()
			.get("browser")
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.toList();
	}

	/** Hosts, with ports, that were asked for anything since the last look. */
	Set<String> hosts() {
		return this.driver.manage()
			.logs()
			.get("performance")
			.getAll()
			.stream()
			.map((entry) -> JsonMapper.shared().readTree(entry.getMessage()).at("/message"))
			.filter((message) -> message.at("/method").asString().equals("Network.requestWillBeSent"))
			.map((JsonNode message) -> URI.create(message.at("/params/request/url").asString()))
			.filter((uri) -> uri.getHost() != null)
			.map(URI::getAuthority)
			.collect(Collectors.toSet());
	}

	/**
	 * Seconds of a processor that the page's thread used while it was looked at.
	 * @param time how long to look
	 */
	double processorSeconds(Duration time) {
		this.driver.executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
		double before = processorSeconds();
		Instant end = Instant.now().plus(time);
		new WebDriverWait(this.driver, time.plus(PATIENCE), Duration.ofSeconds(1))
			.until((ignored) -> Instant.now().isAfter(end));
		double used = processorSeconds() - before;
		this.driver.executeCdpCommand("Performance.disable", Map.of());
		return used;
	}

	private double processorSeconds() {
		Map<String, Object> metrics = this.driver.executeCdpCommand("Performance.getMetrics", Map.of());
		return ((List<?>) metrics.get("metrics")).stream()
			.map((metric) -> (Map<?, ?>) metric)
			.filter((metric) -> "TaskDuration".equals(metric.get("name")))
			.mapToDouble((metric) -> ((Number) metric.get("value")).doubleValue())
			.sum();
	}

	void screenshot(Path file) throws IOException {
		Files.createDirectories(file.getParent());
		Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
	}

	@Override
	public void close() throws IOException {
		this.driver.quit();
		try (var files = Files.walk(this.profile)) {
			files.sorted((left, right) -> right.compareTo(left)).map(Path::toFile).forEach(File::delete);
		}
	}

}
