package io.rpcboot.dashboard.browser;

import java.io.IOException;
import java.util.List;

import io.rpcboot.dashboard.browser.shop.OrderService;
import io.rpcboot.dashboard.browser.shop.PaymentService;
import io.rpcboot.dashboard.browser.shop.Shop;
import io.rpcboot.dashboard.browser.shop.StockService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of an application that really calls others and is called. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractLiveDashboard {

	static final String ORDERS = OrderService.class.getName();

	static final String STOCK = StockService.class.getName();

	static final String PAYMENTS = PaymentService.class.getName();

	/** Threads that call all the time. */
	static final int CUSTOMERS = 4;

	Shop shop;

	Browser browser;

	Actuator actuator;

	@BeforeAll
	void start() throws IOException {
		this.shop = new Shop();
		this.actuator = new Actuator(this.shop.webPort());
		this.browser = new Browser();
		this.shop.customers().enter(CUSTOMERS, 8);
		// every method was called, calls have failed on both sides, and the engine says
		// so
		this.browser.await(() -> {
			JsonNode summary = this.actuator.rpc();
			return summary.at("/methods").size() == 7 && summary.at("/server/errorsPerSecond").asDouble() > 0
					&& summary.at("/client/errorsPerSecond").asDouble() > 0 && !summary.at("/findings").isEmpty();
		});
	}

	@BeforeEach
	void forget() {
		this.browser.show(1440, 900, "light");
		this.browser.driver().get("about:blank");
		this.browser.errors();
		this.browser.hosts();
	}

	@AfterEach
	void nothingFromAnotherHost() {
		assertThat(this.browser.hosts()).isSubsetOf(this.actuator.authority());
	}

	@AfterAll
	void stop() throws IOException {
		this.browser.close();
		this.shop.close();
	}

	/** The cells of a row that begins so; empty if there is none. */
	List<String> row(String caption, String first) {
		return table(caption).stream().filter((row) -> row.get(0).equals(first)).findFirst().orElse(List.of());
	}

	/** The texts of a table at one moment, by row. */
	@SuppressWarnings("unchecked")
	List<List<String>> table(String caption) {
		return (List<List<String>>) this.browser
			.script("""
					const table = [...document.querySelectorAll('table')].find((each) => each.caption.textContent === '%s');
					return table ? [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim())) : [];
					"""
				.formatted(caption));
	}

	/** What stands behind a name, such as that of a bar or of a fact. */
	String named(String card, String name) {
		return this.browser.script("""
				const names = [...document.querySelectorAll('%s dt, %1$s .gauge-name')];
				return names.find((each) => each.textContent.startsWith('%s'))?.nextElementSibling.innerText ?? '';
				""".formatted(card, name)).toString();
	}

}
