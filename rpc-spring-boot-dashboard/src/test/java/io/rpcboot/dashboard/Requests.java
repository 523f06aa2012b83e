package io.rpcboot.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Asks an application, as one of its users. */
final class Requests {

	private static final HttpClient http = HttpClient.newHttpClient();

	private Requests() {
	}

	static URI uri(ApplicationContext context, String port, String path) {
		return URI.create("http://localhost:" + context.getEnvironment().getRequiredProperty(port) + path);
	}

	/**
	 * Ask.
	 * @param uri for what
	 * @param user who asks, null for nobody; all have the same password
	 */
	static HttpResponse<String> send(URI uri, @Nullable String user) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri), user);
	}

	private static HttpResponse<String> send(HttpRequest.Builder request, @Nullable String user)
			throws IOException, InterruptedException {
		if (user != null) {
			request.header("Authorization", "Basic "
					+ Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.US_ASCII)));
		}
		return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	/**
	 * Have something done.
	 * @param client the header that no other site can send
	 */
	static HttpResponse<String> post(URI uri, @Nullable String user, @Nullable String client)
			throws IOException, InterruptedException {
		return post(uri, user, client, "{}");
	}

	static HttpResponse<String> post(URI uri, @Nullable String user, @Nullable String client, String body)
			throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri)
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body));
		if (client != null) {
			request.header("X-Operator", client);
		}
		return send(request, user);
	}

	static int status(URI uri, @Nullable String user) throws IOException, InterruptedException {
		return send(uri, user).statusCode();
	}

	static JsonNode json(URI uri, String user) throws IOException, InterruptedException {
		HttpResponse<String> response = send(uri, user);
		assertThat(response.statusCode()).as("%s", uri).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

}
