package io.rpcboot.internal.server.connection.http1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.connect.ConnectError;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.server.grpc.GrpcServer;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.ConnectionAdmission;
import io.rpcboot.internal.transport.PerAddressLimit;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.http1.Http1Exchange;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.InvokeRequest;
import io.rpcboot.server.InvokeResult;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Calls of operators at the server of their own process. Each is a request of HTTP/1.1
 * over a channel without a socket, so that it is a call like all others: for rules,
 * limits, deadlines, interceptors, meters and logs. Nothing of the application goes with
 * it: there is no certificate, and no credentials except those of the request.
 * Thread-safe.
 */
public final class OperatorCalls implements AutoCloseable {

	/** Maximum of calls at a time. */
	private static final int MAX_CALLS = 4;

	/** Longest head of a response, beside its attachments. */
	private static final int MAX_HEAD = 64 * 1024;

	/** Time that the server has to answer a call whose deadline is over. */
	private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Prefix of the names of fields that follow the response in gRPC. */
	private static final String TRAILER = "trailer-";

	private final ServerResources server;

	private final GrpcServer services;

	private final Semaphore permits = new Semaphore(MAX_CALLS);

	/** Null before the first call, and after the end. */
	private @Nullable Channels channels;

	private boolean closed;

	/**
	 * Channels within the process.
	 *
	 * @param transport their event loop
	 * @param endpoint address of the server
	 */
	private record Channels(Transport transport, Endpoint endpoint) {
	}

	/** Creates the calls of a server. */
	public OperatorCalls(ServerResources server, GrpcServer services) {
		this.server = server;
		this.services = services;
	}

	/**
	 * Calls a method. The first call opens a port in this process, which takes some
	 * milliseconds.
	 * @return the result, also of a call that failed; not on an event loop
	 * @throws java.util.NoSuchElementException if the method is not offered
	 * @throws IllegalArgumentException if it has a stream, or the attachments are too
	 * long
	 * @throws IllegalStateException if the server is closed
	 */
	public CompletableFuture<InvokeResult> call(InvokeRequest request) {
		String path = this.services.path(request.service(), request.method());
		Http1Exchange exchange = new Http1Exchange(path, fields(request),
				request.arguments().getBytes(StandardCharsets.UTF_8), MAX_HEAD + this.server.options.maxAttachments,
				this.server.options.maxFrameSize);
		if (lacksProof(request)) {
			return CompletableFuture.completedFuture(refused(RpcStatus.UNAUTHENTICATED,
					"an operator has no certificate, which rpc.server.ssl.client-auth=need asks for (expected: credentials, at a server with an authenticator)"));
		}
		if (!this.permits.tryAcquire()) {
			return CompletableFuture.completedFuture(refused(RpcStatus.RESOURCE_EXHAUSTED,
					"%d calls of operators are in flight (expected: fewer)".formatted(MAX_CALLS)));
		}
		long begin = System.nanoTime();
		CompletableFuture<InvokeResult> result = exchange.response()
			.orTimeout(request.deadline().toNanos() + GRACE_NANOS, TimeUnit.NANOSECONDS)
			.handle((response, failure) -> {
				this.permits.release();
				Duration took = Duration.ofNanos(System.nanoTime() - begin);
				return (response != null) ? result(response, took) : failed(failure, took);
			});
		try {
			Channels open = open();
			open.transport.connect(open.endpoint, this.server.options.handshakeTimeout, null,
					this.server.options.batching, (connection) -> exchange, exchange::fail);
		}
		catch (RuntimeException | Error ex) {
			exchange.fail(ex);
			throw ex;
		}
		return result.thenApplyAsync((done) -> done, this.server.hookThreads);
	}

	/** Returns arguments of a method in JSON, with a value for each field. */
	public String exampleOf(ServiceId service, String method) {
		return this.services.exampleOf(this.services.path(service, method));
	}

	private Map<String, String> fields(InvokeRequest request) {
		Map<String, String> fields = new LinkedHashMap<>(
				GrpcMetadata.encode(request.attachments(), this.server.options.maxAttachments));
		fields.put("host", "operator");
		fields.put("content-type", "application/json");
		fields.put("connect-protocol-version", "1");
		fields.put("connect-timeout-ms", String.valueOf(request.deadline().toMillis()));
		if (!request.service().version().isEmpty()) {
			fields.put("rpc-version", request.service().version());
		}
		if (!request.service().group().isEmpty()) {
			fields.put("rpc-group", request.service().group());
		}
		Credentials credentials = request.credentials();
		if (credentials != null) {
			fields.put(Credentials.ATTACHMENT, credentials.header());
		}
		return fields;
	}

	/**
	 * Returns true if the port serves no client without a certificate, and the request
	 * has no other proof either.
	 */
	private boolean lacksProof(InvokeRequest request) {
		ServerOptions options = this.server.options;
		TlsOptions tls = options.tls;
		boolean isNeeded = tls != null && options.hasTls() && tls.mode() == TlsOptions.Mode.REQUIRED
				&& tls.clientAuth() == TlsOptions.ClientAuth.NEED;
		boolean isChecked = this.server.access != null && this.server.access.takesCredentials();
		return isNeeded && (request.credentials() == null || !isChecked);
	}

	/** Returns the channels, which the first call opens. */
	private synchronized Channels open() {
		if (this.closed) {
			throw new IllegalStateException("the server is closed");
		}
		Channels known = this.channels;
		if (known != null) {
			return known;
		}
		ServerOptions options = this.server.options;
		Transport opened = new Transport("rpc-operator",
				EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS).withThreads(1),
				options.socket, options.idleTimeout, null);
		Http1ServerProtocol protocol = new Http1ServerProtocol(this.server, this.services.methods());
		try {
			int port = opened
				.listen("", 0, options.batching,
						new ConnectionAdmission(List.of(), List.of(), List.of(), new PerAddressLimit(0)),
						options.handshakeTimeout, protocol::open)
				.port();
			Channels made = new Channels(opened, new Endpoint("operator", port));
			this.channels = made;
			return made;
		}
		catch (IOException ex) {
			opened.close();
			throw new UncheckedIOException(ex);
		}
	}

	private static InvokeResult result(Http1Exchange.Response response, Duration took) {
		GrpcMetadata attachments = new GrpcMetadata();
		boolean mayHaveRun = true;
		boolean isJson = false;
		for (Map.Entry<String, String> each : response.fields()) {
			String name = each.getKey().toLowerCase(Locale.ROOT);
			mayHaveRun &= !(name.equals("rpc-executed") && each.getValue().equals("false"));
			isJson |= name.equals("content-type") && each.getValue().startsWith("application/json");
			attachments.add(name.startsWith(TRAILER) ? name.substring(TRAILER.length()) : name, each.getValue());
		}
		String body = new String(response.body(), StandardCharsets.UTF_8);
		if (!isJson) {
			return refused(status(response.status()), body.strip());
		}
		RpcStatus status = (response.status() == 200) ? RpcStatus.OK : ConnectError.statusOf(body);
		return new InvokeResult(status, body, attachments.attachments(), took, mayHaveRun);
	}

	/** Returns the status of a request that did not become a call. */
	private static RpcStatus status(int http) {
		return switch (http) {
			case 403 -> RpcStatus.PERMISSION_DENIED;
			case 431 -> RpcStatus.RESOURCE_EXHAUSTED;
			case 503 -> RpcStatus.UNAVAILABLE;
			default -> RpcStatus.INTERNAL;
		};
	}

	private static InvokeResult failed(Throwable failure, Duration took) {
		boolean isLate = failure instanceof TimeoutException;
		ConnectError error = new ConnectError(isLate ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.UNAVAILABLE,
				isLate ? "the server has not answered in time"
						: Objects.requireNonNullElseGet(failure.getMessage(), failure::toString),
				List.of());
		return new InvokeResult(error.status(), json(error), Attachments.none(), took, true);
	}

	private static InvokeResult refused(RpcStatus status, String message) {
		return new InvokeResult(status, json(new ConnectError(status, message, List.of())), Attachments.none(),
				Duration.ZERO, false);
	}

	private static String json(ConnectError error) {
		return new String(error.toJson(), StandardCharsets.UTF_8);
	}

	/** Closes the channels; calls in flight fail. */
	@Override
	public void close() {
		Channels open;
		synchronized (this) {
			this.closed = true;
			open = this.channels;
			this.channels = null;
		}
		if (open != null) {
			open.transport.close();
		}
	}

}
