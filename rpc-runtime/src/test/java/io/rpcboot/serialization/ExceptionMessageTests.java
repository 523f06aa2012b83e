package io.rpcboot.serialization;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An exception arrives with its message, or its class is refused at start-up.
 */
public class ExceptionMessageTests {

	static List<Serializer> serializers() {
		return SilentChangesTests.serializers().toList();
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void exceptionMessage_isKeptOrClassIsRefused(Serializer serializer) {
		assertLost(serializer, Losing.class, Lost.class);
		assertLost(serializer, LosingCauses.class, LostCause.class);
		assertLost(serializer, LosingCodes.class, LostCode.class);
		MethodCodec codec = SilentChangesTests.method(serializer, Keeping.class, "call");
		for (Exception each : List.of(new Named("m", "u"), new Told("u"), new Fixed(), new Coded(7, null))) {
			assertThat(echo(codec, each)).hasSameClassAs(each).hasMessage(each.getMessage());
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void constructorMadeMessage_isKept_whenRecognizable(Serializer serializer) {
		MethodCodec codec = SilentChangesTests.method(serializer, Making.class, "call");
		for (Exception each : List.of(new NoOrder("5"), new NoOrder(""), new NoOrder("no order 5"), new NoOrder("x"),
				new NoOrder("no order , sorry"), new Owned("gone", 7), new Owned("order 7: gone", 7),
				new NoOrder(null))) {
			assertThat(echo(codec, each)).hasSameClassAs(each).hasMessage(each.getMessage());
		}
		assertThat(echo(codec, new Owned("gone", 7))).hasFieldOrPropertyWithValue("id", 7L);
		// what the constructor makes of it says nothing about what it has taken
		assertThat(echo(codec, new Counted("ab"))).hasMessage("13 letters: 2 letters: ab");
		assertThat(echo(codec, new Checked("5", null))).hasMessage("no order no order 5");
	}

	private static Throwable echo(MethodCodec codec, Exception thrown) {
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 20);
		assertThat(codec.serializeException(thrown, out)).isTrue();
		return codec.deserializeException(out.array(), 0, out.length());
	}

	private static void assertLost(Serializer serializer, Class<?> service, Class<?> exception) {
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> SilentChangesTests.method(serializer, service, "call"))
			.withMessageContaining("exception %s: %s cannot be sent: its message would", exception.getSimpleName(),
					exception.getName())
			.satisfies((ex) -> assertThat(ex.action()).startsWith("Name the parameter that takes the message"));
	}

	/** Throws what cannot be rebuilt with its message. */
	public interface Losing {

		void call() throws Lost;

	}

	/** A message that no constructor takes by name. */
	public static class Lost extends Exception {

		private static final long serialVersionUID = 1L;

		String userId;

		public Lost() {
		}

		public Lost(String m, String userId) {
			super(m);
			this.userId = userId;
		}

	}

	/** Throws a message that is the cause's. */
	public interface LosingCauses {

		void call() throws LostCause;

	}

	/** Its cause is not carried. */
	public static class LostCause extends Exception {

		private static final long serialVersionUID = 1L;

		public LostCause() {
		}

		public LostCause(Throwable cause) {
			super(cause);
		}

	}

	/** Throws a message that is made of what no field holds. */
	public interface LosingCodes {

		void call() throws LostCode;

	}

	/** Its code is not carried. */
	public static class LostCode extends Exception {

		private static final long serialVersionUID = 1L;

		public LostCode() {
		}

		public LostCode(int code) {
			super("code " + code);
		}

	}

	/** Throws what makes its messages. */
	public interface Making {

		void call() throws NoOrder, Owned, Counted, Checked;

	}

	/** Puts text around what it takes. */
	public static class NoOrder extends Exception {

		private static final long serialVersionUID = 1L;

		public NoOrder(String id) {
			super("no order " + id + ", sorry");
		}

	}

	/** Puts a field into its message. */
	public static class Owned extends Exception {

		private static final long serialVersionUID = 1L;

		final long id;

		public Owned(String message, long id) {
			super("order " + id + ": " + message);
			this.id = id;
		}

	}

	/** Puts text of what it takes around it. */
	public static class Counted extends Exception {

		private static final long serialVersionUID = 1L;

		public Counted(String text) {
			super(text.length() + " letters: " + text);
		}

	}

	/** Takes no number. */
	public static class Checked extends Exception {

		private static final long serialVersionUID = 1L;

		public Checked(String text) {
			super("no order " + text);
			if (Character.isDigit(text.charAt(0))) {
				throw new IllegalArgumentException(text);
			}
		}

		Checked(String text, Integer times) {
			super("no order " + text);
		}

	}

	/** Throws what can. */
	public interface Keeping {

		void call() throws Named, Told, Fixed, Coded;

	}

	/** The same, by name. */
	public static class Named extends Exception {

		private static final long serialVersionUID = 1L;

		String userId;

		public Named() {
		}

		public Named(String message, String userId) {
			super(message);
			this.userId = userId;
		}

	}

	/** A message of the fields. */
	public static class Told extends Exception {

		private static final long serialVersionUID = 1L;

		String userId;

		public Told() {
		}

		public Told(String m, int times) {
			super(m + times);
		}

		Told(String userId) {
			this.userId = userId;
		}

		@Override
		public String getMessage() {
			return "no user " + this.userId;
		}

	}

	/** A message of a field, beside a cause. */
	public static class Coded extends Exception {

		private static final long serialVersionUID = 1L;

		private final int code;

		public Coded(int code, Throwable cause) {
			super("code " + code, cause);
			this.code = code;
		}

		int code() {
			return this.code;
		}

	}

	/** A message that is always the same. */
	public static class Fixed extends Exception {

		private static final long serialVersionUID = 1L;

		public Fixed() {
			super("fixed");
		}

	}

}
