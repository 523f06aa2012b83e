package io.rpcboot.dashboard;

import java.net.URI;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the links of the page to its files and its data. */
class DashboardLinksTests {

	@Test
	void links_resolveFilesBelowPageAndDataNextToPage() {
		assertLinks("https://proxy/shop/actuator/rpcdashboard", DashboardLinks.of("rpcdashboard", "rpc", false),
				"https://proxy/shop/actuator/rpcdashboard/app.js", "https://proxy/shop/actuator/rpc");
	}

	@Test
	void links_resolve_withTrailingSlash() {
		assertLinks("http://host/actuator/rpcdashboard/", DashboardLinks.of("rpcdashboard", "rpc", true),
				"http://host/actuator/rpcdashboard/app.js", "http://host/actuator/rpc");
	}

	@Test
	void links_resolve_withMappedPathsOfSeveralSegments() {
		assertLinks("http://host/ops/see/it", DashboardLinks.of("see/it", "data/of/rpc", false),
				"http://host/ops/see/it/app.js", "http://host/ops/data/of/rpc");
		assertLinks("http://host/ops/see/it/", DashboardLinks.of("see/it", "data/of/rpc", true),
				"http://host/ops/see/it/app.js", "http://host/ops/data/of/rpc");
	}

	@Test
	void dataLink_isEmpty_withoutExposedData() {
		assertThat(DashboardLinks.of("rpcdashboard", null, false).data()).isEmpty();
	}

	@Test
	void paths_areEscaped() {
		assertThat(DashboardLinks.of("a\"><script>", "r p<c", false))
			.isEqualTo(new DashboardLinks("a%22%3E%3Cscript%3E/", "r%20p%3Cc"));
	}

	private static void assertLinks(String page, DashboardLinks links, String file, String data) {
		assertThat(URI.create(page).resolve(links.files() + "app.js")).hasToString(file);
		assertThat(URI.create(page).resolve(links.data())).hasToString(data);
	}

}
