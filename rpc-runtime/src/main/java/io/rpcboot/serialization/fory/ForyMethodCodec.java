package io.rpcboot.serialization.fory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceTypes;

import org.jspecify.annotations.Nullable;

/**
 * One method: the arguments one after the other, or the result. Links the types of
 * arguments and replies apart, because a side reads only one of them and only that was
 * found to be readable.
 */
final class ForyMethodCodec implements MethodCodec {

	private static final @Nullable Object[] NO_ARGUMENTS = {};

	private final ForyEngine.Pool engines;

	private final String method;

	private final List<ForyType> parameters;

	private final @Nullable ForyType result;

	private final @Nullable ForyExceptions exceptions;

	private ForyMethodCodec(ForyEngine.Pool engines, String method, List<ForyType> parameters,
			@Nullable ForyType result, @Nullable ForyExceptions exceptions) {
		this.engines = engines;
		this.method = method;
		this.parameters = parameters;
		this.result = result;
		this.exceptions = exceptions;
	}

	/** For arguments alone. */
	static ForyMethodCodec ofArguments(ForyEngine.Pool engines, String name, ContractMethod own, ContractMethod written,
			ForyTypes linker) {
		List<ForyType> parameters = new ArrayList<>();
		for (int i = 0; i < own.parameters().size(); i++) {
			parameters.add(linker.link(own.parameters().get(i), written.parameters().get(i),
					"%s: argument %d".formatted(name, i + 1)));
		}
		return new ForyMethodCodec(engines, name, parameters, null, null);
	}

	/** For results and exceptions alone. */
	static ForyMethodCodec ofReplies(ForyEngine.Pool engines, String name, ServiceTypes types, ContractMethod own,
			ContractMethod written, ForyTypes linker) {
		ForyType result = own.result().equals(TypeRef.VOID) ? null
				: linker.link(own.result(), written.result(), name + ": result");
		return new ForyMethodCodec(engines, name, List.of(), result,
				new ForyExceptions(types, own.exceptions(), written.exceptions(), linker, name));
	}

	/** For both. */
	ForyMethodCodec withReplies(ForyMethodCodec replies) {
		return new ForyMethodCodec(this.engines, this.method, this.parameters, replies.result, replies.exceptions);
	}

	private void write(String what, OutputBuffer buffer, Consumer<ForyOutput> writer) {
		ForyEngine engine = this.engines.acquire();
		try {
			ForyOutput out = engine.output(buffer);
			writer.accept(out);
			out.finish();
		}
		catch (RuntimeException ex) {
			throw ForyFailure.in(this.method, what, ex);
		}
		finally {
			this.engines.release(engine);
		}
	}

	private <T extends @Nullable Object> T read(String what, byte[] source, int offset, int length,
			Function<ForyInput, T> reader) {
		ForyEngine engine = this.engines.acquire();
		try {
			ForyInput in = engine.input(source, offset, length);
			T value = reader.apply(in);
			in.requireEnd();
			return value;
		}
		catch (RuntimeException ex) {
			throw ForyFailure.in(this.method, what, ex);
		}
		finally {
			this.engines.release(engine);
		}
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer buffer) {
		@Nullable Object[] values = (arguments == null) ? NO_ARGUMENTS : arguments;
		write("arguments", buffer, (out) -> {
			if (values.length != this.parameters.size()) {
				throw new ForyFailure("%d values (expected: %d)".formatted(values.length, this.parameters.size()));
			}
			for (int i = 0; i < values.length; i++) {
				ForyElements.write(out, this.parameters.get(i), values[i], i);
			}
		});
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return read("arguments", source, offset, length, (in) -> {
			@Nullable Object[] values = new @Nullable Object[this.parameters.size()];
			for (int i = 0; i < values.length; i++) {
				values[i] = ForyElements.read(in, this.parameters.get(i), i);
			}
			return values;
		});
	}

	@Override
	public void serializeResult(@Nullable Object value, OutputBuffer buffer) {
		write("result", buffer, (out) -> {
			if (this.result != null) {
				this.result.writeNullable(out, value);
			}
			else if (value != null) {
				throw new ForyFailure("%s (expected: no result)".formatted(value.getClass().getName()));
			}
		});
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return this.<@Nullable Object>read("result", source, offset, length,
				(in) -> (this.result != null) ? this.result.readNullable(in) : null);
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer buffer) {
		ForyExceptions declared = this.exceptions;
		int index = (declared != null) ? declared.nearest(thrown) : -1;
		if (declared == null || index < 0) {
			return false;
		}
		write("exception", buffer, (out) -> declared.write(out, index, thrown));
		return true;
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return read("exception", source, offset, length, (in) -> {
			if (this.exceptions == null) {
				throw new ForyFailure("an exception (expected: none)");
			}
			return this.exceptions.read(in);
		});
	}

}
