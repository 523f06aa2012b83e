package io.rpcboot.serialization.protostuff;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.Zoo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Declared exceptions arrive as themselves, undeclared ones not at all.
 */
public class DeclaredExceptionTests {

	private final MethodCodec codec = Codecs.method(Service.class, "run");

	@Test
	void jdkException_roundTrips() {
		assertThat(echo(new TimeoutException("too late"))).isExactlyInstanceOf(TimeoutException.class)
			.hasMessage("too late");
		assertThat(echo(new IOException())).isExactlyInstanceOf(IOException.class).hasMessage(null).hasNoCause();
		assertThat(echo(new IOException(""))).hasMessage("");
	}

	@Test
	void fields_areSetByConstructor() {
		NotFoundException result = (NotFoundException) echo(new NotFoundException("no user 中", 7, List.of("a", "b")));
		assertThat(result).hasMessage("no user 中");
		assertThat(result.id).isEqualTo(7);
		assertThat(result.tried).containsExactly("a", "b");
	}

	@Test
	void fields_areSetAfterConstruction() {
		CodedException thrown = new CodedException("broken", new IllegalStateException());
		thrown.code = 42;
		CodedException result = (CodedException) echo(thrown);
		assertThat(result).hasMessage("broken").hasNoCause();
		assertThat(result.code).isEqualTo(42);
	}

	@Test
	void selfMadeMessage_isKept() {
		assertThat(echo(new LimitException(5))).isExactlyInstanceOf(LimitException.class).hasMessage("limit 5 reached");
	}

	@Test
	void subclass_arrivesAsNearestDeclaredException() {
		assertThat(echo(new FileNotFoundException("gone"))).isExactlyInstanceOf(IOException.class).hasMessage("gone");
		assertThat(echo(new SpecialNotFoundException())).isExactlyInstanceOf(NotFoundException.class)
			.hasMessage("special");
	}

	@Test
	void undeclaredException_isNotWritten() {
		assertThat(Codecs.exception(this.codec, new IllegalStateException("x"))).isNull();
		assertThat(Codecs.exception(this.codec, new Exception("x"))).isNull();
		assertThat(Codecs.exception(this.codec, new Error("x"))).isNull();
	}

	@Test
	void plainException_coversNoSubclass() {
		MethodCodec general = Codecs.method(Service.class, "general");
		assertThat(Codecs.exception(general, new IOException("x"))).isNull();
		assertThat(Codecs.exception(general, new IllegalStateException("x"))).isNull();
		byte[] bytes = Codecs.exception(general, new Exception("x"));
		assertThat(general.deserializeException(bytes, 0, bytes.length)).isExactlyInstanceOf(Exception.class)
			.hasMessage("x");
	}

	@Test
	void exception_isNotCarried_withoutThrowsClause() {
		MethodCodec none = Codecs.method(Zoo.class, "point");
		assertThat(Codecs.exception(none, new IOException("x"))).isNull();
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> none.deserializeException(new byte[] { 0x0b, 0x0c }, 0, 2))
			.withMessageContaining("exception: none of the declared exceptions: []");
	}

	@Test
	void truncatedException_isRefused() {
		byte[] bytes = Codecs.exception(this.codec, new NotFoundException("no user", 7, List.of("a", "b")));
		for (int length = 0; length < bytes.length; length++) {
			int end = length;
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> this.codec.deserializeException(bytes, 0, end));
		}
	}

	@Test
	void stackTrace_isFromReader() {
		assertThat(echo(new IOException("x")).getStackTrace())
			.anyMatch((frame) -> frame.getMethodName().equals("deserializeException"));
	}

	private Throwable echo(Throwable thrown) {
		byte[] bytes = Codecs.exception(this.codec, thrown);
		return this.codec.deserializeException(bytes, 0, bytes.length);
	}

	public interface Service {

		void run() throws TimeoutException, NotFoundException, CodedException, IOException, LimitException;

		void general() throws Exception;

	}

	public static class NotFoundException extends Exception {

		private static final long serialVersionUID = 1L;

		private final long id;

		@SuppressWarnings("serial")
		private final List<String> tried;

		public NotFoundException(String message, long id, List<String> tried) {
			super(message);
			this.id = id;
			this.tried = tried;
		}

	}

	public static class SpecialNotFoundException extends NotFoundException {

		private static final long serialVersionUID = 1L;

		public SpecialNotFoundException() {
			super("special", 1, null);
		}

	}

	public static class CodedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private int code = 7;

		public CodedException() {
		}

		public CodedException(String text, Throwable other) {
			super(text, other);
		}

	}

	public static class LimitException extends Exception {

		private static final long serialVersionUID = 1L;

		private final int limit;

		LimitException(int limit) {
			super("limit %d reached".formatted(limit));
			this.limit = limit;
		}

		int limit() {
			return this.limit;
		}

	}

}
