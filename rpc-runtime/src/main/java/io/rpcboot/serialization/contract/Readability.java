package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.MemberMatch.Ambiguity;

import org.jspecify.annotations.Nullable;

/**
 * Comparison of the types of two contracts: finds the reasons why one side cannot read
 * what the other writes. Fields, constants, subtypes and exceptions are matched by name.
 * A reader skips members that only the writer has; members that only the reader has stay
 * empty. A pair of types is compared once, and at most {@value #MAX_PAIRS} pairs of a
 * peer's contract are compared.
 */
final class Readability {

	/** Maximum number of differences of a method. */
	private static final int MAX_DIFFERENCES = 8;

	private static final int MAX_PAIRS = 10_000;

	private static final int MAX_VISITS = 1_000_000;

	private static final String TOO_MANY = "more than %d types to compare".formatted(MAX_PAIRS);

	private final Contract writer;

	private final Contract reader;

	private final boolean clientWrites;

	private final Map<ContractType, Map<ContractType, TypePair>> pairs = new IdentityHashMap<>();

	/** Subtypes by their declared type. */
	private final Map<ContractType, SubtypeMatch<TypeRef>> subtypes = new IdentityHashMap<>();

	private int pairCount;

	private int visits;

	Readability(Contract writer, Contract reader, boolean clientWrites) {
		this.writer = writer;
		this.reader = reader;
		this.clientWrites = clientWrites;
	}

	/**
	 * Returns the reasons why a type cannot be read; empty if it can.
	 * @param where place of the type, for the reasons
	 */
	Set<String> differences(String where, TypeRef written, TypeRef read) {
		List<TypePair> reached = new ArrayList<>();
		Set<String> found = new LinkedHashSet<>();
		if (!fits(written, read, reached)) {
			found.add(differs(where, written, read));
		}
		Set<TypePair> seen = new HashSet<>();
		for (int i = 0; i < reached.size() && found.size() < MAX_DIFFERENCES; i++) {
			TypePair pair = reached.get(i);
			if (!pair.readable && seen.add(pair)) {
				if (++this.visits > MAX_VISITS) {
					found.add(TOO_MANY);
					break;
				}
				compare(pair);
				found.addAll(pair.differences);
				reached.addAll(pair.parts);
			}
		}
		if (found.isEmpty()) {
			reached.forEach((each) -> each.readable = true);
		}
		return found;
	}

	/** Returns true if both are the same class, by name or alias. */
	boolean isSame(TypeRef written, TypeRef read) {
		if (written.name().equals(TypeRef.ARRAY) && read.name().equals(TypeRef.ARRAY)) {
			return isSame(written.arguments().get(0), read.arguments().get(0));
		}
		ContractType writtenType = this.writer.type(written);
		ContractType readType = this.reader.type(read);
		return (writtenType != null && readType != null) ? readType.matches(writtenType)
				: written.name().equals(read.name());
	}

	/**
	 * Returns true if two types fit, without the members of their classes.
	 * @param reached gets the pairs of classes, to be compared later
	 */
	private boolean fits(TypeRef written, TypeRef read, List<TypePair> reached) {
		ContractType writtenType = this.writer.type(written);
		ContractType readType = this.reader.type(read);
		if (writtenType != null && readType != null) {
			boolean areMessages = writtenType.kind().isMessage() && readType.kind().isMessage();
			boolean sameKind = writtenType.kind() == readType.kind() || areMessages
					|| (writtenType.kind().hasFields() && readType.kind().hasFields());
			if (sameKind && (areMessages || readType.matches(writtenType))) {
				reached.add(pair(writtenType, readType));
				return true;
			}
			return !sameKind && fitsAlone(writtenType, readType, reached);
		}
		if (isGenerated(written, writtenType, read, readType)) {
			return true;
		}
		if (writtenType != null || readType != null
				|| !(Conversions.isReadable(written, read) || isWidened(written, read))) {
			return false;
		}
		for (int i = 0; i < written.arguments().size(); i++) {
			if (!fits(written.arguments().get(i), read.arguments().get(i), reached)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns true for a message that a library has generated, whose fields no contract
	 * has, and another message.
	 */
	private static boolean isGenerated(TypeRef written, @Nullable ContractType writtenType, TypeRef read,
			@Nullable ContractType readType) {
		boolean isWritten = written.name().equals(TypeRef.GENERATED);
		boolean isRead = read.name().equals(TypeRef.GENERATED);
		return (isWritten && isRead) || (isWritten && readType != null) || (isRead && writtenType != null);
	}

	/** Returns true for an integer of protobuf that is read as a longer one. */
	private static boolean isWidened(TypeRef written, TypeRef read) {
		return read.name().equals("int64") && (written.name().equals("int32") || written.name().equals("uint32"));
	}

	/**
	 * Returns true if a class fits a type with subtypes, or the reverse. The class is one
	 * of the subtypes of the other side.
	 */
	private boolean fitsAlone(ContractType written, ContractType read, List<TypePair> reached) {
		if (read.kind() == Kind.BASE && written.kind().hasFields()) {
			TypeRef alone = subtypes(read).find(written.type(), written);
			return alone != null && hasFields(this.reader.type(alone)) && fits(written.type(), alone, reached);
		}
		if (written.kind() != Kind.BASE || !read.kind().hasFields()) {
			return false;
		}
		TypePair pair = pair(written, read);
		compare(pair);
		reached.add(pair);
		return pair.differences.isEmpty() && !pair.parts.isEmpty();
	}

	/**
	 * Compares subtypes of the writer with the one class of the reader. Every subtype
	 * that matches the class has to fit.
	 */
	private void compareAlone(TypePair pair) {
		SubtypeMatch<TypeRef> only = match(Stream.of(pair.read.type()));
		for (ContractMember each : pair.written.members()) {
			ContractType type = this.writer.type(each.type());
			if (only.find(each.type(), type) != null
					&& (!hasFields(type) || !fits(each.type(), pair.read.type(), pair.parts))) {
				pair.differences
					.add(differs("subtype of " + pair.written.type().name(), each.type(), pair.read.type()));
				return;
			}
		}
	}

	private static boolean hasFields(@Nullable ContractType type) {
		return type != null && type.kind().hasFields();
	}

	private SubtypeMatch<TypeRef> subtypes(ContractType base) {
		return this.subtypes.computeIfAbsent(base, (key) -> match(base.members().stream().map(ContractMember::type)));
	}

	private SubtypeMatch<TypeRef> match(Stream<TypeRef> types) {
		SubtypeMatch<TypeRef> match = new SubtypeMatch<>();
		types.forEach((each) -> match.add(each, this.reader.type(each), each));
		return match;
	}

	private TypePair pair(ContractType written, ContractType read) {
		return this.pairs.computeIfAbsent(written, (key) -> new IdentityHashMap<>())
			.computeIfAbsent(read, (key) -> new TypePair(written, read));
	}

	private void compare(TypePair pair) {
		if (pair.compared) {
			return;
		}
		pair.compared = true;
		if (++this.pairCount > MAX_PAIRS) {
			pair.differences.add(TOO_MANY);
		}
		else if (pair.written.kind().hasFields()) {
			compareFields(pair);
		}
		else if (pair.written.kind().isMessage()) {
			compareNumbers(pair);
		}
		else if (pair.read.kind().hasFields()) {
			compareAlone(pair);
		}
		else if (pair.read.kind() != Kind.ENUM && pair.read.kind() != Kind.CALLBACK) {
			compareSubtypes(pair);
		}
	}

	private void compareFields(TypePair pair) {
		MemberMatch match = match(pair);
		for (ContractMember each : pair.written.members()) {
			ContractMember read = match.reader(each);
			if (read != null && !fits(each.type(), read.type(), pair.parts)) {
				pair.differences.add(differs(field(pair, each, read), each.type(), read.type()));
			}
		}
	}

	private MemberMatch match(TypePair pair) {
		MemberMatch match = MemberMatch.ofFields(pair.written, pair.read);
		for (Ambiguity each : match.ambiguities()) {
			String side = side(each.isWritten() == this.clientWrites);
			String otherSide = side(each.isWritten() != this.clientWrites);
			List<String> others = each.others().stream().map(ContractMember::name).limit(MAX_DIFFERENCES).toList();
			pair.differences.add("field %s of %s at %s stands for fields %s at %s".formatted(each.member().name(),
					clientOf(pair.written, pair.read).type().name(), side, String.join(" and ", others), otherSide));
		}
		return match;
	}

	/**
	 * Compares members that have numbers on the wire: a name has one number, and a number
	 * one name unless both sides have fixed their numbers.
	 */
	private void compareNumbers(TypePair pair) {
		MemberMatch match = match(pair);
		boolean areFixed = pair.written.kind() == Kind.TAGGED && pair.read.kind() == Kind.TAGGED;
		Map<Integer, ContractMember> byNumber = new HashMap<>();
		pair.read.members().forEach((each) -> byNumber.put(each.number(), each));
		Set<ContractMember> named = new HashSet<>();
		pair.written.members().stream().map(match::reader).filter(Objects::nonNull).forEach(named::add);
		for (ContractMember each : pair.written.members()) {
			ContractMember namesake = match.reader(each);
			ContractMember read = (namesake != null) ? namesake : byNumber.get(each.number());
			if (read == null || (namesake == null && named.contains(read))) {
				continue; // the reader lacks it, or another member of the writer differs
			}
			if (read.number() != each.number()) {
				pair.differences.add("%s: number %d at the client, %d at the server".formatted(field(pair, each, read),
						clientOf(each, read).number(), clientOf(read, each).number()));
			}
			else if (namesake == null && !areFixed) {
				pair.differences.add("number %d of %s: %s at the client, %s at the server".formatted(each.number(),
						clientOf(pair.written, pair.read).type().name(), clientOf(each, read).name(),
						clientOf(read, each).name()));
			}
			else if (!fits(each.type(), read.type(), pair.parts)) {
				pair.differences.add(differs(field(pair, each, read), each.type(), read.type()));
			}
		}
	}

	private String field(TypePair pair, ContractMember written, ContractMember read) {
		String client = clientOf(written, read).name();
		String server = clientOf(read, written).name();
		return "%s %s%s of %s".formatted(written.type().equals(TypeRef.VOID) ? "constant" : "field", client,
				client.equals(server) ? "" : " (%s at the server)".formatted(server),
				clientOf(pair.written, pair.read).type().name());
	}

	private void compareSubtypes(TypePair pair) {
		SubtypeMatch<TypeRef> readable = subtypes(pair.read);
		for (ContractMember written : pair.written.members()) {
			TypeRef read = readable.find(written.type(), this.writer.type(written.type()));
			if (read != null && !fits(written.type(), read, pair.parts)) {
				pair.differences.add(
						differs("subtype of " + clientOf(pair.written, pair.read).type().name(), written.type(), read));
			}
		}
	}

	private String differs(String where, TypeRef written, TypeRef read) {
		ContractType writtenType = this.writer.type(written);
		ContractType readType = this.reader.type(read);
		String writtenText = written.toString();
		String readText = read.toString();
		if (writtenText.equals(readText)) {
			writtenText = kind(writtenType) + writtenText;
			readText = kind(readType) + readText;
		}
		return "%s: %s at the client, %s at the server".formatted(where, clientOf(writtenText, readText),
				clientOf(readText, writtenText));
	}

	private static String kind(@Nullable ContractType type) {
		return ((type != null) ? type.kind().text() : "value") + " ";
	}

	private <T> T clientOf(T written, T read) {
		return this.clientWrites ? written : read;
	}

	private static String side(boolean isClient) {
		return isClient ? "the client" : "the server";
	}

	/** Pair of types with the same name, and the result of their comparison. */
	private static final class TypePair {

		private final ContractType written;

		private final ContractType read;

		private final List<String> differences = new ArrayList<>();

		private final List<TypePair> parts = new ArrayList<>();

		private boolean compared;

		private boolean readable;

		TypePair(ContractType written, ContractType read) {
			this.written = written;
			this.read = read;
		}

	}

}
