package io.rpcboot.serialization.zoo;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.rpcboot.serialization.zoo.ZooHierarchies.Result;
import io.rpcboot.serialization.zoo.ZooHierarchies.Shape;
import io.rpcboot.serialization.zoo.ZooTypes.Account;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Dog;
import io.rpcboot.serialization.zoo.ZooTypes.Empty;
import io.rpcboot.serialization.zoo.ZooTypes.Mixed;
import io.rpcboot.serialization.zoo.ZooTypes.Operator;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.serialization.zoo.ZooTypes.PointHolder;
import io.rpcboot.serialization.zoo.ZooTypes.Primitives;
import io.rpcboot.serialization.zoo.ZooTypes.Tree;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;

/**
 * One method a type, for tests that want a type by name.
 */
public interface Zoo {

	String string(String value);

	Integer integer(Integer value);

	int primitiveInt(int value);

	Long longs(Long value);

	Short shorts(Short value);

	Byte bytes(Byte value);

	Character characters(Character value);

	Boolean booleans(Boolean value);

	Float floats(Float value);

	Double doubles(Double value);

	byte[] byteArray(byte[] value);

	Colour colour(Colour value);

	Operator operator(Operator value);

	TimeUnit unit(TimeUnit value);

	LocalDate localDate(LocalDate value);

	LocalTime localTime(LocalTime value);

	LocalDateTime localDateTime(LocalDateTime value);

	Instant instant(Instant value);

	Duration duration(Duration value);

	Period period(Period value);

	ZonedDateTime zonedDateTime(ZonedDateTime value);

	OffsetDateTime offsetDateTime(OffsetDateTime value);

	OffsetTime offsetTime(OffsetTime value);

	Year year(Year value);

	YearMonth yearMonth(YearMonth value);

	MonthDay monthDay(MonthDay value);

	Month month(Month value);

	DayOfWeek dayOfWeek(DayOfWeek value);

	ZoneId zoneId(ZoneId value);

	ZoneOffset zoneOffset(ZoneOffset value);

	UUID uuid(UUID value);

	BigDecimal bigDecimal(BigDecimal value);

	BigInteger bigInteger(BigInteger value);

	Date date(Date value);

	Point point(Point value);

	Empty empty(Empty value);

	Mixed mixed(Mixed value);

	Pair<String, Pair<Integer, Colour>> pair(Pair<String, Pair<Integer, Colour>> value);

	Primitives primitives(Primitives value);

	Dog dog(Dog value);

	Account account(Account value);

	Tree tree(Tree value);

	PointHolder pointHolder(PointHolder value);

	Page<User> users(Page<User> value);

	Optional<String> optional(Optional<String> value);

	List<Optional<List<Integer>>> optionalLists(List<Optional<List<Integer>>> value);

	List<String> strings(List<String> value);

	ArrayList<Integer> arrayList(ArrayList<Integer> value);

	LinkedList<Integer> linkedList(LinkedList<Integer> value);

	Collection<Long> collection(Collection<Long> value);

	List<List<List<Integer>>> nested(List<List<List<Integer>>> value);

	Set<String> set(Set<String> value);

	HashSet<Point> hashSet(HashSet<Point> value);

	TreeSet<String> treeSet(TreeSet<String> value);

	SortedSet<Integer> sortedSet(SortedSet<Integer> value);

	Map<String, Integer> map(Map<String, Integer> value);

	Map<Point, List<Map<Colour, String>>> mapOfLists(Map<Point, List<Map<Colour, String>>> value);

	HashMap<Long, Boolean> hashMap(HashMap<Long, Boolean> value);

	TreeMap<String, String> treeMap(TreeMap<String, String> value);

	SortedMap<LocalDate, Point> sortedMap(SortedMap<LocalDate, Point> value);

	Pair<Integer, Void> result(Pair<Integer, Void> value);

	Object object(Object value);

	Shape shape(Shape value);

	Map<Comparable<?>, Result<Number>> results(Map<Comparable<?>, Result<Number>> value);

}
