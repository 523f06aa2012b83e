package io.rpcboot.security;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.fuzz.KitchenSink;
import io.rpcboot.security.Attacks.Attack;
import io.rpcboot.serialization.SerializationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Each attack ends as an error with a short message that names the method. */
class AttackTests {

	private static final Sink SINK = new Sink();

	@ParameterizedTest
	@MethodSource("attacks")
	void attack_isRefused_withShortMessage(Attack attack) {
		byte[] bytes = attack.bytes();
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> SINK.method(attack.method()).deserializeResult(bytes, 0, bytes.length))
			.withMessageStartingWith("io.rpcboot.fuzz.KitchenSink." + attack.method() + "(")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(5000));
	}

	/**
	 * What follows the frame in the same array would make it valid, or a longer value.
	 */
	@ParameterizedTest
	@MethodSource("attacks")
	void refusal_isUnaffectedByFollowingBytes(Attack attack) {
		byte[] bytes = attack.bytes();
		String alone = refusal(attack, bytes, bytes.length);
		for (byte neighbour : new byte[] { 0, 1, 0x0b, 0x0c, 'a', -1 }) {
			byte[] larger = Arrays.copyOf(bytes, bytes.length + 40);
			Arrays.fill(larger, bytes.length, larger.length, neighbour);
			assertThat(refusal(attack, larger, bytes.length)).isEqualTo(alone);
		}
	}

	private static String refusal(Attack attack, byte[] bytes, int length) {
		try {
			return "read " + SINK.method(attack.method()).deserializeResult(bytes, 0, length);
		}
		catch (SerializationException ex) {
			return ex.getMessage();
		}
	}

	@ParameterizedTest
	@MethodSource("attacks")
	void attackBytes_areReadAsDeclaredExceptionOrRefused(Attack attack) {
		byte[] bytes = attack.bytes();
		for (String method : new String[] { "node", "scalars", attack.method() }) {
			try {
				assertThat(SINK.method(method).deserializeException(bytes, 0, bytes.length))
					.isInstanceOf(KitchenSink.Refused.class);
			}
			catch (SerializationException ex) {
				assertThat(ex).hasMessageStartingWith("io.rpcboot.fuzz.KitchenSink." + method + "(");
			}
		}
	}

	static List<Attack> attacks() {
		return Attacks.all();
	}

	@Test
	void unusualCharacters_areReadAsText() {
		byte[] lone = new Wire().bytes(1, (byte) 0xed, (byte) 0xa0, (byte) 0x80).toByteArray();
		assertThat(SINK.method("text").deserializeResult(lone, 0, lone.length)).isEqualTo("\uD800");
		byte[] odd = new Wire().text(1, "\u0000\u202e\ufeff\uffff").toByteArray();
		assertThat(SINK.method("text").deserializeResult(odd, 0, odd.length)).isEqualTo("\u0000\u202e\ufeff\uffff");
	}

	@Test
	void largeInteger_isReadIntact() {
		byte[] digits = new byte[1 << 20];
		Arrays.fill(digits, (byte) 0x7f);
		byte[] bytes = new Wire().start(1).bytes(2, digits).end(1).toByteArray();
		KitchenSink.Numbers numbers = (KitchenSink.Numbers) SINK.method("numbers")
			.deserializeResult(bytes, 0, bytes.length);
		assertThat(numbers.integer().equals(new BigInteger(digits))).isTrue();
	}

	@Test
	void oversizedDecimal_isRefused() {
		byte[] digits = new byte[512];
		Arrays.fill(digits, (byte) 0x7f);
		assertThat(decimal(digits)).isEqualTo(new BigDecimal(new BigInteger(digits), Integer.MIN_VALUE));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> decimal(Arrays.copyOf(digits, 514)))
			.withMessageContaining("a BigDecimal of 4111 bits (expected: at most 4096, about 1,200 digits)");
	}

	private static BigDecimal decimal(byte[] digits) {
		byte[] bytes = new Wire().start(1)
			.group(1, new Wire().number(1, 0xffffffffL).bytes(2, digits))
			.end(1)
			.toByteArray();
		return ((KitchenSink.Numbers) SINK.method("numbers").deserializeResult(bytes, 0, bytes.length)).decimal();
	}

}
