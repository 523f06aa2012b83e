package io.rpcboot.internal.serialization.protobuf.scalar;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Forms of the texts of values, for readers of a {@code .proto}. */
final class TextForms {

	private static final Map<Class<?>, String> EXAMPLES = Map.ofEntries(Map.entry(BigDecimal.class, "12.50"),
			Map.entry(BigInteger.class, "12"), Map.entry(LocalDate.class, "2026-12-24"),
			Map.entry(LocalTime.class, "18:30:00"), Map.entry(LocalDateTime.class, "2026-12-24T18:30:00"),
			Map.entry(OffsetDateTime.class, "2026-12-24T18:30:00+01:00"), Map.entry(OffsetTime.class, "18:30:00+01:00"),
			Map.entry(ZonedDateTime.class, "2026-12-24T18:30:00+01:00[Europe/Paris]"),
			Map.entry(MonthDay.class, "--12-24"), Map.entry(YearMonth.class, "2026-12"),
			Map.entry(Period.class, "P1M2D"), Map.entry(ZoneOffset.class, "+01:00"),
			Map.entry(Date.class, "2026-12-24T18:30:00Z"),
			Map.entry(UUID.class, "123e4567-e89b-12d3-a456-426614174000"));

	private TextForms() {
	}

	/** Returns the form of the texts of a class; null if it has no strict one. */
	static @Nullable String of(Class<?> type) {
		String example = EXAMPLES.get(type);
		return (example != null) ? type.getSimpleName() + ", such as " + example : null;
	}

}
