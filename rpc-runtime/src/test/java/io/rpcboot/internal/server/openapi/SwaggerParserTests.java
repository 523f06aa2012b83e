package io.rpcboot.internal.server.openapi;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.internal.serialization.protobuf.json.Sinks;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooForeign;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads documents with the parser of Swagger. */
@Tag("jdk25")
class SwaggerParserTests {

	private static SwaggerParseResult parse(String text) {
		ParseOptions options = new ParseOptions();
		options.setResolve(true);
		return new OpenAPIV3Parser().readContents(text, null, options);
	}

	@Test
	void documentOfTypeZoo_isAccepted() {
		Class<?>[] services = TypeZoo.rows().map(TypeZoo::service).toArray(Class<?>[]::new);
		RpcServerBuilder builder = Documents.builder(services)
			.serializer(new ProtostuffSerializer(ZooForeign.TYPES))
			.grpc(GrpcOptions.defaults().withTypes(ZooForeign.TYPES))
			.grpcService(new GrpcServiceDefinition("sink.Sinks",
					Map.of("Pour", (call) -> CompletableFuture.completedFuture(call.message())), Map.of(),
					() -> Sinks.FILES), ServiceOptions.defaults());
		SwaggerParseResult result = parse(Documents.text(builder));
		assertThat(result.getMessages()).isEmpty();
		OpenAPI document = result.getOpenAPI();
		assertThat(document.getPaths()).hasSizeGreaterThan(500).containsKey("/sink.Sinks/Pour");
		assertThat(document.getPaths().values())
			.allSatisfy((each) -> assertThat(each.getPost().getResponses()).containsOnlyKeys("200", "default"))
			.extracting((each) -> each.getPost().getOperationId())
			.doesNotHaveDuplicates();
		assertThat(document.getComponents().getSchemas()).hasSizeGreaterThan(1000).containsKey("sink.Sink");
	}

	@Test
	void documentWithConstraints_isAccepted() {
		assertThat(
				parse(Documents.text(Documents.builder(ConstraintsTests.Users.class, MessageSchemasTests.Kinds.class)))
					.getMessages())
			.isEmpty();
	}

	@Test
	void documentWithUnknownMember_isNot() {
		String text = Documents.text(Documents.builder(MessageSchemasTests.Kinds.class));
		assertThat(parse(text.replace("\"summary\"", "\"sumary\"")).getMessages()).isNotEmpty();
	}

}
