package io.rpcboot.serialization.jackson;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Values that stand as a text: read as they are, or refused. */
public class JsonTextTests {

	private static Object read(String method, String text) {
		ServiceDescriptor service = ServiceDescriptor.of(Service.class);
		int number = service.methods()
			.stream()
			.filter((each) -> each.name().equals(method))
			.mapToInt(MethodDescriptor::number)
			.findFirst()
			.orElseThrow();
		MethodCodec codec = new JacksonSerializer().codec(service).method(number);
		byte[] bytes = ("\"" + text + "\"").getBytes(StandardCharsets.UTF_8);
		return codec.deserializeResult(bytes, 0, bytes.length);
	}

	private static void assertRefused(String method, String text, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(method, text))
			.withMessageEndingWith(method + "(): result: " + message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-07-01T12:00+02:00[Europe/Berlin]", "2026-10-25T02:30+02:00[Europe/Berlin]",
			"2026-10-25T02:30+01:00[Europe/Berlin]", "2026-07-01T12:00:00.000000001Z", "2026-07-01T12:00-03:30",
			"+12026-07-01T12:00Z[UTC]", "2026-07-01T12:00+02:00[UTC+02:00]" })
	void zonedTime_isReadUnchanged(String text) {
		assertThat(read("zoned", text)).hasToString(text);
	}

	@Test
	void zonedTimeWithSeconds_isRead() {
		assertThat(read("zoned", "2026-07-01T12:00:00+02:00[Europe/Berlin]"))
			.isEqualTo(ZonedDateTime.of(LocalDateTime.of(2026, 7, 1, 12, 0), ZoneId.of("Europe/Berlin")));
	}

	/** As a peer writes it whose rules of the zone are others. */
	@Test
	void zonedTimeWithWrongOffset_isRefused() {
		assertRefused("zoned", "2026-07-01T12:00+01:00[Europe/Berlin]",
				"2026-07-01T12:00+01:00 in Europe/Berlin, whose rules here give +02:00 (expected: the same time zone data at both sides)");
	}

	@Test
	void decimalWithTooManyDigits_isRefused() {
		assertThat(read("decimal", "9".repeat(1200))).hasToString("9".repeat(1200));
		assertRefused("decimal", "9".repeat(1300),
				"a BigDecimal of 4319 bits (expected: at most 4096, about 1,200 digits)");
	}

	/** A zone, and a number that sorted sets compare. */
	public interface Service {

		ZonedDateTime zoned();

		BigDecimal decimal();

	}

}
