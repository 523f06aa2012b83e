package io.rpcboot.internal.serialization.types.graph;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
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
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.kind.Containers;
import io.rpcboot.internal.serialization.types.kind.HolderKind;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogates;

/**
 * Nodes of the values that every service can carry. Every format supports each of them.
 */
public final class BuiltIns {

	private static final List<Class<?>> VALUES = List.of(String.class, byte[].class, Void.class, BigInteger.class,
			BigDecimal.class, UUID.class, Date.class, ByteBuffer.class, InetAddress.class, Inet4Address.class,
			Inet6Address.class, LocalDate.class, LocalTime.class, LocalDateTime.class, Instant.class, Duration.class,
			Period.class, ZonedDateTime.class, OffsetDateTime.class, OffsetTime.class, Year.class, YearMonth.class,
			MonthDay.class, ZoneOffset.class);

	/** Names of classes whose module may be absent. */
	private static final List<String> SQL = List.of("java.sql.Date", "java.sql.Time", "java.sql.Timestamp");

	private static final Map<Class<?>, Node> ALL = all();

	private BuiltIns() {
	}

	/** Returns a node for each class, primitives included. */
	public static Map<Class<?>, Node> nodes() {
		return ALL;
	}

	private static Map<Class<?>, Node> all() {
		Map<Class<?>, Node> all = new HashMap<>();
		VALUES.forEach((each) -> all.put(each, ValueNode.of(each)));
		ScalarSurrogates.all().forEach((each) -> all.put(each.javaType(), ValueNode.of(each.javaType())));
		SQL.stream().map(Containers::find).forEach((each) -> {
			if (each != null) {
				all.put(each, ValueNode.of(each));
			}
		});
		Numbers.BOXES.forEach((primitive, box) -> {
			ValueNode element = ValueNode.of(primitive);
			all.put(primitive, element);
			all.put(box, ValueNode.of(box));
			all.putIfAbsent(primitive.arrayType(), new ArrayNode(primitive, element, false));
		});
		for (HolderKind each : List.of(HolderKind.INT, HolderKind.LONG, HolderKind.DOUBLE)) {
			all.put(each.javaType(), new HolderNode(each, ValueNode.of(each.heldType())));
		}
		return Map.copyOf(all);
	}

}
