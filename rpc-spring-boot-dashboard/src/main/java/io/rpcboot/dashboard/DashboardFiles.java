package io.rpcboot.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/** Page, scripts, styles and pictures of the dashboard in the jar. */
final class DashboardFiles {

	/**
	 * Allowed names: the only dot is before the extension, so no name leads outside of
	 * the folder.
	 */
	private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*(?:/[a-z][a-z0-9-]*)*\\.(css|js|svg)");

	private static final Map<String, MimeType> TYPES = Map.of("css", type("text", "css"), "js",
			type("text", "javascript"), "svg", type("image", "svg+xml"));

	private static final MimeType HTML = type("text", "html");

	private static final String CHART_LIBRARY = "chart.js";

	WebEndpointResponse<Resource> page(DashboardLinks links) throws IOException {
		String html = resource("page.html").getContentAsString(StandardCharsets.UTF_8)
			.replace("{{files}}", links.files())
			.replace("{{data}}", links.data());
		return new WebEndpointResponse<>(new ByteArrayResource(html.getBytes(StandardCharsets.UTF_8)), HTML);
	}

	WebEndpointResponse<Resource> file(String name) throws IOException {
		Matcher matcher = NAME.matcher(name);
		if (!matcher.matches()) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		Resource file = name.equals(CHART_LIBRARY) ? chartLibrary() : resource(name);
		if (!file.exists()) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		return new WebEndpointResponse<>(file, TYPES.getOrDefault(matcher.group(1), HTML));
	}

	private static Resource chartLibrary() throws IOException {
		Properties properties = new Properties();
		try (InputStream in = new ClassPathResource("META-INF/maven/org.webjars.npm/chart.js/pom.properties")
			.getInputStream()) {
			properties.load(in);
		}
		return new ClassPathResource("META-INF/resources/webjars/chart.js/%s/dist/chart.umd.min.js"
			.formatted(properties.getProperty("version")));
	}

	private static Resource resource(String name) {
		return new ClassPathResource("page/" + name, DashboardFiles.class);
	}

	private static MimeType type(String type, String subtype) {
		return new MimeType(type, subtype, StandardCharsets.UTF_8);
	}

}
