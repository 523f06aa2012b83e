package io.rpcboot.internal.server.openapi;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.rpcboot.RpcContract;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.serialization.protobuf.json.Sinks;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.server.GrpcHandler;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static io.rpcboot.internal.server.openapi.Documents.at;
import static io.rpcboot.internal.server.openapi.Documents.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

public class OpenApiDocumentTests {

	private static final GrpcHandler ECHO = (call) -> CompletableFuture.completedFuture(call.message());

	@RpcContract(name = "demo.Shop")
	public interface Shop {

		Receipt order(Order order, List<String> notes) throws OutOfStock, IOException;

		CompletableFuture<Map<String, Long>> stock();

		@Deprecated
		void clear(RpcContext context, int shelf);

		@RpcMethod(name = "Locate", bare = true)
		Receipt find(Order order);

		Flow.Publisher<Integer> watch();

		int sum(Flow.Publisher<Integer> numbers);

	}

	public record Order(String article) {
	}

	public record Receipt(long number) {
	}

	public static class OutOfStock extends Exception {

		private static final long serialVersionUID = 1;

		int left;

	}

	@RpcContract(name = "demo.Clock")
	public interface Clock {

		long now();

	}

	private static JsonElement operation(JsonElement document, String path) {
		return at(document, "paths", path, "post");
	}

	private static JsonElement parse(RpcServerBuilder builder) {
		return JsonParser.parseString(Documents.text(builder));
	}

	private static GrpcServiceDefinition hosted(List<ProtoDescriptor> files) {
		return new GrpcServiceDefinition("sink.Sinks", Map.of("Pour", ECHO),
				Map.of("Flood", (call, requests) -> requests), () -> files);
	}

	@Test
	void document_hasHead_andServicesByName() {
		JsonElement document = Documents.of(Shop.class, Clock.class);
		assertThat(at(document, "openapi").getAsString()).isEqualTo("3.1.0");
		assertThat(at(document, "info")).isEqualTo(json("{title: shop, version: '0'}"));
		assertThat(at(document, "servers")).isEqualTo(json("[{url: '/'}]"));
		assertThat(at(document, "paths").getAsJsonObject().keySet()).containsExactly("/demo.Clock/Now",
				"/demo.Shop/Clear", "/demo.Shop/Locate", "/demo.Shop/Order", "/demo.Shop/Stock");
		assertThat(at(document, "tags")).isEqualTo(json("[{name: demo.Clock}, {name: demo.Shop, "
				+ "description: 'Left out, because they are streams: Sum, Watch.'}]"));
	}

	@Test
	void method_isOperation() {
		JsonElement document = Documents.of(Shop.class);
		assertThat(operation(document, "/demo.Shop/Order")).isEqualTo(json("""
				{
				  tags: [demo.Shop],
				  operationId: demo.Shop.Order,
				  summary: 'Receipt order(Order order, List<String> notes) throws OutOfStock, IOException',
				  description: 'Declared exceptions: demo.OpenApiDocumentTestsOutOfStock, demo.IOException.',
				  parameters: [{$ref: '#/components/parameters/connect-timeout'}],
				  requestBody: {
				    content: {'application/json': {schema: {$ref: '#/components/schemas/demo.OrderRequest'}}},
				    required: true
				  },
				  responses: {
				    '200': {
				      content: {'application/json': {schema: {$ref: '#/components/schemas/demo.OrderResponse'}}},
				      description: Result
				    },
				    default: {$ref: '#/components/responses/connect-error'}
				  }
				}"""));
	}

	@Test
	void summary_isDeclarationInJava_withoutContext() {
		JsonElement document = Documents.of(Shop.class);
		assertThat(at(operation(document, "/demo.Shop/Stock"), "summary").getAsString())
			.isEqualTo("CompletableFuture<Map<String, Long>> stock()");
		assertThat(at(operation(document, "/demo.Shop/Clear"), "summary").getAsString())
			.isEqualTo("void clear(int shelf)");
		assertThat(at(operation(document, "/demo.Shop/Clear"), "deprecated").getAsBoolean()).isTrue();
	}

	@Test
	void bareMethod_hasMessagesThemselves() {
		JsonElement locate = operation(Documents.of(Shop.class), "/demo.Shop/Locate");
		assertThat(at(locate, "requestBody", "content", "application/json", "schema", "$ref").getAsString())
			.endsWith("/demo.OpenApiDocumentTestsOrder");
		assertThat(at(locate, "responses", "200", "content", "application/json", "schema", "$ref").getAsString())
			.endsWith("/demo.OpenApiDocumentTestsReceipt");
	}

	@Test
	void requestAndResponse_haveParametersAndResult() {
		JsonElement document = Documents.of(Shop.class);
		assertThat(Documents.schema(document, "demo.OrderRequest")).isEqualTo(json("""
				{
				  type: object,
				  properties: {
				    order: {$ref: '#/components/schemas/demo.OpenApiDocumentTestsOrder'},
				    notes: {type: array, items: {type: string}}
				  }
				}"""));
		assertThat(Documents.schema(document, "demo.StockRequest")).isEqualTo(json("{type: object}"));
		assertThat(at(Documents.schema(document, "demo.StockResponse"), "properties", "value", "additionalProperties",
				"format")
			.getAsString()).isEqualTo("int64");
		assertThat(Documents.schema(document, "demo.ClearResponse")).isEqualTo(json("{type: object}"));
	}

	@Test
	void error_isThatOfConnect() {
		JsonElement document = Documents.of(Clock.class);
		JsonElement error = Documents.schema(document, "connect-error");
		assertThat(at(error, "properties", "code", "enum")).isEqualTo(json("""
				[canceled, unknown, invalid_argument, deadline_exceeded, not_found, already_exists, permission_denied,
				resource_exhausted, failed_precondition, aborted, out_of_range, unimplemented, internal, unavailable,
				data_loss, unauthenticated]"""));
		assertThat(at(error, "required")).isEqualTo(json("[code]"));
		assertThat(at(error, "properties", "details", "items", "required")).isEqualTo(json("[type, value]"));
		JsonElement response = at(document, "components", "responses", "connect-error");
		assertThat(at(response, "content", "application/json", "schema", "$ref").getAsString())
			.isEqualTo("#/components/schemas/connect-error");
		assertThat(at(response, "headers", "rpc-executed", "schema", "enum")).isEqualTo(json("['false']"));
	}

	@Test
	void timeout_isHeaderField() {
		JsonElement timeout = at(Documents.of(Clock.class), "components", "parameters", "connect-timeout");
		assertThat(at(timeout, "name").getAsString()).isEqualTo("Connect-Timeout-Ms");
		assertThat(at(timeout, "in").getAsString()).isEqualTo("header");
		assertThat(timeout.getAsJsonObject().has("required")).isFalse();
		assertThat(at(timeout, "schema", "maximum").getAsLong()).isEqualTo(9_999_999_999L);
	}

	@Test
	void versionsAndGroups_areHeaderFields_whenSeveralServicesHaveOneName() {
		RpcServerBuilder builder = Documents.builder(Clock.class)
			.service(ServiceDescriptor.of(Clock.class, "2", ""), Object::new)
			.service(ServiceDescriptor.of(Clock.class, "1", "test"), Object::new);
		JsonElement parameters = at(operation(parse(builder), "/demo.Clock/Now"), "parameters");
		assertThat(parameters.getAsJsonArray()).hasSize(3);
		assertThat(at(parameters, 1, "name").getAsString()).isEqualTo("rpc-version");
		assertThat(at(parameters, 1, "schema", "enum")).isEqualTo(json("['1', '2']"));
		assertThat(at(parameters, 2, "name").getAsString()).isEqualTo("rpc-group");
		assertThat(at(parameters, 2, "schema", "enum")).isEqualTo(json("[test]"));
	}

	@Test
	void hostedService_isDescribedByItsFile() {
		JsonElement document = parse(
				Documents.builder(Clock.class).grpcService(hosted(Sinks.FILES), ServiceOptions.defaults()));
		JsonElement pour = operation(document, "/sink.Sinks/Pour");
		assertThat(pour.getAsJsonObject().has("summary")).isFalse();
		assertThat(at(pour, "operationId").getAsString()).isEqualTo("sink.Sinks.Pour");
		assertThat(at(pour, "requestBody", "content", "application/json", "schema", "$ref").getAsString())
			.isEqualTo("#/components/schemas/sink.Sink");
		assertThat(at(document, "tags", 1, "description").getAsString())
			.isEqualTo("Left out, because they are streams: Flood.");
		assertThat(at(document, "paths").getAsJsonObject().keySet()).containsExactly("/demo.Clock/Now",
				"/sink.Sinks/Pour");
	}

	@Test
	void hostedService_isLeftOut_withoutFile() {
		JsonElement document = parse(Documents.builder().grpcService(hosted(List.of()), ServiceOptions.defaults()));
		assertThat(at(document, "paths").getAsJsonObject().keySet()).isEmpty();
		assertThat(at(document, "tags", 0, "description").getAsString())
			.isEqualTo("Left out, because they are streams: Flood. "
					+ "Left out, because no file declares their messages: Pour.");
	}

	@Test
	void fileThatNamesMissingType_isRefused() {
		ProtoDescriptor whole = Sinks.FILES.get(0);
		ProtoDescriptor broken = new ProtoDescriptor(whole.name(), whole.descriptor(), List.of(), List.of());
		try (RpcServer server = Documents.builder()
			.grpcService(hosted(List.of(broken)), ServiceOptions.defaults())
			.build()) {
			assertThatIllegalStateException().isThrownBy(server::openApi)
				.withMessageStartingWith("no OpenAPI: sink.")
				.withMessageEndingWith("is in none of the files (expected: in one, or in their imports)");
		}
	}

	@Test
	void equalServers_haveEqualTexts_inAnyOrderOfServices() {
		String text = Documents.text(Documents.builder(Shop.class, Clock.class));
		assertThat(Documents.text(Documents.builder(Clock.class, Shop.class))).isEqualTo(text);
		assertThat(text).startsWith("{\n  \"openapi\": \"3.1.0\",\n").endsWith("}\n").doesNotContain("\r");
	}

	@Test
	void serverWithoutServices_hasEmptyDocument() {
		assertThat(at(Documents.of(), "paths").getAsJsonObject().keySet()).isEmpty();
	}

	@Test
	void serverWithoutConnect_hasNone() {
		try (RpcServer server = Documents.builder(Clock.class).protocols(Protocol.NATIVE, Protocol.GRPC).build()) {
			assertThatIllegalStateException().isThrownBy(server::openApi)
				.withMessage("no OpenAPI, because protocols is grpc,native "
						+ "(expected: with connect, whose calls may be JSON)");
		}
	}

}
