package io.rpcboot.benchmarks.webmvc;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.rpcboot.benchmarks.system.BenchServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link WebMvcSystem}: its answers are the JSON of protobuf.
 */
class WebMvcSystemIntegrationTests {

	@Test
	void user_isJsonOfProtobuf() throws IOException, InterruptedException {
		assertThat(post("GetUser", "{\"id\":\"7\"}")).isEqualTo("{\"value\":{\"id\":\"7\",\"name\":\"Doug Lea\","
				+ "\"sex\":1,\"birthday\":\"1968-12-08\",\"email\":\"dong.lea@gmail.com\",\"mobile\":\"18612345678\","
				+ "\"address\":\"北京市 中关村 中关村大街1号 鼎好大厦 1605\","
				+ "\"icon\":\"https://www.baidu.com/img/bd_logo1.png\",\"status\":1,"
				+ "\"createTime\":\"2026-05-01T08:00:00.123456\",\"updateTime\":\"2026-05-01T08:00:00.123456\","
				+ "\"permissions\":[1,2,3,4,5,6,7,8,19,88,86,89,90,91,92]}}");
	}

	@Test
	void page_hasItsUsersLast() throws IOException, InterruptedException {
		assertThat(post("ListUser", "{\"pageNo\":1}"))
			.startsWith("{\"value\":{\"pageNo\":1,\"total\":1000,\"result\":[{\"id\":\"1\",\"name\":\"Doug Lea1\"")
			.contains("\"id\":\"15\"");
	}

	private static String post(String method, String body) throws IOException, InterruptedException {
		try (BenchServer server = new WebMvcSystem().startServer()) {
			HttpRequest request = HttpRequest
				.newBuilder(URI.create(
						"http://127.0.0.1:" + server.port() + "/io.rpcboot.benchmarks.workload.BenchService/" + method))
				.version(HttpClient.Version.HTTP_1_1)
				.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString(body))
				.build();
			return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
		}
	}

}
