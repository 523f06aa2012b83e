package io.rpcboot.samples.interop.conformance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;

import com.connectrpc.conformance.v1.ServerCompatRequest;

/**
 * Calls before the first one of a test, which load classes: tests compare a timeout with
 * what is left of it after at most 500 ms.
 */
final class FirstCalls {

	private static final int CALLS = 20;

	private FirstCalls() {
	}

	/**
	 * Makes the calls.
	 * @param hasStreams true if the methods of the service have streams
	 */
	static void make(ServerCompatRequest request, int port, boolean hasStreams)
			throws GeneralSecurityException, IOException, InterruptedException {
		HttpClient.Builder client = HttpClient.newBuilder();
		if (request.getUseTls()) {
			client.sslContext(GivenCertificate.trusting(request.getServerCreds()));
		}
		HttpClient calling = client.build();
		String service = "%s://127.0.0.1:%d/connectrpc.conformance.v1.ConformanceService/"
			.formatted(request.getUseTls() ? "https" : "http", port);
		for (int i = 0; i < CALLS; i++) {
			String method = !hasStreams ? "Unary" : (i % 4 < 2) ? "ServerStream" : "ClientStream";
			HttpResponse<String> response = calling.send(HttpRequest.newBuilder(URI.create(service + method))
				.version((i % 2 == 0) ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2)
				.timeout(Duration.ofSeconds(5))
				.header("content-type", hasStreams ? "application/connect+json" : "application/json")
				.header("connect-timeout-ms", "5000")
				.POST(BodyPublishers.ofString(hasStreams ? "\0\0\0\0\2{}" : "{}"))
				.build(), BodyHandlers.ofString());
			if (response.statusCode() != 200) {
				throw new IllegalStateException(response + ": " + response.body());
			}
		}
	}

}
