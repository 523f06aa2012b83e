package io.rpcboot.internal.server.builtin;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.rpcboot.LoggedLines;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.serialization.TypeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the reflection service, with protobuf-java as the client. */
public class ReflectionServiceTests {

	private static final String SCOPE = ReflectionServiceTests.class.getName();

	private static final String FILE = SCOPE.replace('.', '/') + "/services.proto";

	@RegisterExtension
	final LoggedLines lines = new LoggedLines("rpc.server");

	private final AtomicInteger filesMade = new AtomicInteger();

	private final ReflectionService reflection = new ReflectionService(
			List.of(SCOPE + ".Shop", "grpc.health.v1.Health"), this::files, Runnable::run);

	private List<ProtoDescriptor> files() {
		this.filesMade.incrementAndGet();
		return List.of(ProtobufCodec
			.file(List
				.of(ProtobufCodec.of(io.rpcboot.ServiceDescriptor.of(Shop.class), TypeOptions.NONE, NumberLock.NONE)))
			.descriptor());
	}

	/** Client of one of the packages. */
	private static final class Client {

		private final StreamHandler handler;

		private final FileDescriptor file;

		Client(ReflectionService reflection, String version) {
			String name = "grpc.reflection." + version;
			this.handler = reflection.handlers().get("/" + name + ".ServerReflection/ServerReflectionInfo");
			this.file = BuiltFiles
				.build(List.of(ByteString.copyFrom(ServerDescriptor.reflection(name).file().descriptor())));
		}

		DynamicMessage.Builder request() {
			Descriptor type = this.file.findMessageTypeByName("ServerReflectionRequest");
			return DynamicMessage.newBuilder(type).setField(type.findFieldByName("host"), "server:1");
		}

		DynamicMessage.Builder request(String field, String value) {
			DynamicMessage.Builder request = request();
			return request.setField(request.getDescriptorForType().findFieldByName(field), value);
		}

		DynamicMessage.Builder ofExtension(String message, int number) {
			Descriptor type = this.file.findMessageTypeByName("ExtensionRequest");
			DynamicMessage.Builder request = request();
			return request.setField(request.getDescriptorForType().findFieldByName("file_containing_extension"),
					DynamicMessage.newBuilder(type)
						.setField(type.findFieldByName("containing_type"), message)
						.setField(type.findFieldByName("extension_number"), number)
						.build());
		}

		/** Sends one request, and returns the response. */
		Message ask(DynamicMessage.Builder request) {
			RecordingResponses responses = new RecordingResponses();
			StreamHandler.Requests requests = this.handler.begin(responses);
			byte[] bytes = request.build().toByteArray();
			requests.onMessage(bytes, 0, bytes.length);
			requests.onHalfClose();
			requests.onEnd();
			assertThat(responses.status).isEqualTo(RpcStatus.OK);
			assertThat(responses.messages).hasSize(1);
			Message response = parse(responses.messages.get(0));
			assertThat(get(response, "valid_host")).isEqualTo("server:1");
			assertThat(((Message) get(response, "original_request")).toByteString())
				.isEqualTo(request.build().toByteString());
			assertThat(response.getUnknownFields().asMap()).isEmpty();
			return response;
		}

		private Message parse(byte[] response) {
			try {
				return DynamicMessage.parseFrom(this.file.findMessageTypeByName("ServerReflectionResponse"), response);
			}
			catch (InvalidProtocolBufferException ex) {
				throw new AssertionError(ex);
			}
		}

		/** Asks for a file, and builds it with its imports. */
		@SuppressWarnings("unchecked")
		FileDescriptor file(String field, String value) {
			Message response = (Message) get(ask(request(field, value)), "file_descriptor_response");
			return BuiltFiles.build((List<ByteString>) get(response, "file_descriptor_proto"));
		}

		int errorCode(DynamicMessage.Builder request) {
			Message error = (Message) get(ask(request), "error_response");
			assertThat((String) get(error, "error_message")).isNotEmpty();
			return (int) get(error, "error_code");
		}

		@SuppressWarnings("unchecked")
		List<String> services() {
			Message response = (Message) get(ask(request("list_services", "*")), "list_services_response");
			return ((List<Message>) get(response, "service")).stream()
				.map((each) -> (String) get(each, "name"))
				.toList();
		}

		static Object get(Message message, String field) {
			return message.getField(message.getDescriptorForType().findFieldByName(field));
		}

	}

	private Client client() {
		return new Client(this.reflection, "v1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "v1", "v1alpha" })
	void list_namesAllServices(String version) {
		assertThat(new Client(this.reflection, version).services()).containsExactly("grpc.health.v1.Health",
				"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection", SCOPE + ".Shop");
	}

	@ParameterizedTest
	@ValueSource(strings = { "v1", "v1alpha" })
	void eachListedService_isDeclared(String version) {
		Client client = new Client(this.reflection, version);
		for (String each : client.services()) {
			FileDescriptor file = client.file("file_containing_symbol", each);
			assertThat(file.getServices()).extracting(ServiceDescriptor::getFullName).contains(each);
			assertThat(client.file("file_by_filename", file.getFullName()).toProto()).isEqualTo(file.toProto());
			for (MethodDescriptor method : file.findServiceByName(each.substring(each.lastIndexOf('.') + 1))
				.getMethods()) {
				assertThat(client.file("file_containing_symbol", method.getFullName()).toProto())
					.isEqualTo(file.toProto());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { ".Shop", ".Shop.Place", ".PlaceRequest", ".PlaceResponse", ".ReflectionServiceTestsOrder",
			".ReflectionServiceTestsColour" })
	void symbol_isInTheFileOfItsPackage(String symbol) {
		FileDescriptor file = client().file("file_containing_symbol", SCOPE + symbol);
		assertThat(file.getFullName()).isEqualTo(FILE);
		assertThat(file.getDependencies()).extracting(FileDescriptor::getFullName)
			.containsExactly("google/protobuf/timestamp.proto");
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc.health.v1.HealthCheckRequest.service", "grpc.health.v1.HealthCheckResponse.SERVING",
			"grpc.health.v1.HealthListResponse.StatusesEntry.key", "grpc.reflection.v1.ServerReflectionRequest.host",
			"grpc.reflection.v1.ServerReflectionRequest.message_request", "google.protobuf.Timestamp.seconds" })
	void fieldOrConstant_isInItsFile(String symbol) {
		assertThat(symbol).startsWith(client().file("file_containing_symbol", symbol).getPackage() + ".");
		assertThat(client().errorCode(client().request("file_containing_symbol", symbol + "s"))).isEqualTo(5);
	}

	@Test
	void call_hasAnswers_upToAMaximumOfBytes() {
		RecordingResponses responses = new RecordingResponses();
		StreamHandler.Requests requests = client().handler.begin(responses);
		byte[] request = client().request("file_containing_symbol", "x".repeat(15_000)).build().toByteArray();
		for (int i = 0; i < 1000 && responses.status == null; i++) {
			requests.onMessage(request, 0, request.length);
		}
		assertThat(responses.status).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(responses.messages.stream().mapToInt((each) -> each.length).sum()).isBetween(8_000_000, 9_000_000);
	}

	@ParameterizedTest
	@CsvSource({ "grpc.health.v1.HealthCheckResponse.ServingStatus,grpc/health/v1/health.proto",
			"grpc.health.v1.HealthCheckRequest,grpc/health/v1/health.proto",
			"grpc.reflection.v1.ErrorResponse,grpc/reflection/v1/reflection.proto",
			"grpc.reflection.v1alpha.ErrorResponse,grpc/reflection/v1alpha/reflection.proto",
			"google.protobuf.Timestamp,google/protobuf/timestamp.proto",
			"google.protobuf.Duration,google/protobuf/duration.proto",
			"google.protobuf.Empty,google/protobuf/empty.proto" })
	void symbolOfTheServer_isInItsOwnFile(String symbol, String file) {
		assertThat(client().file("file_containing_symbol", symbol).getFullName()).isEqualTo(file);
		assertThat(client().file("file_by_filename", file).getFullName()).isEqualTo(file);
	}

	@Test
	void reflectionFile_declaresStreams() {
		MethodDescriptor method = client().file("file_by_filename", "grpc/reflection/v1/reflection.proto")
			.findServiceByName("ServerReflection")
			.findMethodByName("ServerReflectionInfo");
		assertThat(method.isClientStreaming()).isTrue();
		assertThat(method.isServerStreaming()).isTrue();
		assertThat(method.getInputType().getRealOneofs().get(0).getName()).isEqualTo("message_request");
		assertThat(method.getOutputType().getRealOneofs().get(0).getName()).isEqualTo("message_response");
	}

	@ParameterizedTest
	@CsvSource({ "file_by_filename,services.proto", "file_by_filename,''", "file_by_filename,/etc/passwd",
			"file_containing_symbol,Shop", "file_containing_symbol,''",
			"file_containing_symbol,.google.protobuf.Timestamp", "file_containing_symbol,google.protobuf",
			"all_extension_numbers_of_type,com.acme.Other", "all_extension_numbers_of_type,''" })
	void unknownName_isNotFound(String field, String value) {
		assertThat(client().errorCode(client().request(field, value))).isEqualTo(5);
	}

	@Test
	void extensions_areNotFound() {
		assertThat(client().errorCode(client().ofExtension("google.protobuf.Timestamp", 100))).isEqualTo(5);
		Message numbers = (Message) Client.get(
				client().ask(client().request("all_extension_numbers_of_type", "google.protobuf.Timestamp")),
				"all_extension_numbers_response");
		assertThat(Client.get(numbers, "base_type_name")).isEqualTo("google.protobuf.Timestamp");
		assertThat((List<?>) Client.get(numbers, "extension_number")).isEmpty();
	}

	@Test
	void requestWithoutKind_isUnimplemented() {
		assertThat(client().errorCode(client().request())).isEqualTo(12);
	}

	@Test
	void fileOfHealth_isMissing_ifHealthIsOff() {
		Client client = new Client(new ReflectionService(List.of(), List::of, Runnable::run), "v1");
		assertThat(client.errorCode(client.request("file_containing_symbol", "grpc.health.v1.Health"))).isEqualTo(5);
		assertThat(client.services()).hasSize(2);
	}

	static Stream<byte[]> malformed() {
		return Stream.of(new byte[] { 58 }, new byte[] { 58, 5, 'a' }, new byte[] { 34, 1, (byte) 0xFF },
				new byte[] { 0 }, new byte[] { 42, -1, -1, -1, -1, 15 }, new byte[] { 63, 1 },
				FieldWriter.toByteArray(FieldWriter.text(3, "a".repeat(16 * 1024))));
	}

	@ParameterizedTest
	@MethodSource("malformed")
	void malformedRequest_isAnInvalidArgument(byte[] request) {
		RecordingResponses responses = new RecordingResponses();
		StreamHandler.Requests requests = client().handler.begin(responses);
		requests.onMessage(request, 0, request.length);
		assertThat(responses.status).isEqualTo(RpcStatus.INVALID_ARGUMENT);
		assertThat(responses.text).startsWith("request: ");
		assertThat(responses.messages).isEmpty();
	}

	@Test
	void lastKindOfARequest_counts() {
		byte[] request = FieldWriter.toByteArray(FieldWriter.integer(4, 7), FieldWriter.text(2, "unknown"),
				FieldWriter.text(4, "com.acme.Other"), FieldWriter.text(3, FILE), FieldWriter.text(8, "unknown"));
		RecordingResponses responses = new RecordingResponses();
		client().handler.begin(responses).onMessage(request, 0, request.length);
		assertThat(Client.get(client().parse(responses.messages.get(0)), "file_descriptor_response").toString())
			.contains("Shop");
	}

	@Test
	void call_hasManyRequests_upToAMaximum() {
		RecordingResponses responses = new RecordingResponses();
		StreamHandler.Requests requests = client().handler.begin(responses);
		byte[] request = client().request("file_containing_symbol", SCOPE + ".Shop").build().toByteArray();
		for (int i = 0; i < 1000; i++) {
			requests.onMessage(request, 0, request.length);
		}
		assertThat(responses.status).isNull();
		assertThat(responses.messages).hasSize(1000);
		assertThat(responses.messages.stream().map(ByteString::copyFrom).collect(Collectors.toSet())).hasSize(1);
		requests.onMessage(request, 0, request.length);
		assertThat(responses.status).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(responses.messages).hasSize(1000);
	}

	@Test
	void files_areMadeOnce() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Callable<String>> asking = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			asking.add(() -> client().file("file_containing_symbol", SCOPE + ".Shop").getFullName());
		}
		for (Future<String> each : threads.invokeAll(asking)) {
			assertThat(each.get()).isEqualTo(FILE);
		}
		threads.shutdown();
		assertThat(this.filesMade).hasValue(1);
	}

	@Test
	void requests_areAnsweredInOrder_onceTheFilesAreMade() {
		Queue<Runnable> tasks = new ArrayDeque<>();
		ReflectionService later = new ReflectionService(List.of(), this::files, tasks::add);
		RecordingResponses responses = new RecordingResponses();
		Client client = new Client(later, "v1");
		StreamHandler.Requests requests = client.handler.begin(responses);
		for (String each : List.of("first", SCOPE + ".Shop", "third")) {
			byte[] request = client.request("file_containing_symbol", each).build().toByteArray();
			requests.onMessage(request, 0, request.length);
			Arrays.fill(request, (byte) 0);
		}
		requests.onHalfClose();
		assertThat(responses.messages).isEmpty();
		assertThat(responses.status).isNull();
		assertThat(tasks).hasSize(1);
		tasks.remove().run();
		assertThat(responses.messages)
			.extracting((each) -> Client.get((Message) Client.get(client.parse(each), "original_request"),
					"file_containing_symbol"))
			.containsExactly("first", SCOPE + ".Shop", "third");
		assertThat(responses.status).isEqualTo(RpcStatus.OK);
		assertThat(this.filesMade).hasValue(1);
	}

	@Test
	void filesOfTheServer_areServed_ifThoseOfTheServicesCannotBeMade() {
		Client client = new Client(new ReflectionService(List.of("com.acme.Users"), () -> {
			throw new IllegalStateException("expected");
		}, Runnable::run), "v1");
		assertThat(client.services()).contains("com.acme.Users");
		assertThat(this.lines.messages())
			.containsExactly("Reflection over gRPC has no files of the services, because they could not be made");
		assertThat(client.errorCode(client.request("file_containing_symbol", "com.acme.Users"))).isEqualTo(5);
		assertThat(client.file("file_by_filename", "google/protobuf/empty.proto").getMessageTypes()).hasSize(1);
		assertThat(client.file("file_by_filename", "grpc/reflection/v1/reflection.proto").getServices()).hasSize(1);
	}

	/** Returns a file with one message of its own name. */
	private static ProtoDescriptor file(String path, String packageName, String message, ProtoDescriptor... imports) {
		FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder()
			.setName(path)
			.setPackage(packageName)
			.addMessageType(DescriptorProto.newBuilder().setName(message));
		Stream.of(imports).forEach((each) -> file.addDependency(each.name()));
		return new ProtoDescriptor(path, file.build().toByteArray(), List.of(packageName + "." + message),
				List.of(imports));
	}

	private static Client client(ProtoDescriptor... files) {
		return new Client(new ReflectionService(List.of(), () -> List.of(files), Runnable::run), "v1");
	}

	@Test
	void fileOfHostedService_comesWithAllImports() {
		ProtoDescriptor units = file("acme/units.proto", "acme", "Unit");
		ProtoDescriptor sizes = file("acme/sizes.proto", "acme", "Size", units);
		ProtoDescriptor ways = file("acme/ways.proto", "acme", "Way", units);
		Client client = client(file("acme/parcels.proto", "acme", "Parcel", sizes, ways));
		assertThat(client.file("file_containing_symbol", "acme.Parcel").getDependencies())
			.extracting(FileDescriptor::getFullName)
			.containsExactly("acme/sizes.proto", "acme/ways.proto");
		assertThat(client.file("file_containing_symbol", "acme.Unit").getFullName()).isEqualTo("acme/units.proto");
		assertThat(client.file("file_by_filename", "acme/ways.proto").getDependencies())
			.extracting(FileDescriptor::getFullName)
			.containsExactly("acme/units.proto");
	}

	@Test
	void filesOfOneName_areBothFound_bySymbol() {
		Client client = client(file("service.proto", "acme", "Parcel", file("types.proto", "acme", "Size")),
				file("service.proto", "zoo", "Cage", file("types.proto", "zoo", "Size")));
		assertThat(client.file("file_containing_symbol", "acme.Parcel").getPackage()).isEqualTo("acme");
		FileDescriptor other = client.file("file_containing_symbol", "zoo.Cage");
		assertThat(other.getPackage()).isEqualTo("zoo");
		assertThat(other.getDependencies()).extracting(FileDescriptor::getPackage).containsExactly("zoo");
		assertThat(client.file("file_by_filename", "service.proto").getPackage()).isEqualTo("acme");
	}

	@Test
	void services_areThoseOfTheHandlers() {
		Set<String> paths = this.reflection.handlers().keySet();
		assertThat(paths).containsExactlyInAnyOrder("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
				"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
	}

	/** Colours. */
	public enum Colour {

		RED, GREEN

	}

	/** An order. */
	public record Order(long id, Colour colour, Instant at) {
	}

	/** A service. */
	public interface Shop {

		String place(Order order);

	}

}
