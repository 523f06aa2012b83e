package io.rpcboot.serialization.contract;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Whether one side can read what the other writes. Fields, constants, subtypes and
 * exceptions are matched by name: what only the writer has is skipped, what only the
 * reader has stays empty. A pair of types is looked at once, which also ends recursion.
 */
final class Readability {

	/** The types of one and the same wire format among which a value is converted. */
	private static final Map<String, String> FAMILIES = Map.ofEntries(Map.entry("byte", "integer"),
			Map.entry("short", "integer"), Map.entry("int", "integer"), Map.entry("long", "integer"),
			Map.entry("float", "float"), Map.entry("double", "double"), Map.entry("boolean", "boolean"),
			Map.entry("char", "char"), Map.entry("java.lang.Byte", "integer"), Map.entry("java.lang.Short", "integer"),
			Map.entry("java.lang.Integer", "integer"), Map.entry("java.lang.Long", "integer"),
			Map.entry("java.lang.Float", "float"), Map.entry("java.lang.Double", "double"),
			Map.entry("java.lang.Boolean", "boolean"), Map.entry("java.lang.Character", "char"));

	/** More would not be read. */
	private static final int MAX_DIFFERENCES = 16;

	private final Contract writer;

	private final String writerName;

	private final Contract reader;

	private final String readerName;

	Readability(Contract writer, String writerName, Contract reader, String readerName) {
		this.writer = writer;
		this.writerName = writerName;
		this.reader = reader;
		this.readerName = readerName;
	}

	/** What stands in the way, in the words of a review; empty if nothing. */
	Set<String> differences(String where, TypeRef written, TypeRef read) {
		Comparison comparison = new Comparison();
		comparison.compare(where, written, read);
		return comparison.found;
	}

	/** Whether both are the same type, by name or alias. */
	boolean isSame(TypeRef written, TypeRef read) {
		ContractType writtenType = this.writer.type(written);
		ContractType readType = this.reader.type(read);
		return (writtenType != null && readType != null) ? readType.matches(writtenType) : written.equals(read);
	}

	/** The writer's member that is meant: a field by its name, a subtype by its class. */
	private @Nullable ContractMember find(ContractType written, ContractMember member) {
		if (member.name().equals(ContractMember.NONE)) {
			return findType(written, member.type(), true);
		}
		return written.members()
			.stream()
			.filter((each) -> each.name().equals(member.name()))
			.findFirst()
			.or(() -> written.members().stream().filter(member::matches).findFirst())
			.orElse(null);
	}

	private @Nullable ContractMember findType(ContractType choices, TypeRef type, boolean isWritten) {
		return choices.members()
			.stream()
			.filter((each) -> isWritten ? isSame(each.type(), type) : isSame(type, each.type()))
			.findFirst()
			.orElse(null);
	}

	private static boolean isReadable(TypeRef written, TypeRef read) {
		String from = FAMILIES.get(written.name());
		String to = FAMILIES.get(read.name());
		if (from != null && to != null) {
			return from.equals(to) || (from.equals("float") && to.equals("double"));
		}
		return written.name().equals(read.name()) || (Containers.isCollection(written) && Containers.isCollection(read))
				|| (Containers.isMap(written) && Containers.isMap(read));
	}

	private String differs(String where, TypeRef written, TypeRef read) {
		return "%s: %s at %s, %s at %s".formatted(where, written, this.writerName, read, this.readerName);
	}

	/** One walk through two types. */
	private final class Comparison {

		private final Set<List<TypeRef>> seen = new HashSet<>();

		private final Set<String> found = new LinkedHashSet<>();

		private void compare(String where, TypeRef written, TypeRef read) {
			if (this.found.size() >= MAX_DIFFERENCES || !this.seen.add(List.of(written, read))) {
				return;
			}
			ContractType writtenType = Readability.this.writer.type(written);
			ContractType readType = Readability.this.reader.type(read);
			if (writtenType != null && readType != null) {
				compareTypes(where, writtenType, readType);
			}
			else if (writtenType != null || readType != null || !isReadable(written, read)
					|| written.arguments().size() != read.arguments().size()) {
				this.found.add(differs(where, written, read));
			}
			else {
				for (int i = 0; i < written.arguments().size(); i++) {
					compare(where, written.arguments().get(i), read.arguments().get(i));
				}
			}
		}

		private void compareTypes(String where, ContractType written, ContractType read) {
			if (compareWithoutSubtypes(where, written, read)) {
				return;
			}
			boolean sameKind = written.kind() == read.kind() || (written.kind().hasFields() && read.kind().hasFields());
			if (!sameKind || !read.matches(written)) {
				this.found.add(differs(where, written.type(), read.type()));
				return;
			}
			if (read.kind() == Kind.ENUM) {
				return;
			}
			for (ContractMember member : read.members()) {
				ContractMember counterpart = find(written, member);
				if (counterpart != null) {
					compare(read.kind().hasFields() ? "field %s of %s".formatted(member.name(), read.type().name())
							: where, counterpart.type(), member.type());
				}
			}
		}

		/** A class that has subtypes at one side only is the class itself there. */
		private boolean compareWithoutSubtypes(String where, ContractType written, ContractType read) {
			ContractMember itself = null;
			if (read.kind() == Kind.BASE && written.kind().hasFields()) {
				itself = findType(read, written.type(), false);
			}
			else if (written.kind() == Kind.BASE && read.kind().hasFields()) {
				itself = findType(written, read.type(), true);
			}
			if (itself == null) {
				return false;
			}
			compare(where, (read.kind() == Kind.BASE) ? written.type() : itself.type(),
					(read.kind() == Kind.BASE) ? itself.type() : read.type());
			return true;
		}

	}

}
