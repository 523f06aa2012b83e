package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.connect.ConnectError;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.GrpcMessage;
import io.rpcboot.internal.protocol.grpc.GrpcStatus;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.grpc.StatusDetails;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.call.ErrorResponse.Run;
import io.rpcboot.internal.server.call.ErrorResponse;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * End of a response that is no plain success.
 *
 * @param status status of the call
 * @param message text for the caller, empty for none
 * @param type class name of an undeclared exception, empty without one
 * @param detail a {@code google.protobuf.Any} with the exception, null for none
 * @param fields attachments, and what a hosted service adds
 * @param run knowledge of whether the method ran
 * @param isFinal true if the client should not repeat the call
 */
record ResponseTrailers(RpcStatus status, String message, String type, byte @Nullable [] detail,
		Collection<Map.Entry<String, String>> fields, Run run, boolean isFinal) {

	/** Flag of the frame that has trailers (gRPC-Web, "Message framing"). */
	private static final byte WEB_TRAILERS = (byte) 0x80;

	/** End of a call whose service has compressed its response, although it must not. */
	static final ResponseTrailers COMPRESSED_BY_SERVICE = new ResponseTrailers(RpcStatus.INTERNAL,
			"the service has compressed its response (expected: not without grpc-accept-encoding)", "", null, List.of(),
			Run.YES, false);

	private static final Pattern NOT_PRINTABLE = Pattern.compile("[^ -~]");

	/** Longest declared exception, in bytes, that fits into trailers of usual clients. */
	private static final int MAX_DETAIL = 4096;

	/** Returns the end of a call that did not run. */
	static ResponseTrailers notExecuted(RpcStatus status, String message) {
		return new ResponseTrailers(status, message, "", null, List.of(), Run.NO, false);
	}

	/** Returns the end of a call that its caller may not make, here and elsewhere. */
	static ResponseTrailers refused(AccessDenial why) {
		return new ResponseTrailers(why.status(), why.message(), "", null, List.of(), Run.NO, true);
	}

	/**
	 * Returns the end of a call that has thrown a declared exception.
	 * @param message simple name and text of the exception
	 * @param exception holds it as {@code google.protobuf.Any}
	 * @param begun has the attachments, null without any
	 */
	static ResponseTrailers declared(RpcStatus status, String message, OutputBuffer exception,
			@Nullable ResponseTrailers begun) {
		byte[] detail = (exception.length() <= MAX_DETAIL) ? exception.toByteArray() : null;
		return new ResponseTrailers(status, message, "", detail, (begun != null) ? begun.fields : List.of(), Run.YES,
				false);
	}

	/** Returns the end of a call that has failed. */
	static ResponseTrailers of(ErrorResponse error, Map<String, String> attachments) {
		String message = error.type().isEmpty() ? error.message() : error.type() + ": " + error.message();
		ResponseTrailers end = new ResponseTrailers(error.status(), message, error.type(), null, attachments.entrySet(),
				error.run(), error.isFinal());
		return error.details().isEmpty() ? end : end.with(List.of(Map.entry(ErrorResponse.DETAILS, error.details())));
	}

	/** Returns the end of a success with attachments. */
	static ResponseTrailers ok(Map<String, String> attachments) {
		return new ResponseTrailers(RpcStatus.OK, "", "", null, attachments.entrySet(), Run.YES, false);
	}

	/**
	 * Returns true if the call may have run, or the state of the server has prevented it:
	 * its client has done nothing wrong.
	 */
	boolean isHonest() {
		return this.run != Run.NO || this.status == RpcStatus.RESOURCE_EXHAUSTED || this.status == RpcStatus.UNAVAILABLE
				|| this.status == RpcStatus.DEADLINE_EXCEEDED;
	}

	/** Receives fields. */
	interface Fields {

		/** Receives a field. */
		void field(String name, String value, Indexing indexing);

	}

	/** Passes on what gRPC has in trailers. */
	void writeTo(Fields out) {
		out.field("grpc-status", GrpcStatus.format(this.status), Indexing.FIELD);
		if (!this.message.isEmpty()) {
			out.field("grpc-message", GrpcMessage.encode(this.message), Indexing.NAME);
		}
		if (this.detail != null) {
			// clients compare code and message with those beside it
			StatusDetails details = new StatusDetails(GrpcStatus.codeOf(this.status), this.message,
					List.of(this.detail));
			out.field("grpc-status-details-bin", details.format(), Indexing.NAME);
		}
		if (this.status != RpcStatus.OK) {
			writeOwn(out);
		}
		if (this.isFinal) {
			out.field("grpc-retry-pushback-ms", "-1", Indexing.FIELD);
		}
		if (this.status == RpcStatus.UNIMPLEMENTED) {
			out.field("grpc-accept-encoding", Gzip.NAME, Indexing.NONE);
		}
		this.fields.forEach((each) -> out.field(each.getKey(), each.getValue(), Indexing.NONE));
	}

	/** Passes on what clients of this project know beyond gRPC. */
	private void writeOwn(Fields out) {
		if (this.run != Run.MAYBE) {
			out.field("rpc-executed", String.valueOf(this.run == Run.YES), Indexing.FIELD);
		}
		if (this.status == RpcStatus.APPLICATION) {
			out.field("rpc-status", String.valueOf(this.status.code()), Indexing.FIELD);
		}
		if (!this.type.isEmpty()) {
			out.field("rpc-exception", GrpcMessage.encode(this.type), Indexing.NAME);
		}
	}

	/** Returns the last frame of a response of gRPC-Web: the trailers in its body. */
	private byte[] toWebFrame() {
		StringBuilder text = new StringBuilder();
		writeTo((name, value, indexing) -> text.append(name).append(": ").append(printable(value)).append("\r\n"));
		byte[] frame = new byte[MessagePrefix.LENGTH + text.length()];
		MessagePrefix.write(frame, 0, false, text.length());
		frame[0] = WEB_TRAILERS;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			frame[MessagePrefix.LENGTH + i] = (byte) c;
		}
		return frame;
	}

	/** Returns the last message of a response whose body has its end. */
	byte[] inBody(ContentType format) {
		if (format.isWeb()) {
			byte[] frame = toWebFrame();
			return (format == ContentType.GRPC_WEB_TEXT) ? Base64.getEncoder().encode(frame) : frame;
		}
		return ConnectError.endOfStream((this.status == RpcStatus.OK) ? null : toConnectError(), ownFields());
	}

	/** Returns a value without what would end its line. */
	private static String printable(String value) {
		return NOT_PRINTABLE.matcher(value).replaceAll("?");
	}

	/** Returns the error as Connect has it. */
	ConnectError toConnectError() {
		List<byte[]> details = new ArrayList<>();
		if (this.detail != null) {
			details.add(this.detail);
		}
		for (Map.Entry<String, String> each : this.fields) {
			if (each.getKey().equals(ErrorResponse.DETAILS)) {
				details.addAll(detailsOf(each.getValue()));
			}
		}
		return new ConnectError(this.status, this.message, details);
	}

	private static List<byte[]> detailsOf(String base64) {
		try {
			return StatusDetails.parse(base64).details();
		}
		catch (GrpcException ex) {
			return List.of(); // the status tells enough
		}
	}

	/** Returns the fields that are no part of the error. */
	List<Map.Entry<String, String>> ownFields() {
		return this.fields.stream().filter((each) -> !each.getKey().equals(ErrorResponse.DETAILS)).toList();
	}

	/** Returns this end without fields that were sent before. */
	ResponseTrailers without(Collection<Map.Entry<String, String>> sent) {
		return new ResponseTrailers(this.status, this.message, this.type, this.detail,
				this.fields.stream().filter((each) -> !sent.contains(each)).toList(), this.run, this.isFinal);
	}

	/** Returns this end with more fields. */
	ResponseTrailers with(List<Map.Entry<String, String>> more) {
		if (more.isEmpty()) {
			return this;
		}
		List<Map.Entry<String, String>> all = new ArrayList<>(this.fields);
		all.addAll(more);
		return new ResponseTrailers(this.status, this.message, this.type, this.detail, all, this.run, this.isFinal);
	}

}
