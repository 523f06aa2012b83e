package io.rpcboot.dashboard.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page and what it reads, of one application.
 *
 * @param port where its Actuator is
 */
record Actuator(int port) {

	String authority() {
		return "127.0.0.1:" + this.port;
	}

	/** The address of a view. */
	String page(String... segments) {
		return root() + "dashboard#" + path(segments);
	}

	/** What the endpoint says now. */
	JsonNode rpc(String... segments) {
		try (var in = URI.create(root() + path(segments)).toURL().openStream()) {
			return JsonMapper.shared().readTree(in.readAllBytes());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String root() {
		return "http://" + authority() + "/actuator/rpc";
	}

	private static String path(String... segments) {
		return Arrays.stream(segments)
			.map((segment) -> "/" + URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
			.collect(Collectors.joining());
	}

}
