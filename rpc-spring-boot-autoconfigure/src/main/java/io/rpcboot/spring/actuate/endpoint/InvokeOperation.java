package io.rpcboot.spring.actuate.endpoint;

import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.context.Attachments;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.InvokeRequest;
import io.rpcboot.server.InvokeResult;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Formats;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.util.StringUtils;

/**
 * Calls of operators at the server of this process. Arguments, attachments and
 * credentials go to the method alone: neither to the log nor into events.
 */
final class InvokeOperation {

	/** Type of the audit event. */
	static final String EVENT = "RPC_INVOKE";

	/** Wait for a result beyond its deadline; the engine takes a second at most. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final RpcBeans beans;

	private final ApplicationEventPublisher events;

	private final ObjectProvider<EndpointAccessResolver> access;

	InvokeOperation(RpcBeans beans, ApplicationEventPublisher events, ObjectProvider<EndpointAccessResolver> access) {
		this.beans = beans;
		this.events = events;
		this.access = access;
	}

	/**
	 * Returns what a call of a method needs.
	 * @return null if there is no such method
	 */
	@Nullable Form form(String serviceName, String methodName) {
		RpcServer server = this.beans.server();
		ServiceInfo service = (server != null) ? service(server, serviceName) : null;
		String method = (service != null) ? ElementNames.method(service.methods(), methodName) : null;
		if (server == null || service == null || method == null) {
			return null;
		}
		String arguments = "{}";
		String problem = isAllowed() ? null : "Calls need management.endpoint.rpc.access=unrestricted";
		if (problem == null) {
			try {
				arguments = server.argumentsOf(service.service(), method);
			}
			catch (NoSuchElementException | IllegalArgumentException | IllegalStateException ex) {
				problem = String.valueOf(ex.getMessage());
			}
		}
		return new Form(service.service().toString(), method, arguments, InvokeRequest.DEFAULT_DEADLINE.toMillis(),
				problem);
	}

	private boolean isAllowed() {
		EndpointAccessResolver resolver = this.access.getIfAvailable();
		return resolver != null && resolver.accessFor(EndpointId.of("rpc"), Access.READ_ONLY) == Access.UNRESTRICTED;
	}

	private static @Nullable ServiceInfo service(RpcServer server, String given) {
		String name = ElementNames.service(server.services().stream().map((each) -> each.service().toString()).toList(),
				given);
		return server.services()
			.stream()
			.filter((each) -> each.service().toString().equals(name))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Calls a method and waits for its result.
	 * @param operator name of the user for the audit event
	 * @throws InvalidEndpointRequestException if the input is not valid
	 * @throws NoSuchElementException if there is no such method
	 * @throws IllegalStateException if there is no server, or it takes no such calls
	 */
	Called call(Input input, String operator) {
		RpcServer server = this.beans.server();
		if (server == null) {
			throw new IllegalStateException("invoke: this application has no RPC server");
		}
		InvokeRequest request = request(server, input);
		InvokeResult result = await(server, request);
		this.events.publishEvent(new AuditApplicationEvent(operator, EVENT, Map.of("service",
				request.service().toString(), "method", request.method(), "status", result.status().name())));
		boolean isOk = result.status() == RpcStatus.OK;
		return new Called(result.status(), isOk ? result.json() : null, isOk ? null : result.json(),
				Formats.millis(result.took().toNanos()), result.attachments().asMap(), result.mayHaveRun());
	}

	private static InvokeRequest request(RpcServer server, Input input) {
		try {
			String given = required("service", input.service);
			ServiceInfo service = service(server, given);
			String name = required("method", input.method);
			String method = (service != null) ? ElementNames.method(service.methods(), name) : null;
			return new InvokeRequest((service != null) ? service.service() : ServiceId.parse(given),
					(method != null) ? method : name, orElse(input.arguments, "{}"), deadline(input.deadline),
					attachments(orElse(input.metadata, "")),
					StringUtils.hasText(input.credentials) ? Credentials.of(input.credentials.strip()) : null);
		}
		catch (IllegalArgumentException | RpcConfigurationException ex) {
			throw invalid(ex);
		}
	}

	private static String required(String name, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw new IllegalArgumentException("%s: missing (expected: in the body, as text)".formatted(name));
		}
		return value.strip();
	}

	private static String orElse(@Nullable String value, String other) {
		return StringUtils.hasText(value) ? value : other;
	}

	private static Duration deadline(@Nullable String text) {
		if (!StringUtils.hasText(text)) {
			return InvokeRequest.DEFAULT_DEADLINE;
		}
		try {
			return DurationStyle.detectAndParse(text.strip());
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException(
					"deadline: %s (expected: a duration such as 500ms or 10s)".formatted(Formats.printable(text)));
		}
	}

	/** Reads lines such as {@code tenant: acme}. */
	private static Attachments attachments(String lines) {
		Attachments attachments = new Attachments();
		for (String each : lines.lines().filter((line) -> !line.isBlank()).toList()) {
			int colon = each.indexOf(':');
			if (colon < 1) {
				throw new IllegalArgumentException("metadata: a line without a name (expected: name: value)");
			}
			attachments.put(each.substring(0, colon).strip(), each.substring(colon + 1).strip());
		}
		return attachments;
	}

	private static InvokeResult await(RpcServer server, InvokeRequest request) {
		try {
			return server.invoke(request).get(request.deadline().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("invoke: interrupted; the method may have run", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("invoke: no result: %s; the method may have run".formatted(ex), ex);
		}
	}

	private static InvalidEndpointRequestException invalid(RuntimeException ex) {
		String text = Formats.printable(String.valueOf(ex.getMessage()));
		return new InvalidEndpointRequestException(text, text);
	}

	/**
	 * Input of a call, as texts of the operator.
	 *
	 * @param service the service
	 * @param method signature or name of the method
	 * @param arguments an object of JSON; nothing for empty braces
	 * @param deadline a duration; nothing for the usual one
	 * @param metadata attachments, one a line
	 * @param credentials scheme and value; nothing for none
	 */
	record Input(@Nullable String service, @Nullable String method, @Nullable String arguments,
			@Nullable String deadline, @Nullable String metadata, @Nullable String credentials) {
	}

	/**
	 * Form of the call of a method.
	 *
	 * @param service identity of the service
	 * @param method signature of the method
	 * @param arguments JSON with a value for each parameter
	 * @param deadlineMillis usual time allowed
	 * @param problem why it cannot be called, null if it can
	 */
	record Form(String service, String method, String arguments, long deadlineMillis, @Nullable String problem) {
	}

	/**
	 * A call and its result.
	 *
	 * @param status status of the call
	 * @param result the result in JSON, null if the call failed
	 * @param error error of Connect in JSON, null if the call succeeded
	 * @param millis time that it took
	 * @param metadata attachments of the response
	 * @param mayHaveRun false if the method certainly did not run
	 */
	record Called(RpcStatus status, @JsonRawValue @Nullable String result, @JsonRawValue @Nullable String error,
			double millis, Map<String, String> metadata, boolean mayHaveRun) {

		/** Returns true if the arguments were refused. */
		boolean isInvalid() {
			return this.status == RpcStatus.INVALID_ARGUMENT && !this.mayHaveRun;
		}

	}

}
