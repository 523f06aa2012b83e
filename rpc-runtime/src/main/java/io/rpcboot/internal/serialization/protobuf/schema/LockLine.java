package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.contract.ContractMember;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of one message, enum, choice or request: a line of the lock file such as
 * {@code com.acme.User id=1 name=2 reserved=4}. A member named {@code reserved} is
 * written with a point in front.
 *
 * @param type binary name of the class; that of a choice ends with {@code +}. A request
 * has the path of its method, such as {@code com.acme.Users/Find}
 * @param numbers numbers by the names of members
 * @param reserved numbers of members that are gone
 */
public record LockLine(String type, Map<String, Integer> numbers, SortedSet<Integer> reserved) {

	/** Largest number of a field, and of a constant here. */
	public static final int MAX_NUMBER = (1 << 29) - 1;

	/** First number that protobuf keeps for itself. */
	private static final int KEPT = 19_000;

	private static final int LAST_KEPT = 19_999;

	private static final String RESERVED = "reserved";

	/** Creates a line. Refuses two members of one number. */
	public LockLine {
		Map<Integer, String> names = new HashMap<>();
		reserved.forEach((each) -> names.put(each, RESERVED));
		for (Map.Entry<String, Integer> each : numbers.entrySet()) {
			String other = names.put(each.getValue(), each.getKey());
			if (other != null) {
				throw new RpcConfigurationException(
						"%s: number %d of '%s' and '%s' (expected: each number once)".formatted(type, each.getValue(),
								other, each.getKey()),
						"Give '%s' a number that no member ever had.".formatted(each.getKey()));
			}
		}
	}

	/** Returns true if a constant of an enum can have a number here. */
	public static boolean isConstant(int number) {
		return number == 0 || isNumber(number);
	}

	/** Returns true if protobuf allows the number of a field. */
	public static boolean isNumber(int number) {
		return number >= 1 && number <= MAX_NUMBER && (number < KEPT || number > LAST_KEPT);
	}

	boolean hasZero() {
		return this.numbers.containsValue(0) || this.reserved.contains(0);
	}

	/** Returns the numbers of members without a lock. */
	public static LockLine of(String type, Collection<ContractMember> members) {
		Map<String, Integer> numbers = new LinkedHashMap<>();
		members.forEach((each) -> numbers.put(each.name(), each.number()));
		return new LockLine(type, numbers, new TreeSet<>());
	}

	/**
	 * Parses a line.
	 * @param place file and line, for messages
	 */
	static LockLine parse(String place, String line) {
		List<String> words = Arrays.asList(line.strip().split("\\s+"));
		Map<String, Integer> numbers = new LinkedHashMap<>();
		SortedSet<Integer> reserved = new TreeSet<>();
		for (String word : words.subList(1, words.size())) {
			int equals = word.lastIndexOf('=');
			String name = word.substring(0, Math.max(0, equals));
			for (String each : word.substring(equals + 1).split(",", -1)) {
				int number = number(place, word, each);
				if (name.equals(RESERVED)) {
					reserved.add(number);
				}
				else if (numbers.put(name.startsWith(".") ? name.substring(1) : name, number) != null) {
					throw refusal(place, "'%s' twice".formatted(name), "each name once");
				}
			}
		}
		return new LockLine(words.get(0), numbers, reserved);
	}

	private static int number(String place, String word, String text) {
		int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
		if (word.indexOf('=') < 1 || !isConstant(number)) {
			throw refusal(place, "'%s'".formatted(word),
					"name=number, from 1 to %d and not from %d to %d".formatted(MAX_NUMBER, KEPT, LAST_KEPT));
		}
		return number;
	}

	private static RpcConfigurationException refusal(String place, String found, String expected) {
		return new RpcConfigurationException("%s: %s (expected: %s)".formatted(place, found, expected),
				"Correct the line, or let the file be written again.");
	}

	/** Returns the number that the lock has for a member; null if it has none. */
	@Nullable Integer numberOf(ContractMember member) {
		return Stream.concat(Stream.of(member.name()), member.aliases().stream())
			.filter(this.numbers::containsKey)
			.findFirst()
			.map(this.numbers::get)
			.orElse(null);
	}

	/**
	 * Returns the line for the members of today. Known members keep their numbers, new
	 * ones get the next, and the numbers of those that are gone are reserved.
	 * @param fixed true if the members have fixed numbers, which they get instead
	 */
	LockLine renewed(Collection<ContractMember> members, boolean fixed) {
		Map<String, Integer> renewed = new LinkedHashMap<>();
		SortedSet<Integer> gone = new TreeSet<>(this.reserved);
		gone.addAll(this.numbers.values());
		int last = gone.isEmpty() ? 0 : gone.last();
		for (ContractMember each : members) {
			Integer known = numberOf(each);
			Integer number = fixed ? Integer.valueOf(each.number()) : known;
			if (number == null) {
				last = following(last);
				number = last;
			}
			else if (number.equals(known)) {
				gone.remove(number);
			}
			renewed.put(each.name(), number);
		}
		return new LockLine(this.type, renewed, gone);
	}

	private static int following(int number) {
		return IntStream.rangeClosed(number + 1, MAX_NUMBER).filter(LockLine::isNumber).findFirst().orElseThrow();
	}

	@Override
	public String toString() {
		Stream<String> named = this.numbers.entrySet()
			.stream()
			.sorted(Comparator.comparing(Map.Entry::getValue))
			.map((each) -> (each.getKey().equals(RESERVED) ? "." : "") + each.getKey() + "=" + each.getValue());
		Stream<String> last = this.reserved.isEmpty() ? Stream.of() : Stream
			.of(this.reserved.stream().map(String::valueOf).collect(Collectors.joining(",", RESERVED + "=", "")));
		return Stream.of(Stream.of(this.type), named, last).flatMap((each) -> each).collect(Collectors.joining(" "));
	}

}
