package io.rpcboot.internal.server.openapi;

import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.protocol.connect.ConnectError;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.serialization.protobuf.json.DescriptorReader;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.serialization.ProtoDescriptor;

/**
 * Writes the OpenAPI document of services. Paths, tags and schemas are sorted by name, so
 * that equal services have equal documents. For one thread.
 *
 * <pre class="code">
 * String json = OpenApiDocument.of("shop", services, files, List.of());
 * </pre>
 */
public final class OpenApiDocument {

	private static final String VERSION = "3.1.0";

	/** Version of the application, which the engine does not know. */
	private static final String UNKNOWN = "0";

	/** Name of the error, which no message of protobuf can have. */
	private static final String ERROR = "connect-error";

	private static final String TIMEOUT = "connect-timeout";

	private static final long MAX_TIMEOUT = 9_999_999_999L;

	private final MessageSchemas schemas;

	private final Map<String, DescriptorReader.Signature> signatures;

	/** Messages of declared exceptions, by the names of methods. */
	private final Map<String, List<String>> exceptions = new HashMap<>();

	private final Map<String, JsonObject> paths = new TreeMap<>();

	private OpenApiDocument(List<ProtoFile> files, List<ProtoDescriptor> others) {
		DescriptorReader reader = new DescriptorReader();
		reader.read(files.stream().map(ProtoFile::descriptor).toList());
		reader.read(others);
		this.signatures = reader.methods();
		this.schemas = new MessageSchemas(reader.messages(), files);
		files.forEach((file) -> file.services()
			.forEach((service) -> service.methods()
				.forEach((each) -> this.exceptions.put(file.full(service.name()) + "/" + each.name(),
						each.exceptions().stream().map((thrown) -> thrown.name()).toList()))));
	}

	/**
	 * Returns the document of services, as JSON.
	 * @param title name of the application
	 * @param files files of the services that interfaces declare
	 * @param others files of the other services
	 * @throws IllegalArgumentException if a file names a type that no file has
	 */
	public static String of(String title, Collection<ApiService> services, List<ProtoFile> files,
			List<ProtoDescriptor> others) {
		return new OpenApiDocument(files, others).write(title, services).text();
	}

	private JsonObject write(String title, Collection<ApiService> services) {
		Map<String, JsonObject> tags = new TreeMap<>();
		services.forEach((each) -> tags.put(each.name(), add(each)));
		JsonObject schemas = object(this.schemas.all()).with(ERROR, error());
		return JsonObject.of("openapi", VERSION)
			.with("info", JsonObject.of("title", title).with("version", UNKNOWN))
			.with("servers", List.of(JsonObject.of("url", "/")))
			.with("tags", List.copyOf(tags.values()))
			.with("paths", object(this.paths))
			.with("components",
					JsonObject.of("schemas", schemas)
						.with("responses", JsonObject.of(ERROR, errorResponse()))
						.with("parameters", JsonObject.of(TIMEOUT, timeout())));
	}

	private static JsonObject object(Map<String, JsonObject> members) {
		JsonObject object = JsonObject.of();
		members.forEach(object::with);
		return object;
	}

	/** Adds the paths of a service. Returns its tag. */
	private JsonObject add(ApiService service) {
		List<String> unknown = new ArrayList<>();
		for (ApiService.Method each : service.methods()) {
			DescriptorReader.Signature signature = this.signatures.get(service.name() + "/" + each.name());
			if (signature == null) {
				unknown.add(each.name());
				continue;
			}
			this.paths.put("/" + service.name() + "/" + each.name(),
					JsonObject.of("post", operation(service, each, signature)));
		}
		List<String> sentences = new ArrayList<>();
		if (!service.streams().isEmpty()) {
			sentences.add("Left out, because they are streams: %s.".formatted(sorted(service.streams())));
		}
		if (!unknown.isEmpty()) {
			sentences.add("Left out, because no file declares their messages: %s.".formatted(sorted(unknown)));
		}
		JsonObject tag = JsonObject.of("name", service.name());
		return sentences.isEmpty() ? tag : tag.with("description", String.join(" ", sentences));
	}

	private static String sorted(List<String> names) {
		return names.stream().sorted().collect(Collectors.joining(", "));
	}

	private JsonObject operation(ApiService service, ApiService.Method method, DescriptorReader.Signature signature) {
		JsonObject operation = JsonObject.of("tags", List.of(service.name()))
			.with("operationId", service.name() + "." + method.name());
		MethodDescriptor declared = method.declared();
		if (declared != null) {
			operation.with("summary", summary(declared));
		}
		List<String> thrown = this.exceptions.getOrDefault(service.name() + "/" + method.name(), List.of());
		if (!thrown.isEmpty()) {
			operation.with("description", "Declared exceptions: %s.".formatted(String.join(", ", thrown)));
		}
		if (declared != null && declared.method().isAnnotationPresent(Deprecated.class)) {
			operation.with("deprecated", true);
		}
		JsonObject response = content(this.schemas.reference(signature.response())).with("description", "Result");
		return operation.with("parameters", parameters(service.ids()))
			.with("requestBody", content(this.schemas.reference(signature.request())).with("required", true))
			.with("responses", JsonObject.of("200", response).with("default", reference("responses", ERROR)));
	}

	/** Returns the declaration in Java, with simple names and without the context. */
	private static String summary(MethodDescriptor method) {
		Parameter[] all = method.method().getParameters();
		List<Parameter> parameters = new ArrayList<>(Arrays.asList(all));
		if (method.contextParameter() >= 0) {
			parameters.remove(method.contextParameter());
		}
		String throwing = method.declaredExceptions()
			.stream()
			.map(OpenApiDocument::simple)
			.collect(Collectors.joining(", "));
		return "%s %s(%s)%s".formatted(simple(method.method().getGenericReturnType()), method.name(),
				parameters.stream()
					.map((each) -> simple(each.getParameterizedType()) + " " + each.getName())
					.collect(Collectors.joining(", ")),
				throwing.isEmpty() ? "" : " throws " + throwing);
	}

	private static String simple(Type type) {
		return type.getTypeName().replaceAll("(?:\\w+[.$])+", "");
	}

	private static List<JsonObject> parameters(List<ServiceId> ids) {
		List<JsonObject> parameters = new ArrayList<>(List.of(reference("parameters", TIMEOUT)));
		if (ids.size() > 1) {
			qualifier("rpc-version", "Version of the service", ids, ServiceId::version, parameters);
			qualifier("rpc-group", "Group of the service", ids, ServiceId::group, parameters);
		}
		return parameters;
	}

	/** Adds a header field that tells services of one name apart. */
	private static void qualifier(String name, String description, List<ServiceId> ids,
			Function<ServiceId, String> value, List<JsonObject> parameters) {
		List<String> values = ids.stream().map(value).filter((each) -> !each.isEmpty()).distinct().sorted().toList();
		if (!values.isEmpty()) {
			parameters
				.add(header(name, description).with("schema", JsonObject.of("type", "string").with("enum", values)));
		}
	}

	private static JsonObject timeout() {
		return header("Connect-Timeout-Ms", "Time for the call in milliseconds; without it there is no deadline").with(
				"schema",
				JsonObject.of("type", "integer")
					.with("format", "int64")
					.with("minimum", 0)
					.with("maximum", MAX_TIMEOUT));
	}

	private static JsonObject header(String name, String description) {
		return JsonObject.of("name", name).with("in", "header").with("description", description);
	}

	private static JsonObject content(JsonObject schema) {
		return JsonObject.of("content", JsonObject.of(ContentType.JSON.text(), JsonObject.of("schema", schema)));
	}

	private static JsonObject reference(String kind, String name) {
		return JsonObject.of("$ref", "#/components/%s/%s".formatted(kind, name));
	}

	private static JsonObject errorResponse() {
		JsonObject executed = JsonObject.of("description", "false if the method certainly did not run")
			.with("schema", JsonObject.of("type", "string").with("enum", List.of("false")));
		return content(reference("schemas", ERROR))
			.with("description", "Error, with the status of HTTP that its code has in Connect")
			.with("headers", JsonObject.of("rpc-executed", executed));
	}

	private static JsonObject error() {
		List<String> codes = Arrays.stream(RpcStatus.values())
			.filter((each) -> each != RpcStatus.OK)
			.map(ConnectError::code)
			.distinct()
			.toList();
		JsonObject value = JsonObject.of("type", "string")
			.with("contentEncoding", "base64")
			.with("description", "Message of protobuf, in Base64 without padding");
		JsonObject detail = JsonObject.of("type", "object")
			.with("required", List.of("type", "value"))
			.with("properties",
					JsonObject
						.of("type", JsonObject.of("type", "string").with("description", "Full name of the message"))
						.with("value", value));
		return JsonObject.of("type", "object")
			.with("required", List.of("code"))
			.with("properties",
					JsonObject.of("code", JsonObject.of("type", "string").with("enum", codes))
						.with("message", JsonObject.of("type", "string"))
						.with("details", JsonObject.of("type", "array").with("items", detail)));
	}

}
