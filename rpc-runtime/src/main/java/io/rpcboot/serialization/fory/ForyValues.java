package io.rpcboot.serialization.fory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The built-in values, by the names that contracts give them.
 */
final class ForyValues {

	/** Classes whose own serializer in Fory writes neither a class nor its number. */
	static final List<Class<?>> BY_FORY = List.of(UUID.class, BigInteger.class, Date.class, LocalDate.class,
			LocalTime.class, LocalDateTime.class, Instant.class, Duration.class, Period.class, OffsetDateTime.class,
			OffsetTime.class, Year.class, YearMonth.class, MonthDay.class, ZoneOffset.class, byte[].class,
			short[].class, int[].class, long[].class, float[].class, double[].class, boolean[].class, char[].class);

	private ForyValues() {
	}

	static Map<String, ForyType> all() {
		Map<String, ForyType> all = new HashMap<>();
		for (int i = 0; i < BY_FORY.size(); i++) {
			all.put(BY_FORY.get(i).getTypeName(), new ForyValue(BY_FORY.get(i), i));
		}
		all.put(BigDecimal.class.getName(), new ForyDecimal(BY_FORY.indexOf(BigInteger.class)));
		all.put(ZonedDateTime.class.getName(),
				new ForyText<>(ZonedDateTime.class, Object::toString, ZonedDateTime::parse));
		all.put(String.class.getName(), new ForyText<>(String.class, (text) -> text, (text) -> text));
		all.put(ZoneId.class.getName(), new ForyText<>(ZoneId.class, ZoneId::getId, ZoneId::of));
		all.put(Void.class.getName(), new ForySkip());
		return all;
	}

}
