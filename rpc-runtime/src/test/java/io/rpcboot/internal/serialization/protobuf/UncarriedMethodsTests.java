package io.rpcboot.internal.serialization.protobuf;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.protostuff.Tag;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.UnsupportedTypeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the reasons why methods are left out. */
public class UncarriedMethodsTests {

	private final ProtobufCodec codec = Codecs.of(Service.class);

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					any      | argument value: java.lang.Object cannot be sent in protobuf: protobuf has no type for values of any type
					numbers  | result[]: java.lang.Number cannot be sent
					nested   | argument tree.note{}: java.lang.Object cannot be sent
					wildcard | result?: java.lang.Object cannot be sent
					table    | argument table[][]: java.lang.Comparable cannot be sent
					thrown   | exception Odd.detail: java.io.Serializable cannot be sent
					tagged   | argument tagged.name: io.rpcboot.internal.serialization.protobuf.UncarriedMethodsTests$Tagged cannot be sent in protobuf: protobuf keeps the number 19000 for itself
					twice    | 2 methods are named Twice in protobuf
					""")
	void method_isLeftOutWithReasonAndRemedy(String method, String reason) {
		int number = Codecs.number(Service.class, method);
		UnsupportedTypeException finding = this.codec.findings().get(number);
		assertThat(this.codec.carries(number)).isFalse();
		assertThat(finding).hasMessageContaining("UncarriedMethodsTests$Service." + method + "(")
			.hasMessageContaining(reason);
		assertThat(finding.action()).isNotEmpty();
		assertThatExceptionOfType(UnsupportedTypeException.class).isThrownBy(() -> this.codec.method(number));
	}

	@Test
	void otherMethods_areCarried() {
		MethodCodec method = this.codec.method(Codecs.number(Service.class, "plain"));
		assertThat(Codecs.read(method, Codecs.result(method, "a"))).isEqualTo("a");
		assertThat(this.codec.findings()).hasSize(9);
		assertThat(ProtobufCodec.file(List.of(this.codec)).text()).contains("service Service {\n  rpc Plain(")
			.doesNotContain("rpc Any(");
	}

	/** A class that leads to a type of any value. */
	public record Tree(List<Tree> children, Map<String, Object> note) {
	}

	/** A class with a number that protobuf keeps. */
	public static class Tagged {

		@Tag(19_000)
		public String name;

	}

	/** An exception with a field of any type. */
	public static class Odd extends Exception {

		private static final long serialVersionUID = 1L;

		public transient int skipped;

		public final Serializable detail;

		public Odd(String message, Serializable detail) {
			super(message);
			this.detail = detail;
		}

	}

	/** The methods. */
	public interface Service {

		void any(Object value);

		List<Number> numbers();

		void nested(Tree tree);

		Optional<?> wildcard();

		void table(Comparable<?>[][] table);

		void thrown() throws Odd;

		void tagged(Tagged tagged);

		void twice(int number);

		void twice(String text);

		String plain();

	}

}
