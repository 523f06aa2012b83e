package io.rpcboot.serialization.zoo;

import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
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
import java.util.stream.Stream;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * All of java.time, and what came before it.
 */
final class TimeRows {

	private TimeRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(
				row("LocalDate", LocalDate.of(1968, 12, 8), LocalDate.MIN, LocalDate.MAX, LocalDate.of(-1, 1, 1)),
				row("LocalTime", LocalTime.MIDNIGHT, LocalTime.MAX, LocalTime.of(23, 59, 59),
						LocalTime.of(1, 2, 3, 4_000_000), LocalTime.of(1, 2, 3, 4_000)),
				row("LocalDateTime", LocalDateTime.MIN, LocalDateTime.MAX, LocalDateTime.of(2026, 2, 28, 1, 2, 3, 999)),
				row("Instant", Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.ofEpochSecond(-1, 1)),
				row("Duration", Duration.ZERO, Duration.ofSeconds(Long.MIN_VALUE),
						Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Duration.ofNanos(-1)),
				row("Period", Period.ZERO, Period.of(-1, 25, Integer.MIN_VALUE)),
				row("ZonedDateTime",
						ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"))
							.withLaterOffsetAtOverlap(),
						ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 1, ZoneOffset.ofHours(-18))),
				row("OffsetDateTime", OffsetDateTime.MIN, OffsetDateTime.MAX,
						OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHoursMinutes(5, 30))),
				row("OffsetTime", OffsetTime.MIN, OffsetTime.MAX), row("Year", Year.of(Year.MIN_VALUE), Year.of(2026)),
				row("YearMonth", YearMonth.of(-5, 12), YearMonth.of(Year.MAX_VALUE, 1)),
				row("MonthDay", MonthDay.of(2, 29), MonthDay.of(1, 1)), row("Month", Month.JANUARY, Month.DECEMBER),
				row("DayOfWeek", DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
				row("ZoneOffset", ZoneOffset.UTC, ZoneOffset.ofTotalSeconds(-3661), ZoneOffset.MAX),
				row("ZoneId", ZoneId.of("Asia/Shanghai"), ZoneId.of("UTC+1"), ZoneOffset.UTC),
				row("Date", new Date(0), new Date(-1), new Date(1_785_000_000_123L)),
				row("java.sql.Timestamp", new Timestamp(0), Timestamp.valueOf("1969-12-31 23:59:59.999999999"),
						Timestamp.valueOf("2026-01-02 03:04:05.000000006")),
				row("java.sql.Date", new java.sql.Date(0), java.sql.Date.valueOf("2026-01-02")),
				row("java.sql.Time", new Time(0), Time.valueOf("12:34:56")));
	}

}
