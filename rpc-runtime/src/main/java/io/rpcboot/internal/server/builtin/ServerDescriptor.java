package io.rpcboot.internal.server.builtin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.ProtoDescriptor;

/**
 * File of a service that the server itself offers, as {@code FileDescriptorProto}. The
 * numbers of fields are those of protobuf's {@code descriptor.proto}.
 */
final class ServerDescriptor {

	private static final Map<String, Integer> SCALARS = Map.of("int32", 5, "string", 9, "bytes", 12);

	private static final int MESSAGE = 11;

	private static final int ENUM = 14;

	/** The only enum. */
	private static final String STATUS = "HealthCheckResponse.ServingStatus";

	private static final FieldWriter REPEATED = FieldWriter.integer(4, 3);

	/** Makes a field one of the {@code oneof} of its message. */
	private static final FieldWriter CHOICE = FieldWriter.integer(9, 0);

	private static final FieldWriter CLIENT_STREAMS = FieldWriter.integer(5, 1);

	private static final FieldWriter SERVER_STREAMS = FieldWriter.integer(6, 1);

	private final String name;

	/** Full names of what is declared. */
	private final List<String> symbols = new ArrayList<>();

	private final String packageName;

	private final List<FieldWriter> declarations = new ArrayList<>();

	private ServerDescriptor(String packageName, String name) {
		this.name = "%s/%s.proto".formatted(packageName.replace('.', '/'), name);
		this.packageName = packageName;
	}

	/** Returns the file of {@code grpc.health.v1.Health}. */
	static ServerDescriptor health() {
		return new ServerDescriptor("grpc.health.v1", "health").declareHealth();
	}

	/** Returns the file of {@code ServerReflection} in one of its packages. */
	static ServerDescriptor reflection(String packageName) {
		return new ServerDescriptor(packageName, "reflection").declareReflection();
	}

	private ServerDescriptor declareHealth() {
		String request = message("HealthCheckRequest", field("string", "service", 1));
		String response = message("HealthCheckResponse", field(STATUS, "status", 1),
				enumeration("HealthCheckResponse", "ServingStatus", HealthService.Status.values()));
		String list = message("HealthListResponse", field("HealthListResponse.StatusesEntry", "statuses", 1, REPEATED),
				map("HealthListResponse", "StatusesEntry", response));
		service("Health", method("Health", "Check", request, response),
				method("Health", "List", message("HealthListRequest"), list),
				method("Health", "Watch", request, response, SERVER_STREAMS));
		return this;
	}

	private ServerDescriptor declareReflection() {
		String request = message("ServerReflectionRequest", field("string", "host", 1),
				field("string", "file_by_filename", 3, CHOICE), field("string", "file_containing_symbol", 4, CHOICE),
				field("ExtensionRequest", "file_containing_extension", 5, CHOICE),
				field("string", "all_extension_numbers_of_type", 6, CHOICE),
				field("string", "list_services", 7, CHOICE), oneof("message_request"));
		message("ExtensionRequest", field("string", "containing_type", 1), field("int32", "extension_number", 2));
		String response = message("ServerReflectionResponse", field("string", "valid_host", 1),
				field("ServerReflectionRequest", "original_request", 2),
				field("FileDescriptorResponse", "file_descriptor_response", 4, CHOICE),
				field("ExtensionNumberResponse", "all_extension_numbers_response", 5, CHOICE),
				field("ListServiceResponse", "list_services_response", 6, CHOICE),
				field("ErrorResponse", "error_response", 7, CHOICE), oneof("message_response"));
		message("FileDescriptorResponse", field("bytes", "file_descriptor_proto", 1, REPEATED));
		message("ExtensionNumberResponse", field("string", "base_type_name", 1),
				field("int32", "extension_number", 2, REPEATED));
		message("ListServiceResponse", field("ServiceResponse", "service", 1, REPEATED));
		message("ServiceResponse", field("string", "name", 1));
		message("ErrorResponse", field("int32", "error_code", 1), field("string", "error_message", 2));
		service("ServerReflection",
				method("ServerReflection", "ServerReflectionInfo", request, response, CLIENT_STREAMS, SERVER_STREAMS));
		return this;
	}

	ProtoDescriptor file() {
		return new ProtoDescriptor(this.name,
				FieldWriter.toByteArray(FieldWriter.text(1, this.name), FieldWriter.text(2, this.packageName),
						FieldWriter.all(this.declarations), FieldWriter.text(12, "proto3")),
				this.symbols, List.of());
	}

	/** Declares a name and returns its field. */
	private FieldWriter declare(String scope, String name) {
		this.symbols.add("%s.%s%s".formatted(this.packageName, scope, name));
		return FieldWriter.text(1, name);
	}

	private String message(String name, FieldWriter... parts) {
		this.declarations.add(FieldWriter.message(4, declare("", name), FieldWriter.all(List.of(parts))));
		return name;
	}

	private FieldWriter field(String type, String name, int number, FieldWriter... more) {
		Integer scalar = SCALARS.get(type);
		int kind = (scalar != null) ? scalar : type.equals(STATUS) ? ENUM : MESSAGE;
		List<FieldWriter> declared = (scalar != null) ? List.of() : List.of(FieldWriter.text(6, full(type)));
		return FieldWriter.message(2, FieldWriter.text(1, name), FieldWriter.integer(3, number),
				FieldWriter.integer(5, kind), FieldWriter.all(declared), FieldWriter.all(List.of(more)));
	}

	private String full(String type) {
		return ".%s.%s".formatted(this.packageName, type);
	}

	private static FieldWriter oneof(String name) {
		return FieldWriter.message(8, FieldWriter.text(1, name));
	}

	/** Declares an enum within a message. */
	private FieldWriter enumeration(String message, String name, Enum<?>... constants) {
		return FieldWriter.message(4, declare(message + ".", name),
				FieldWriter.each(List.of(constants), (each) -> FieldWriter.message(2, FieldWriter.text(1, each.name()),
						FieldWriter.integer(2, each.ordinal()))));
	}

	/** Declares the entries of a map from texts within a message. */
	private FieldWriter map(String message, String name, String valueType) {
		return FieldWriter.message(3, declare(message + ".", name), field("string", "key", 1),
				field(valueType, "value", 2), FieldWriter.message(7, FieldWriter.integer(7, 1)));
	}

	private void service(String name, FieldWriter... methods) {
		this.declarations.add(FieldWriter.message(6, declare("", name), FieldWriter.all(List.of(methods))));
	}

	private FieldWriter method(String service, String name, String request, String response, FieldWriter... streams) {
		return FieldWriter.message(2, declare(service + ".", name), FieldWriter.text(2, full(request)),
				FieldWriter.text(3, full(response)), FieldWriter.all(List.of(streams)));
	}

}
