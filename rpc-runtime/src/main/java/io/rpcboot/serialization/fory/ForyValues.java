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
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.rpcboot.serialization.protostuff.ValueForm;
import io.rpcboot.serialization.protostuff.ValueForms;

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
		all.put(String.class.getName(), new ForyText());
		all.put(Void.class.getName(), new ForySkip());
		for (ValueForm each : ValueForms.all()) {
			ForyType simple = all.get(each.basis().getTypeName());
			if (simple == null) {
				simple = Objects.requireNonNull(ForyScalar.of(each.basis().getName(), each.basis().getName()));
			}
			all.putIfAbsent(each.javaType().getName(), each.isHolder()
					? new ForyHolder(each.javaType(), simple, each::write, each::read) : new ForyForm(each, simple));
		}
		return all;
	}

}
