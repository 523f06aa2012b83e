package io.rpcboot.spring.actuate.endpoint;

import java.security.Principal;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Supplier;

import io.rpcboot.spring.actuate.descriptor.Formats;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Web variant of the endpoint {@code rpc}: considers the user, and answers errors with an
 * HTTP status.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = RpcEndpoint.class)
public class RpcEndpointWebExtension {

	private static final int CONFLICT = 409;

	private final RpcEndpoint delegate;

	private final RpcEndpointProperties properties;

	RpcEndpointWebExtension(RpcEndpoint delegate, RpcEndpointProperties properties) {
		this.delegate = delegate;
		this.properties = properties;
	}

	/**
	 * Returns a list or one of its elements.
	 * @param security the user
	 * @param path as for {@link RpcEndpoint#part}
	 * @param since as for {@link RpcEndpoint#part}
	 * @param form what the client accepts; text for files alone
	 * @return a problem with status 404 if there is no such element
	 */
	@ReadOperation(producesFrom = AnswerForm.class)
	public WebEndpointResponse<Object> part(SecurityContext security,
			@Selector(match = Selector.Match.ALL_REMAINING) String[] path, @Nullable Long since, AnswerForm form) {
		Object part = this.delegate.part(path, since, this.properties.showsValues(security));
		if (part == null) {
			return new WebEndpointResponse<>(problem(this.delegate.problem(path)), WebEndpointResponse.STATUS_NOT_FOUND,
					form.json().getProducedMimeType());
		}
		if (part instanceof String document) {
			return new WebEndpointResponse<>(document, AnswerForm.JSON);
		}
		if (form == AnswerForm.TEXT && part instanceof ProtoReport.One file) {
			return new WebEndpointResponse<>(file.text(), form);
		}
		return new WebEndpointResponse<>(part, form.json());
	}

	/**
	 * Runs an operation on the server of this process, or {@code invoke}: calls one of
	 * its methods with nothing of the application, except over JMX.
	 * @param security the user
	 * @param operation as for {@link RpcEndpoint#operate}, or {@code invoke}
	 * @param weight as for {@link RpcEndpoint#operate}
	 * @param service for {@code invoke}: the service
	 * @param method for {@code invoke}: name or signature of the method
	 * @param arguments for {@code invoke}: the parameters by name, as text of JSON; null
	 * for none
	 * @param deadline for {@code invoke}: time allowed, such as {@code 500ms}; null for
	 * ten seconds
	 * @param metadata for {@code invoke}: attachments, a line each, such as
	 * {@code tenant: acme}; null for none
	 * @param credentials for {@code invoke}: scheme and value, such as
	 * {@code Bearer ...}; null for none
	 * @return the state after the operation, or status and result of the call; a problem
	 * with status 400 for an unknown operation or other bad input, 404 for an unknown
	 * method, 409 if the server cannot run it
	 */
	@WriteOperation
	public WebEndpointResponse<Object> operate(SecurityContext security, @Selector String operation,
			@Nullable String weight, @Nullable String service, @Nullable String method, @Nullable String arguments,
			@Nullable String deadline, @Nullable String metadata, @Nullable String credentials) {
		if (operation.equals("invoke")) {
			return invoke(new InvokeOperation.Input(service, method, arguments, deadline, metadata, credentials),
					security);
		}
		return answer(() -> this.delegate.operate(operation, weight, who(security)));
	}

	private WebEndpointResponse<Object> invoke(InvokeOperation.Input input, SecurityContext security) {
		Principal user = security.getPrincipal();
		WebEndpointResponse<Object> answer = answer(
				() -> this.delegate.call(input, (user != null) ? user.getName() : "anonymous"));
		return (answer.getBody() instanceof InvokeOperation.Called called && called.isInvalid())
				? new WebEndpointResponse<>(called, WebEndpointResponse.STATUS_BAD_REQUEST) : answer;
	}

	/**
	 * Changes a setting of the running application.
	 * @param security the user
	 * @param list as for {@link RpcEndpoint#change}
	 * @param property as for {@link RpcEndpoint#change}
	 * @param value as for {@link RpcEndpoint#change}
	 * @return the setting; a problem with status 400 for a wrong name or value, 409 if
	 * the server cannot take it
	 */
	@WriteOperation
	public WebEndpointResponse<Object> change(SecurityContext security, @Selector String list,
			@Selector String property, @Nullable String value) {
		return answer(() -> this.delegate.change(list, property, value, who(security),
				this.properties.showsValues(security)));
	}

	private static String who(SecurityContext security) {
		Principal user = security.getPrincipal();
		return (user != null) ? "requested by " + Formats.printable(user.getName()) : "requested over HTTP";
	}

	private static WebEndpointResponse<Object> answer(Supplier<Object> operation) {
		try {
			return new WebEndpointResponse<>(operation.get());
		}
		catch (InvalidEndpointRequestException ex) {
			return problem(ex.getMessage(), WebEndpointResponse.STATUS_BAD_REQUEST);
		}
		catch (NoSuchElementException ex) {
			return problem(ex.getMessage(), WebEndpointResponse.STATUS_NOT_FOUND);
		}
		catch (IllegalStateException ex) {
			return problem(ex.getMessage(), CONFLICT);
		}
	}

	private static WebEndpointResponse<Object> problem(@Nullable String why, int status) {
		return new WebEndpointResponse<>(problem(why), status);
	}

	private static Object problem(@Nullable String why) {
		return Map.of("problem", String.valueOf(why));
	}

}
