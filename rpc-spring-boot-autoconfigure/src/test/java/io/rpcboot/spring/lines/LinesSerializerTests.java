package io.rpcboot.spring.lines;

import java.nio.charset.StandardCharsets;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests a serializer with other contracts and other bytes. */
public class LinesSerializerTests {

	private final ServiceCodec codec = new LinesSerializer().codec(ServiceDescriptor.of(Points.class));

	private static Object read(MethodCodec codec, String lines) {
		byte[] bytes = ("xx" + lines + "xx").getBytes(StandardCharsets.UTF_8);
		return codec.deserializeResult(bytes, 2, bytes.length - 4);
	}

	@Test
	void output_isReadableText() {
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		this.codec.method(0).serializeResult(new Point(1, "a\nb", new Point(-2, null, null)), out);
		assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
			.isEqualTo("{\n1\n'a\\nb\n{\n-2\n~\n~\n}\n}\n");
	}

	/** The peer has another field in front, and does not have the name. */
	@Test
	void peerFields_areTranslatedByName() {
		String point = Point.class.getName();
		Contract peer = Contract.parse(this.codec.contract()
			.text()
			.replace("  1 x int\n  2 name java.lang.String\n", "  1 more %s\n  2 x int\n".formatted(point)));
		assertThat(peer).isNotEqualTo(this.codec.contract());
		assertThat(ContractMatch.of(peer, this.codec.contract()).refused()).isEmpty();
		MethodCodec translated = this.codec.translate(peer).method(0, 0);
		assertThat(read(translated, "{\n{\n~\n1\n~\n}\n5\n~\n}\n")).isEqualTo(new Point(5, null, null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "~", "1\n", "{\n1\n'\n~\n", "{\n1\n'\n~\n}\n~\n", "{\n~\n'\n~\n}\n",
			"{\n1.5\n'\n~\n}\n", "{\n1\nname\n~\n}\n", "{\n1\n'\\z\n~\n}\n", "{\n1\n'\n~\n~\n}\n" })
	void malformedInput_isRejected(String lines) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(this.codec.method(0), lines))
			.withMessageContaining("Points.point()");
	}

	@Test
	void nesting_isRejected_aboveMaximumDepth() {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> read(this.codec.method(0), "{\n1\n'\n".repeat(10_000)))
			.withMessageContaining("deeper than 64");
	}

	public record Point(int x, String name, Point next) {
	}

	public interface Points {

		Point point();

	}

}
