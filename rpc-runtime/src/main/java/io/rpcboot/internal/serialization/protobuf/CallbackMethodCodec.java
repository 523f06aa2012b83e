package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.call.CallbackCall;
import io.rpcboot.internal.call.CallbackReply;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations.Body;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a method with callbacks. Its request is a stream: the first message has the
 * arguments, each other one a {@link CallbackReply}. Its response is a stream, too, of
 * {@link CallbackCall}s and at last the result. Thread-safe.
 */
final class CallbackMethodCodec implements CarriedMethod {

	/** Codec of the method without its callbacks. */
	private final ProtobufMethodCodec method;

	private final String name;

	private final List<CallbackMessages> callbacks;

	private final BiConsumer<ProtobufOutput, @Nullable Object> callWriter = (out, call) -> write(out,
			(CallbackCall) Objects.requireNonNull(call));

	private final BiConsumer<ProtobufOutput, @Nullable Object> replyWriter = (out, reply) -> write(out,
			(CallbackReply) Objects.requireNonNull(reply));

	/**
	 * Creates a codec.
	 * @param name name of the method, for messages
	 * @param callbacks callbacks in the order of the parameters
	 */
	CallbackMethodCodec(String name, ProtobufMethodCodec method, List<CallbackMessages> callbacks) {
		this.name = name;
		this.method = method;
		this.callbacks = List.copyOf(callbacks);
	}

	/** Writes the arguments except the callbacks, which stay at the client. */
	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		List<@Nullable Object> carried = new ArrayList<>();
		for (int i = 0; arguments != null && i < arguments.length; i++) {
			int index = i;
			if (this.callbacks.stream().noneMatch((each) -> each.parameter() == index)) {
				carried.add(arguments[i]);
			}
		}
		this.method.serializeArguments(carried.toArray(), out);
	}

	/** Returns the arguments with null for each callback. */
	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		@Nullable Object[] carried = this.method.deserializeArguments(source, offset, length);
		List<@Nullable Object> all = new ArrayList<>();
		for (Object each : carried) {
			all.add(each);
		}
		this.callbacks.forEach((each) -> all.add(each.parameter(), null));
		return all.toArray();
	}

	@Override
	public void serializeElement(Object element, OutputBuffer out) {
		this.method.write("reply of a callback", this.replyWriter, element, out);
	}

	@Override
	public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		CallbackReply reply = read(source, offset, length, CallbackMessages::numberOfReplies,
				(each) -> each.callback.readReply(each.in));
		if (reply == null) {
			throw PathException.failure(this.name, "reply of a callback",
					new PathException("a message without one (expected: the parameters in the first message alone)"));
		}
		return reply;
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		if (result instanceof CallbackCall) {
			this.method.write("call of a callback", this.callWriter, result, out);
		}
		else {
			this.method.serializeResult(result, out);
		}
	}

	/** Returns a {@link CallbackCall}, or the {@link CallbackCall.End} behind all. */
	@Override
	public Object deserializeResult(byte[] source, int offset, int length) {
		CallbackCall call = read(source, offset, length, CallbackMessages::numberOfCalls,
				(each) -> each.callback.readCall(each.in));
		return (call != null) ? call : new CallbackCall.End(this.method.deserializeResult(source, offset, length));
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		return this.method.serializeException(thrown, out);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return this.method.deserializeException(source, offset, length);
	}

	private void write(ProtobufOutput out, CallbackCall call) {
		this.callbacks.get(call.callback()).write(out, call);
	}

	private void write(ProtobufOutput out, CallbackReply reply) {
		this.callbacks.get(reply.callback()).write(out, reply);
	}

	/** Message of a callback whose length is next. */
	private record Part(CallbackMessages callback, ProtobufInput in) {
	}

	/** Reads the first field that belongs to a callback; null without one. */
	private <T> @Nullable T read(byte[] source, int offset, int length, ToIntFunction<CallbackMessages> number,
			Function<Part, T> reader) {
		ProtobufInput in = new ProtobufInput(source, offset, length);
		try {
			while (in.hasMore()) {
				int tag = in.readTag();
				for (CallbackMessages each : this.callbacks) {
					if (number.applyAsInt(each) == tag >>> 3) {
						return reader.apply(new Part(each, in));
					}
				}
				in.skip(tag);
			}
			return null;
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.name, "callback", ex);
		}
	}

	@Override
	public void declare(Declarations file, String service, String type, String name, MethodDescriptor declared) {
		this.method.declare(file, service, type, name, declared,
				(request) -> with(request, this.callbacks.stream().map((each) -> each.declareReplies(file)).toList()),
				(response) -> with(response, this.callbacks.stream().map((each) -> each.declareCalls(file)).toList()));
	}

	private static Body with(Body body, Collection<FieldDeclaration> others) {
		List<FieldDeclaration> all = new ArrayList<>(body.fields());
		all.addAll(others);
		all.sort(Comparator.comparing(FieldDeclaration::number));
		return new Body(all, body.reserved(), null);
	}

}
