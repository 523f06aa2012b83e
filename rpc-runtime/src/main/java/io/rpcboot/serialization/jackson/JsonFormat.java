package io.rpcboot.serialization.jackson;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * One value of JSON as the whole of a byte range. Own settings, independent of those of
 * the application.
 */
final class JsonFormat {

	/** More arrays and objects than there can be in the levels of a message. */
	private static final int MAX_DEPTH = 4 * Format.MAX_DEPTH;

	private static final int MAX_NUMBER = 1000;

	private static final int ROOM = 1024;

	private final JsonFactory factory = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH)
			.maxNumberLength(MAX_NUMBER)
			.maxStringLength(Integer.MAX_VALUE)
			.build())
		.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
		.disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
		.disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
		.disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
		.build();

	/** Write a value; messages name the method and the part of the call. */
	void write(String method, String what, OutputBuffer buffer, Consumer<JsonOutput> writer) {
		JsonOutput out = new JsonOutput(this.factory.createGenerator(ObjectWriteContext.empty(), new Target(buffer)));
		try (out) {
			writer.accept(out);
		}
		catch (RuntimeException ex) {
			throw PathException.failure(method, what, clear(ex));
		}
	}

	/** Read a value and nothing behind it; messages are as above. */
	<T extends @Nullable Object> T read(String method, String what, byte[] source, int offset, int length,
			Function<JsonInput, T> reader) {
		JsonInput in = new JsonInput(this.factory.createParser(ObjectReadContext.empty(), source, offset, length),
				length);
		try (in) {
			requireUtf8(source, offset, length);
			if (in.nextToken() == null) {
				throw new PathException("no value (expected: one)");
			}
			T value = reader.apply(in);
			if (in.nextToken() != null) {
				throw new PathException("%s behind the value (expected: nothing)".formatted(in.found()));
			}
			return value;
		}
		catch (RuntimeException ex) {
			throw PathException.failure(method, what, clear(ex));
		}
	}

	/**
	 * The parser would take a character that is written with more bytes than it needs.
	 */
	private static void requireUtf8(byte[] source, int offset, int length) {
		ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
		CharBuffer room = CharBuffer.allocate(ROOM);
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
		CoderResult result;
		do {
			room.clear();
			result = decoder.decode(bytes, room, true);
		}
		while (result.isOverflow());
		if (result.isError()) {
			throw new PathException("text is not UTF-8, at byte %d".formatted(bytes.position() - offset));
		}
	}

	/** Prepend a step to the path of a failure. */
	static RuntimeException at(String step, RuntimeException failure) {
		return PathException.at(step, clear(failure));
	}

	/** The words of a person for what Jackson says to who programs with it. */
	private static RuntimeException clear(RuntimeException failure) {
		if (!(failure instanceof JacksonException invalid)) {
			return failure;
		}
		String message = invalid.getOriginalMessage();
		if (!(failure instanceof StreamConstraintsException)) {
			return new PathException("no JSON at byte %d: %s".formatted(invalid.getLocation().getByteOffset(), message),
					invalid);
		}
		return new PathException(message.startsWith("Spill-over")
				? "names of properties with equal hash codes (expected: names of fields or keys)"
				: "a number or name that is too long (expected: at most %d digits, 50,000 characters)"
					.formatted(MAX_NUMBER),
				invalid);
	}

	/**
	 * Writes into the engine's buffer. Nothing more after a failure, although the
	 * generator writes what it still has when it is closed.
	 */
	private static final class Target extends OutputStream {

		private final OutputBuffer buffer;

		private boolean failed;

		private Target(OutputBuffer buffer) {
			this.buffer = buffer;
		}

		@Override
		public void write(int b) {
			write(new byte[] { (byte) b }, 0, 1);
		}

		@Override
		public void write(byte[] source, int offset, int length) {
			if (!this.failed) {
				this.failed = true;
				this.buffer.write(source, offset, length);
				this.failed = false;
			}
		}

	}

}
