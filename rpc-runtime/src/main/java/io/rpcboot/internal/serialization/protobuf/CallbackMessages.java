package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.call.CallbackCall;
import io.rpcboot.internal.call.CallbackReply;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations.Body;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.CallbackNode;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one callback: its calls are a field of the response, and their replies one
 * of the request.
 *
 * <pre>
 * message ProgressCall {
 *   int64 id = 1;
 *   oneof choice {
 *     ProgressGoOnRequest go_on = 5;
 *     ProgressPercentRequest percent = 6;
 *   }
 * }
 *
 * message ProgressReply {
 *   int64 id = 1;
 *   int32 code = 2;                     // of gRPC, 0 for a result
 *   string message = 3;
 *   google.protobuf.Any exception = 4;  // if a method declares any
 *   oneof choice {
 *     ProgressGoOnResponse go_on = 5;
 *     ProgressPercentResponse percent = 6;
 *   }
 * }
 * </pre>
 */
final class CallbackMessages {

	/** Number of the first method. */
	static final int FIRST = 5;

	private static final int ID = 1;

	private static final int CODE = 2;

	private static final int MESSAGE = 3;

	private static final int EXCEPTION = 4;

	/** Longest message in characters. */
	private static final int MAX_MESSAGE = 2_000;

	/** Bytes that are reserved for the length of a message. */
	private static final int PREFIX = 1;

	private final CallbackNode node;

	/** Index among the callbacks of the method. */
	private final int index;

	/** Number of the field with replies. */
	private final int number;

	private final LockLine line;

	private final List<ProtobufMethodCodec> methods;

	/** Names of the methods in Pascal case. */
	private final List<String> names;

	private final LengthGuess guess = new LengthGuess();

	/**
	 * Creates the messages of a parameter.
	 * @param index index among the callbacks of the method
	 * @param number number of the field with replies. That of the field with calls is the
	 * next one, because 1 is the result
	 * @param line numbers of the methods by their names, from {@link #FIRST} on
	 * @param methods codecs of the methods by number
	 * @param names their names in Pascal case
	 */
	CallbackMessages(CallbackNode node, int index, int number, LockLine line, List<ProtobufMethodCodec> methods,
			List<String> names) {
		this.node = node;
		this.index = index;
		this.number = number;
		this.line = line;
		this.methods = methods;
		this.names = names;
	}

	/** Returns the index of the parameter. */
	int parameter() {
		return this.node.index();
	}

	int numberOfReplies() {
		return this.number;
	}

	int numberOfCalls() {
		return this.number + 1;
	}

	private int numberOf(int method) {
		return this.line.numbers().getOrDefault(this.node.type().methods().get(method).name(), 0);
	}

	private int methodOf(int field) {
		for (int i = 0; i < this.methods.size(); i++) {
			if (numberOf(i) == field) {
				return i;
			}
		}
		return CallbackCall.UNKNOWN;
	}

	void write(ProtobufOutput out, CallbackCall call) {
		int start = out.startMessage(numberOfCalls(), PREFIX);
		out.put(ID, call.id());
		int arguments = out.startMessage(numberOf(call.method()), PREFIX);
		this.methods.get(call.method()).writeArguments(out, call.arguments());
		out.endMessage(arguments, PREFIX, this.guess);
		out.endMessage(start, PREFIX, this.guess);
	}

	void write(ProtobufOutput out, CallbackReply reply) {
		int start = out.startMessage(this.number, PREFIX);
		out.put(ID, reply.id());
		CallbackReply.Failure failure = reply.failure();
		if (failure != null) {
			writeFailure(out, failure, reply.method());
		}
		else {
			int result = out.startMessage(numberOf(reply.method()), PREFIX);
			this.methods.get(reply.method()).writeResult(out, reply.value());
			out.endMessage(result, PREFIX, this.guess);
		}
		out.endMessage(start, PREFIX, this.guess);
	}

	private void writeFailure(ProtobufOutput out, CallbackReply.Failure failure, int method) {
		out.put(CODE, failure.code());
		out.writeString(MESSAGE, failure.message());
		Throwable thrown = failure.thrown();
		if (thrown != null && method != CallbackCall.UNKNOWN && this.methods.get(method).declares(thrown)) {
			int start = out.startMessage(EXCEPTION, PREFIX);
			this.methods.get(method).writeException(out, thrown);
			out.endMessage(start, PREFIX, this.guess);
		}
	}

	/** Reads the call whose length is next. */
	CallbackCall readCall(ProtobufInput in) {
		int end = in.readPairEnd();
		long id = 0;
		int method = CallbackCall.UNKNOWN;
		@Nullable Object[] arguments = {};
		RuntimeException unreadable = null;
		while (in.position < end) {
			int tag = in.readTag();
			int known = methodOf(tag >>> 3);
			if (tag >>> 3 == ID) {
				id = in.readInt64();
			}
			else if (known != CallbackCall.UNKNOWN) {
				method = known;
				try {
					arguments = nested(in, (range) -> this.methods.get(known)
						.deserializeArguments(range.array, range.position, range.limit - range.position));
				}
				catch (RuntimeException ex) {
					unreadable = ex;
				}
			}
			else {
				in.skip(tag);
			}
		}
		in.requirePosition(end);
		return new CallbackCall(this.index, method, id, arguments, unreadable);
	}

	/** Reads the reply whose length is next. */
	CallbackReply readReply(ProtobufInput in) {
		int end = in.readPairEnd();
		long id = 0;
		int code = 0;
		String message = "";
		int method = CallbackCall.UNKNOWN;
		Object value = null;
		Throwable thrown = null;
		while (in.position < end) {
			int tag = in.readTag();
			int known = methodOf(tag >>> 3);
			switch (tag >>> 3) {
				case ID -> id = in.readInt64();
				case CODE -> code = in.readInteger();
				case MESSAGE -> message = PrintableText.of(in.readString(), MAX_MESSAGE);
				case EXCEPTION -> thrown = nested(in, this::readException);
				default -> {
					if (known == CallbackCall.UNKNOWN) {
						in.skip(tag);
						continue;
					}
					method = known;
					try {
						value = this.<@Nullable Object>nested(in, (range) -> this.methods.get(known)
							.deserializeResult(range.array, range.position, range.limit - range.position));
					}
					catch (RuntimeException ex) {
						code = RpcStatus.INTERNAL.code();
						message = "the reply cannot be read: " + ex.getMessage();
					}
				}
			}
		}
		in.requirePosition(end);
		if (code == 0 && method == CallbackCall.UNKNOWN) {
			code = RpcStatus.INTERNAL.code();
			message = "the reply has neither a result nor a code";
		}
		return new CallbackReply(this.index, method, id, value,
				(code != 0) ? CallbackReply.Failure.of(code, message, thrown) : null);
	}

	/** Reads an exception that a method declares; null for another one. */
	private @Nullable Throwable readException(ProtobufInput range) {
		for (ProtobufMethodCodec each : this.methods) {
			if (each.declaresAny()) {
				try {
					return each.deserializeException(range.array, range.position, range.limit - range.position);
				}
				catch (SerializationException ex) {
					// the code tells enough, unless another method declares it
				}
			}
		}
		return null;
	}

	private <T extends @Nullable Object> T nested(ProtobufInput in, Function<ProtobufInput, T> reader) {
		int outside = in.enterPacked();
		int end = in.limit;
		try {
			return reader.apply(in);
		}
		finally {
			in.position = end;
			in.leavePacked(outside);
		}
	}

	/** Declares the field of the request with the replies. */
	FieldDeclaration declareReplies(Declarations file) {
		List<FieldDeclaration> fields = new ArrayList<>(List.of(field("id", ID, TypeName.INT64),
				field("code", CODE, TypeName.INT32), field("message", MESSAGE, TypeName.STRING)));
		if (this.methods.stream().anyMatch(ProtobufMethodCodec::declaresAny)) {
			fields.add(field("exception", EXCEPTION, file.wellKnown(WellKnownFile.ANY)));
		}
		return declare(file, this.number, "Reply", fields, "Response", (method) -> method.declareResponse(file));
	}

	/** Declares the field of the response with the calls. */
	FieldDeclaration declareCalls(Declarations file) {
		List<FieldDeclaration> fields = new ArrayList<>(List.of(field("id", ID, TypeName.INT64)));
		return declare(file, numberOfCalls(), "Call", fields, "Request", (method) -> method.declareRequest(file));
	}

	private FieldDeclaration declare(Declarations file, int of, String suffix, List<FieldDeclaration> fields,
			String ofMethod, Function<ProtobufMethodCodec, Body> body) {
		String type = this.node.type().type().getName();
		for (int i = 0; i < this.methods.size(); i++) {
			String method = this.names.get(i);
			Body message = body.apply(this.methods.get(i));
			TypeName name = (message.known() != null) ? message.known()
					: file.message(TypeRef.of(type + "$" + method + ofMethod), message::fields, message.reserved());
			fields.add(new FieldDeclaration(ProtoNames.snake(method), numberOf(i), Label.CHOICE, name, null,
					this.node.type().methods().get(i).method()));
		}
		fields.sort(Comparator.comparing(FieldDeclaration::number));
		TypeName message = file.message(TypeRef.of(type + suffix), () -> fields, this.line.reserved());
		return new FieldDeclaration(ProtoNames.snake(this.node.name()), of, Label.OPTIONAL, message, null);
	}

	private static FieldDeclaration field(String name, int number, TypeName type) {
		return new FieldDeclaration(name, number, Label.IMPLICIT, type, null);
	}

}
