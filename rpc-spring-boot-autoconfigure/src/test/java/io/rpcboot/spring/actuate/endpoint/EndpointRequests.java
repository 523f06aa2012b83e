package io.rpcboot.spring.actuate.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests of an operator to an application. */
final class EndpointRequests {

	private EndpointRequests() {
	}

	/**
	 * Sends a request.
	 * @param body JSON for POST, null for GET
	 */
	static HttpResponse<String> send(ApplicationContext application, String path, String body)
			throws IOException, InterruptedException {
		String port = application.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
		if (body != null) {
			request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
		}
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	/** Returns the body of a response with a status. */
	static JsonNode body(HttpResponse<String> response, int status) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(response.body());
	}

}
