package io.rpcboot.internal.serialization.json;

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
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
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
 * Reads and writes one JSON value as the whole of a byte range. The settings of Jackson
 * are independent of those of the application. Thread-safe.
 */
public final class JsonStreams {

	/**
	 * Maximum depth of arrays and objects, more than the levels of a message can have.
	 */
	private static final int MAX_DEPTH = 4 * Format.MAX_DEPTH;

	private static final int MAX_NUMBER = 1000;

	private static final int DECODED_CHARS = 1024;

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

	/**
	 * Writes a value.
	 * @param method name of the method, for messages
	 * @param what part of the call, for messages
	 */
	public void write(String method, String what, OutputBuffer buffer, Consumer<JsonOutput> writer) {
		JsonOutput out = new JsonOutput(this.factory.createGenerator(ObjectWriteContext.empty(), new Target(buffer)));
		try (out) {
			writer.accept(out);
		}
		catch (RuntimeException ex) {
			throw PathException.failure(method, what, clear(ex));
		}
	}

	/**
	 * Reads a value. Refuses anything behind it.
	 * @param method name of the method, for messages
	 * @param what part of the call, for messages
	 */
	public <T extends @Nullable Object> T read(String method, String what, byte[] source, int offset, int length,
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
		finally {
			in.budget().leave();
		}
	}

	/**
	 * Returns the text of a property, anywhere in an object. Reads the object once more.
	 * @param in parser within the object, which stays where it is
	 * @param source array of the parser
	 * @param start index of the first byte of the object
	 * @param end index behind the last byte of the parser
	 * @return null if the object has no such property, or one that is no text
	 */
	public @Nullable String property(JsonInput in, byte[] source, int start, int end, String name) {
		try (JsonParser again = this.factory.createParser(ObjectReadContext.empty(), source, start, end - start)) {
			again.nextToken();
			String text = null;
			while (text == null && again.nextToken() == JsonToken.PROPERTY_NAME) {
				boolean isFound = again.currentName().equals(name);
				JsonToken value = again.nextToken();
				text = (isFound && value == JsonToken.VALUE_STRING) ? again.getString() : null;
				again.skipChildren();
			}
			in.budget().charge(again.currentLocation().getByteOffset());
			return text;
		}
	}

	/**
	 * Refuses malformed UTF-8. The parser alone would accept a character with more bytes
	 * than necessary.
	 */
	private static void requireUtf8(byte[] source, int offset, int length) {
		if (length >= 3 && source[offset] == (byte) 0xEF && source[offset + 1] == (byte) 0xBB
				&& source[offset + 2] == (byte) 0xBF) {
			throw new PathException("a byte order mark (expected: JSON)");
		}
		ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
		CharBuffer chars = CharBuffer.allocate(DECODED_CHARS);
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
		CoderResult result;
		do {
			chars.clear();
			result = decoder.decode(bytes, chars, true);
		}
		while (result.isOverflow());
		if (result.isError()) {
			throw new PathException("text is not UTF-8, at byte %d".formatted(bytes.position() - offset));
		}
	}

	/** Prepends a step to the path of a failure. */
	public static RuntimeException at(String step, RuntimeException failure) {
		return PathException.at(step, clear(failure));
	}

	/** Replaces a message of Jackson, which addresses its own users. */
	private static RuntimeException clear(RuntimeException failure) {
		if (!(failure instanceof JacksonException invalid)) {
			return failure;
		}
		String message = invalid.getOriginalMessage();
		if (!(failure instanceof StreamConstraintsException)) {
			return new PathException("no JSON at byte %d: %s".formatted(invalid.getLocation().getByteOffset(), message),
					invalid);
		}
		if (message.startsWith("Document nesting depth")) {
			return PathException.tooDeep(MAX_DEPTH);
		}
		return new PathException(message.startsWith("Spill-over")
				? "names of properties with equal hash codes (expected: names of fields or keys)"
				: "a number or name that is too long (expected: at most %d digits, 50,000 characters)"
					.formatted(MAX_NUMBER),
				invalid);
	}

	/**
	 * Writes into the engine's buffer. Ignores bytes after a failure, because the
	 * generator flushes its rest when it is closed.
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
