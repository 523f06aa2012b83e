package io.rpcboot.internal.client.connection.http2;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.security.CachedCredentials;
import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.UserAgent;
import io.rpcboot.internal.protocol.http2.FrameTemplate;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HpackEncoder;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Writes HEADERS of requests: the fields of a method from a template, then timeout and
 * attachments. Event loop only.
 */
final class RequestHeaders {

	private static final int MAX_DIGITS = 99_999_999;

	private static final int MILLIS = 1000;

	/** Longest credentials that enter the table of the server: a quarter of it. */
	private static final int MAX_INDEXED = 1024;

	/** Longest path of a request that is passed on that enters the table. */
	private static final int MAX_INDEXED_PATH = 100;

	private final Http2FrameWriter writer;

	private final HpackEncoder encoder;

	private final String authority;

	private final String scheme;

	private final String userAgent;

	private final @Nullable CachedCredentials credentials;

	/** Memory of requests that are passed on over this connection. */
	final AtomicLong passing = new AtomicLong();

	/** Methods by their number; the array is replaced. Any thread adds. */
	private volatile @Nullable Method[] methods = {};

	/** Timeout of an earlier request, in milliseconds, and its field. */
	private int lastMillis = -1;

	private byte[] lastTimeout = {};

	/** Generation of the encoder for which that field is valid. */
	private int lastGeneration;

	/**
	 * Creates the headers of a connection.
	 * @param authority host and port of the server
	 * @param isEncrypted true with TLS
	 * @param application name of this application, empty for none
	 * @param credentials credentials of calls without their own, null for none
	 */
	RequestHeaders(Http2FrameWriter writer, String authority, boolean isEncrypted, String application,
			@Nullable CachedCredentials credentials) {
		this.writer = writer;
		this.encoder = writer.encoder();
		this.authority = authority;
		this.scheme = isEncrypted ? "https" : "http";
		this.userAgent = UserAgent.of(application);
		this.credentials = credentials;
	}

	/** Method with its HEADERS. */
	private static final class Method {

		private final String path;

		private final ServiceBinding binding;

		/** Hashes of contracts, empty for none. */
		private final String contracts;

		/** HEADERS without timeout, null before the first request. */
		private @Nullable FrameTemplate template;

		Method(String path, ServiceBinding binding, String contracts) {
			this.path = path;
			this.binding = binding;
			this.contracts = contracts;
		}

	}

	/**
	 * Adds the methods of a service, before its first call, or replaces them. Any thread.
	 * @param contracts hashes of contracts by the indices of methods, empty for none
	 */
	synchronized void add(ServiceBinding binding, List<String> paths, List<String> contracts) {
		int first = binding.firstNumber();
		@Nullable Method[] all = Arrays.copyOf(this.methods, Math.max(this.methods.length, first + paths.size()));
		for (int i = 0; i < paths.size(); i++) {
			all[first + i] = new Method(paths.get(i), binding, contracts.isEmpty() ? "" : contracts.get(i));
		}
		this.methods = all;
	}

	/** Returns the path of a call that was written. */
	String path(ClientCall call) {
		return method(call).path;
	}

	/** Returns the service of a call that was written. */
	ServiceBinding binding(ClientCall call) {
		return method(call).binding;
	}

	private Method method(ClientCall call) {
		return Objects.requireNonNull(this.methods[call.method.number]);
	}

	/** Writes HEADERS of a call that asks for the contract of its service. */
	void writeQuery(ByteBuf out, int streamId, ClientCall call) {
		String path = path(call);
		Method query = new Method(ContractField.path(path.substring(1, path.lastIndexOf('/'))), binding(call), "");
		int start = out.writerIndex();
		writeFields(out, streamId, query, start);
		writeCredentials(out);
		this.writer.endHeaders(out, start);
	}

	/** Writes HEADERS of a call, which DATA follow. */
	void write(ByteBuf out, int streamId, ClientCall call) {
		@Nullable Method[] known = this.methods;
		int number = call.method.number;
		Method method = (number < known.length) ? known[number] : null;
		if (method == null) {
			throw new IllegalStateException("no path of " + call.method.descriptor);
		}
		int start = out.writerIndex();
		FrameTemplate template = method.template;
		if (template == null || template.generation() != this.encoder.generation()) {
			writeFields(out, streamId, method, start);
		}
		else {
			template.writeHead(out, streamId, 0);
		}
		if (call.remainingMillis < Integer.MAX_VALUE) {
			writeTimeout(out, call.remainingMillis);
		}
		boolean authorized = false;
		CallMetadata metadata = call.context;
		if (metadata != null && metadata.attachments().length > 0) {
			authorized = writeAttachments(out, metadata.attachments());
		}
		if (this.credentials != null && !authorized) {
			writeCredentials(out);
		}
		this.writer.endHeaders(out, start);
	}

	/**
	 * Writes HEADERS of a request that is passed on.
	 * @param millis time that is left, {@link Integer#MAX_VALUE} for any
	 */
	void write(ByteBuf out, int streamId, PassedFields fields, int millis) {
		int start = this.writer.beginHeaders(out, streamId, false);
		this.encoder.encode(out, ":method", fields.verb(), Indexing.FIELD);
		this.encoder.encode(out, ":scheme", this.scheme, Indexing.FIELD);
		this.encoder.encode(out, ":path", fields.path(),
				(fields.path().length() <= MAX_INDEXED_PATH) ? Indexing.FIELD : Indexing.NONE);
		this.encoder.encode(out, ":authority", this.authority, Indexing.FIELD);
		boolean authorized = false;
		for (HeaderField each : fields.others()) {
			authorized |= each.name().equals(Credentials.ATTACHMENT);
			this.encoder.encode(out, each);
		}
		if (millis < Integer.MAX_VALUE) {
			if (fields.isConnect()) {
				this.encoder.encode(out, "connect-timeout-ms", String.valueOf(millis), Indexing.NAME);
			}
			else {
				writeTimeout(out, millis);
			}
		}
		if (!authorized) {
			writeCredentials(out);
		}
		this.writer.endHeaders(out, start);
	}

	private void writeCredentials(ByteBuf out) {
		Credentials newest = (this.credentials != null) ? this.credentials.newest() : null;
		if (newest != null) {
			this.encoder.encode(out, Credentials.ATTACHMENT, newest.header(),
					(newest.header().length() <= MAX_INDEXED) ? Indexing.FIELD : Indexing.NEVER);
		}
	}

	/** Returns true if the attachments have credentials. */
	private boolean writeAttachments(ByteBuf out, byte[] attachments) {
		boolean[] authorized = new boolean[1];
		MetadataEncoder.read(attachments, (name, value) -> {
			boolean isSecret = name.equals(Credentials.ATTACHMENT);
			authorized[0] |= isSecret;
			this.encoder.encode(out, name, value, isSecret ? Indexing.NEVER : Indexing.NONE);
		});
		return authorized[0];
	}

	/**
	 * Takes UNAUTHENTICATED: asks for other credentials if the server refuses these, or
	 * may do so. A method that has run refuses something else. Any thread.
	 */
	void unauthenticated(ClientCall call, Execution execution) {
		CallMetadata metadata = call.context;
		boolean hasOwn = metadata != null && hasCredentials(metadata.attachments());
		if (this.credentials == null || hasOwn || execution == Execution.CERTAIN) {
			return;
		}
		if (execution == Execution.POSSIBLE) {
			this.credentials.doubted();
		}
		else {
			this.credentials.refused();
		}
	}

	private static boolean hasCredentials(byte[] attachments) {
		boolean[] found = new boolean[1];
		if (attachments.length > 0) {
			MetadataEncoder.read(attachments, (name, value) -> found[0] |= name.equals(Credentials.ATTACHMENT));
		}
		return found[0];
	}

	private void writeFields(ByteBuf out, int streamId, Method method, int start) {
		int generation = this.encoder.generation();
		int index = this.writer.beginHeaders(out, streamId, false);
		this.encoder.encode(out, ":method", "POST", Indexing.FIELD);
		this.encoder.encode(out, ":scheme", this.scheme, Indexing.FIELD);
		this.encoder.encode(out, ":path", method.path, Indexing.FIELD);
		this.encoder.encode(out, ":authority", this.authority, Indexing.FIELD);
		this.encoder.encode(out, "te", "trailers", Indexing.FIELD);
		this.encoder.encode(out, "content-type", "application/grpc", Indexing.FIELD);
		this.encoder.encode(out, "grpc-accept-encoding", Gzip.NAME, Indexing.FIELD);
		this.encoder.encode(out, "user-agent", this.userAgent, Indexing.FIELD);
		ServiceId service = method.binding.service().id();
		if (!service.version().isEmpty()) {
			this.encoder.encode(out, "rpc-version", service.version(), Indexing.FIELD);
		}
		if (!service.group().isEmpty()) {
			this.encoder.encode(out, "rpc-group", service.group(), Indexing.FIELD);
		}
		if (!method.contracts.isEmpty()) {
			this.encoder.encode(out, ContractField.NAME, method.contracts, Indexing.FIELD);
		}
		this.writer.endHeaders(out, index);
		if (this.encoder.generation() == generation) {
			method.template = FrameTemplate.capture(out, start, generation);
		}
	}

	private void writeTimeout(ByteBuf out, int millis) {
		int generation = this.encoder.generation();
		if (millis == this.lastMillis && generation == this.lastGeneration) {
			out.writeBytes(this.lastTimeout);
			return;
		}
		int start = out.writerIndex();
		this.encoder.encode(out, "grpc-timeout", (millis <= MAX_DIGITS) ? millis + "m" : millis / MILLIS + "S",
				Indexing.NAME);
		if (generation == this.encoder.generation()) {
			this.lastMillis = millis;
			this.lastTimeout = ByteBufUtil.getBytes(out, start, out.writerIndex() - start);
			this.lastGeneration = generation;
		}
	}

}
