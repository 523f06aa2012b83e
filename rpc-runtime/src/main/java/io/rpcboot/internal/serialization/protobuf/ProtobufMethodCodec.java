package io.rpcboot.internal.serialization.protobuf;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations.Body;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one method: its arguments are the fields of the request message, its result is
 * the field 1 of the response message, unless they are the messages themselves.
 * Thread-safe.
 */
final class ProtobufMethodCodec implements CarriedMethod {

	/** Name of the field of a result. */
	static final String RESULT = "value";

	private static final @Nullable Object[] NO_ARGUMENTS = {};

	private static final StripedPool<ProtobufInput> INPUTS = new StripedPool<>();

	private final String method;

	private final MethodMessage request;

	private final MethodMessage response;

	private final DeclaredExceptions exceptions;

	// created once, so that a call creates no lambdas

	private final BiConsumer<ProtobufOutput, @Nullable Object> argumentsWriter = this::writeArguments;

	private final BiConsumer<ProtobufOutput, @Nullable Object> elementWriter = this::writeElement;

	private final BiConsumer<ProtobufOutput, @Nullable Object> resultWriter = this::writeResult;

	private final BiConsumer<ProtobufOutput, @Nullable Object> exceptionWriter;

	/**
	 * Creates a codec.
	 * @param method name for messages
	 * @param request parameters in their order
	 * @param response result, or none
	 * @param exceptions exceptions of the throws clause
	 */
	ProtobufMethodCodec(String method, MethodMessage request, MethodMessage response, DeclaredExceptions exceptions) {
		this.method = method;
		this.request = request;
		this.response = response;
		this.exceptions = exceptions;
		this.exceptionWriter = (out, thrown) -> exceptions.write(out, (Throwable) Objects.requireNonNull(thrown));
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer buffer) {
		write("arguments", this.argumentsWriter, (arguments != null) ? arguments : NO_ARGUMENTS, buffer);
	}

	@Override
	public void serializeElement(Object element, OutputBuffer buffer) {
		write("element", this.elementWriter, element, buffer);
	}

	@Override
	public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		@Nullable Object[] values = new @Nullable Object[this.request.size()];
		read("element", source, offset, length, this.request, values);
		return values[values.length - 1];
	}

	@Override
	public void serializeResult(@Nullable Object value, OutputBuffer buffer) {
		write("result", this.resultWriter, value, buffer);
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer buffer) {
		if (!this.exceptions.declares(thrown)) {
			return false;
		}
		write("exception", this.exceptionWriter, thrown, buffer);
		return true;
	}

	/**
	 * Writes a message. If it does not fit the limit by a few bytes, they may have been
	 * reserved for lengths in vain, so it is written again with short ones. All of it is
	 * in the array, because the length in front of a message is known last, except long
	 * byte arrays.
	 */
	void write(String part, BiConsumer<ProtobufOutput, @Nullable Object> fields, @Nullable Object value,
			OutputBuffer buffer) {
		int start = buffer.position();
		OutputBuffer.Overflow overflow = buffer.overflow();
		buffer.overflow(null);
		ProtobufOutput out = (buffer.writer() instanceof ProtobufOutput kept) ? kept : new ProtobufOutput(buffer);
		buffer.writer(out);
		out.longValues(overflow);
		try {
			try {
				out.begin(false);
				fields.accept(out, value);
				out.finish();
			}
			catch (MessageTooLargeException ex) {
				if (buffer.hasOverflowed()) {
					throw ex;
				}
				buffer.position(start);
				out.begin(true);
				fields.accept(out, value);
				out.finish();
			}
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, part, ex);
		}
		finally {
			out.end();
			buffer.overflow(overflow);
		}
	}

	void writeArguments(ProtobufOutput out, @Nullable Object arguments) {
		@Nullable Object[] values = (@Nullable Object[]) Objects.requireNonNull(arguments);
		if (values.length != this.request.size()) {
			throw new PathException("%d values (expected: %d)".formatted(values.length, this.request.size()));
		}
		for (int i = 0; i < values.length; i++) {
			this.request.write(out, i, values[i]);
		}
	}

	private void writeElement(ProtobufOutput out, @Nullable Object value) {
		this.request.write(out, this.request.size() - 1, value);
	}

	void writeResult(ProtobufOutput out, @Nullable Object value) {
		if (this.response.size() > 0) {
			this.response.write(out, 0, value);
		}
		else if (value != null) {
			throw new PathException("%s (expected: no result)".formatted(value.getClass().getTypeName()));
		}
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		@Nullable Object[] values = new @Nullable Object[this.request.size()];
		read("arguments", source, offset, length, this.request, values);
		return values;
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return read("result", source, offset, length, this.response, null);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return (Throwable) Objects.requireNonNull(read("exception", source, offset, length, null, null));
	}

	/**
	 * Reads a message. The input goes back to the pool after success and is dropped after
	 * a failure.
	 * @param message the message, null for an exception
	 * @param values gets the values, null for one value
	 * @return the first value
	 */
	private @Nullable Object read(String part, byte[] source, int offset, int length, @Nullable MethodMessage message,
			@Nullable Object @Nullable [] values) {
		ProtobufInput free = INPUTS.take();
		ProtobufInput in = (free != null) ? free : new ProtobufInput(source, offset, length);
		in.read(source, offset, length);
		boolean isRead = false;
		@Nullable Object[] target = (values != null) ? values : in.value;
		try {
			if (message != null) {
				message.read(in, target);
			}
			else {
				target[0] = this.exceptions.read(in);
			}
			in.finish();
			isRead = true;
			return (target.length > 0) ? target[0] : null;
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, part, ex);
		}
		finally {
			in.value[0] = null;
			if (isRead) {
				INPUTS.give(in);
			}
			else {
				in.leave();
			}
		}
	}

	/** Returns true if the throws clause has the exception. */
	boolean declares(Throwable thrown) {
		return this.exceptions.declares(thrown);
	}

	/** Returns true if there is a throws clause. */
	boolean declaresAny() {
		return !this.exceptions.types().isEmpty();
	}

	void writeException(ProtobufOutput out, Throwable thrown) {
		this.exceptions.write(out, thrown);
	}

	/** Declares the request alone, without the members in Java. */
	Body declareRequest(Declarations file) {
		return this.request.declare(file, Map.of());
	}

	/** Declares the response alone, without the member in Java. */
	Body declareResponse(Declarations file) {
		return this.response.declare(file, Map.of());
	}

	@Override
	public void declare(Declarations file, String service, String type, String name, MethodDescriptor declared) {
		declare(file, service, type, name, declared, (request) -> request, (response) -> response);
	}

	/**
	 * Declares the method of a service with other fields.
	 * @param ofRequest returns all fields of the request
	 * @param ofResponse returns all fields of the response
	 */
	void declare(Declarations file, String service, String type, String name, MethodDescriptor declared,
			UnaryOperator<Body> ofRequest, UnaryOperator<Body> ofResponse) {
		Method method = declared.method();
		Map<String, Parameter> parameters = Arrays.stream(method.getParameters())
			.collect(Collectors.toMap(Parameter::getName, (each) -> each, (one, other) -> one));
		file.method(service, type, name, ofRequest.apply(this.request.declare(file, parameters)),
				ofResponse.apply(this.response.declare(file, Map.of(RESULT, method))), declared,
				this.exceptions.declare(file));
	}

}
