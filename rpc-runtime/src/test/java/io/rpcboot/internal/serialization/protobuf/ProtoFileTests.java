package io.rpcboot.internal.serialization.protobuf;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicStampedReference;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodOptions.IdempotencyLevel;
import io.rpcboot.RpcMethod;
import io.rpcboot.internal.serialization.protobuf.json.ProtoJson;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.serialization.ProtoDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the text of a file and its names. */
public class ProtoFileTests {

	private static final String PACKAGE = ProtoFileTests.class.getName();

	/** Text of the file of {@link Shop}, without the name of this class. */
	private static final String TEXT = """
			syntax = "proto3";

			package io.rpcboot.internal.serialization.protobuf.;

			import "google/protobuf/duration.proto";
			import "google/protobuf/empty.proto";
			import "google/protobuf/timestamp.proto";

			option java_multiple_files = true;
			option java_package = "io.rpcboot.internal.serialization.protobuf..proto";

			service Shop {
			  rpc Find(FindRequest) returns (FindResponse);
			  // Declared exceptions: Refused
			  rpc PlaceOrder(PlaceOrderRequest) returns (PlaceOrderResponse);
			}

			message FindRequest {
			  optional string id = 1;
			  optional int32 max_count = 2;
			}

			message FindResponse {
			  optional PageOfOrder value = 1;
			}

			message PlaceOrderRequest {
			  optional Order order = 1;
			}

			message PlaceOrderResponse {}

			message AtomicStampedReferenceOfString {
			  optional string value = 1;
			  int32 stamp = 2;
			}

			message EntryOfColourAndInteger {
			  Colour key = 1;
			  optional int32 value = 2;
			}

			message ListOfInteger {
			  repeated int32 items = 1;
			}

			message OptionalInt {
			  optional int32 value = 1;
			}

			message Card {
			  optional string number = 1;
			}

			message Cash {}

			message Order {
			  int64 id = 1;
			  optional string home_url = 2;
			  uint32 letter = 3;
			  optional double price = 4;
			  // BigDecimal, such as 12.50
			  optional string total = 5;
			  optional bytes picture = 6;
			  repeated float weights = 7;
			  repeated string tags = 8;
			  repeated ListOfInteger rows = 9;
			  repeated OptionalInt perhaps = 10;
			  // key: UUID, such as 123e4567-e89b-12d3-a456-426614174000
			  map<string, Order> parts = 11;
			  repeated EntryOfColourAndInteger counts = 12;
			  Colour colour = 13;
			  optional Payment payment = 14;
			  optional google.protobuf.Timestamp at = 15;
			  optional google.protobuf.Duration lasting = 16;
			  optional Order next = 17;
			  optional AtomicStampedReferenceOfString stamped = 18;
			  optional google.protobuf.Empty nothing = 19;
			  optional string home_url_20 = 20;
			}

			message PageOfOrder {
			  repeated Order items = 1;
			  int32 total = 2;
			}

			message Payment {
			  oneof choice {
			    Card card = 1;
			    Cash cash = 2;
			  }
			}

			message Refused {
			  optional string message = 1;
			  int32 code = 2;
			}

			enum Colour {
			  COLOUR_UNSPECIFIED = 0;
			  COLOUR_RED = 1;
			  COLOUR_LIGHT_BLUE = 2;
			  COLOUR_UNSPECIFIED_3 = 3;
			}
			""";

	@Test
	void text_hasServiceMessagesAndEnums() {
		ProtoFile file = Codecs.file(Shop.class);
		assertThat(file.name()).isEqualTo("io/rpcboot/internal/serialization/protobuf/ProtoFileTests/services.proto");
		assertThat(file.text().replace("ProtoFileTests", "").replace("PROTO_FILE_TESTS_", "")).isEqualTo(TEXT);
		assertThat(file.symbols())
			.contains(PACKAGE + ".Shop", PACKAGE + ".Shop.Find", PACKAGE + ".ProtoFileTestsOrder",
					PACKAGE + ".ProtoFileTestsColour")
			.doesNotContain(PACKAGE + ".Other");
		assertThat(file.imports()).extracting(ProtoDescriptor::name)
			.containsExactly("google/protobuf/duration.proto", "google/protobuf/empty.proto",
					"google/protobuf/timestamp.proto");
		assertThat(WellKnownFile.DURATION.descriptor().symbols()).containsExactly("google.protobuf.Duration");
	}

	@Test
	void servicesOfOnePackage_shareTheirMessages() {
		String text = ProtobufCodec.file(List.of(Codecs.of(Shop.class), Codecs.of(Archive.class))).text();
		assertThat(text).contains("rpc Find(ArchiveFindRequest) returns (ArchiveFindResponse);")
			.contains("rpc Find(ShopFindRequest) returns (ShopFindResponse);")
			.contains("rpc PlaceOrder(PlaceOrderRequest) returns (PlaceOrderResponse);")
			.containsOnlyOnce("message ProtoFileTestsOrder {");
	}

	@Test
	void request_hasTheNameOfTheService_ifAClassHasTheShortOne() {
		assertThat(Codecs.file(Direct.class).text()).contains("rpc Get(DirectGetRequest) returns (GetResponse);")
			.contains("message DirectGetRequest {\n  optional GetRequest request = 1;\n}");
	}

	@Test
	void safeMethod_hasNoSideEffects_inEachForm() throws Exception {
		ProtoFile file = Codecs.file(Looking.class);
		assertThat(file.text()).contains("""
				  rpc Find(FindRequest) returns (FindResponse) {
				    option idempotency_level = NO_SIDE_EFFECTS;
				  }
				  rpc Put(PutRequest) returns (PutResponse);
				""");
		FileDescriptorProto read = FileDescriptorProto.parseFrom(file.descriptor().descriptor());
		assertThat(read.getService(0).getMethodList()).extracting((each) -> each.getOptions().getIdempotencyLevel())
			.containsExactly(IdempotencyLevel.NO_SIDE_EFFECTS, IdempotencyLevel.IDEMPOTENCY_UNKNOWN);
		ProtoJson json = ProtoJson.of(List.of(file.descriptor()), false, 1000);
		String service = read.getPackage() + ".Looking";
		assertThat(json.isSafe(service, "Find")).isTrue();
		assertThat(json.isSafe(service, "Put")).isFalse();
		assertThat(json.isSafe(service, "Get")).isFalse();
	}

	@Test
	void typesOfOneName_getTheNamesOfTheirPackages() {
		String text = Codecs.file(Twins.class).text();
		assertThat(text)
			.contains("  optional CharacterUnicodeScript first = 1;\n  JavaLangCharacterUnicodeScript second = 2;");
	}

	@ParameterizedTest
	@CsvSource({ "id,id", "homeURL,home_url", "HTTPServer,http_server", "line2,line2", "a1B,a1_b", "_name,name",
			"straße,stra_e", "already_snake,already_snake", "X,x", "2nd,x2nd", "é,x" })
	void name_isInSnakeCase(String name, String expected) {
		assertThat(ProtoNames.snake(name)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "getUser,GetUser", "get,Get", "GET,GET", "get_user,GetUser", "größe,GrE", "2nd,X2nd" })
	void name_isInPascalCase(String name, String expected) {
		assertThat(ProtoNames.pascal(name)).isEqualTo(expected);
	}

	@Test
	void typesOfOneName_getTheNamesOfTheirPackages_inTwoServices() {
		String text = ProtobufCodec.file(List.of(Codecs.of(OfScripts.class), Codecs.of(OfTexts.class))).text();
		assertThat(text)
			.contains("message OfScriptsPutRequest {\n  JavaLangCharacterUnicodeScript first = 1;\n}",
					"message OfTextsPutRequest {\n  optional CharacterUnicodeScript first = 1;\n}")
			.contains("\nmessage CharacterUnicodeScript {", "\nenum JavaLangCharacterUnicodeScript {");
	}

	/** Colours. */
	public enum Colour {

		RED, LightBlue, UNSPECIFIED

	}

	/** A payment. */
	public sealed interface Payment permits Card, Cash {

	}

	/** A payment. */
	public record Card(String number) implements Payment {
	}

	/** A payment. */
	public record Cash() implements Payment {
	}

	/** A field of each kind. */
	public record Order(long id, String homeURL, char letter, Double price, BigDecimal total, byte[] picture,
			float[] weights, List<String> tags, List<List<Integer>> rows, List<OptionalInt> perhaps,
			Map<UUID, Order> parts, Map<Colour, Integer> counts, Colour colour, Payment payment, Instant at,
			Duration lasting, Optional<Order> next, AtomicStampedReference<String> stamped, Void nothing,
			String home_url) {
	}

	/** A generic class. */
	public record Page<T>(List<T> items, int total) {
	}

	/** A declared exception. */
	public static class Refused extends Exception {

		private static final long serialVersionUID = 1L;

		private final int code;

		public Refused(String message, int code) {
			super(message);
			this.code = code;
		}

		public int code() {
			return this.code;
		}

	}

	/** A service. */
	public interface Shop {

		Page<Order> find(String id, Integer maxCount);

		void placeOrder(Order order) throws Refused;

	}

	/** A service with a method that has no side effects. */
	public interface Looking {

		@RpcMethod(safe = true)
		String find(String id);

		@RpcMethod(idempotent = true)
		void put(String id);

	}

	/** Another one. */
	public interface Archive {

		Order find(String id);

	}

	/** A service. */
	public interface Direct {

		String get(io.rpcboot.internal.serialization.protobuf.GetRequest request);

	}

	/** A service with two classes of one name. */
	public interface Twins {

		void put(io.rpcboot.internal.serialization.protobuf.CharacterUnicodeScript first,
				Character.UnicodeScript second);

	}

	/** A service. */
	public interface OfTexts {

		void put(io.rpcboot.internal.serialization.protobuf.CharacterUnicodeScript first);

	}

	/** A service. */
	public interface OfScripts {

		void put(Character.UnicodeScript first);

	}

}
