package io.rpcboot.benchmarks.json;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the servers of JSON in this module: their answers are the same bytes.
 */
class JsonServersIntegrationTests {

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "GetUser; {\"id\":\"7\"}", "ListUser; {\"pageNo\":1}" })
	void answersOfNettyAndOurs_areTheSameBytes(String method, String body) throws Exception {
		byte[] ours = post("ours-http", method, body);
		assertThat(ours).hasSizeGreaterThan(300);
		assertThat(post("ours-http-loop", method, body)).isEqualTo(ours);
		assertThat(post("netty-http", method, body)).isEqualTo(ours);
	}

	private static byte[] post(String system, String method, String body) throws Exception {
		try (BenchServer server = RpcSystem.of(system).startServer()) {
			return post(server.port(), method, body);
		}
	}

	private static byte[] post(int port, String method, String body) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest
			.newBuilder(
					URI.create("http://127.0.0.1:" + port + "/io.rpcboot.benchmarks.workload.BenchService/" + method))
			.version(HttpClient.Version.HTTP_1_1)
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build();
		HttpResponse<byte[]> response = HttpClient.newHttpClient()
			.send(request, HttpResponse.BodyHandlers.ofByteArray());
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

}
