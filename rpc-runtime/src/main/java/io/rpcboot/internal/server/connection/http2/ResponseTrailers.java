package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.connect.ConnectError;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.StatusDetails;
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
