package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Match between the members of a writer's type and those of the reader's. Names come
 * first. An alias of either side only joins members without a namesake.
 *
 * @since 0.1.0
 */
public final class MemberMatch {

	/** Members of the reader by the writer's number. */
	private final Map<Integer, ContractMember> readers = new HashMap<>();

	private final List<Ambiguity> ambiguities = new ArrayList<>();

	private MemberMatch() {
	}

	/**
	 * Matches fields, each with at most one.
	 * @param written type of the writer
	 * @param read type of the reader
	 * @return the match
	 */
	public static MemberMatch ofFields(ContractType written, ContractType read) {
		MemberMatch match = new MemberMatch();
		Map<String, ContractMember> writtenNames = names(written);
		List<ContractMember> unmatched = new ArrayList<>();
		for (ContractMember each : read.members()) {
			ContractMember namesake = writtenNames.remove(name(read, each));
			if (namesake != null) {
				match.readers.put(namesake.number(), each);
			}
			else {
				unmatched.add(each);
			}
		}
		match.matchAliases(writtenNames, unmatched);
		return match;
	}

	private void matchAliases(Map<String, ContractMember> written, List<ContractMember> read) {
		Map<String, ContractMember> writtenAliases = aliases(written.values());
		Map<ContractMember, Set<ContractMember>> candidates = new LinkedHashMap<>();
		Map<ContractMember, Set<ContractMember>> claimants = new LinkedHashMap<>();
		for (ContractMember reader : read) {
			Stream
				.concat(reader.aliases().stream().map(written::get),
						Stream.ofNullable(writtenAliases.get(reader.name())))
				.filter(Objects::nonNull)
				.forEach((writer) -> {
					candidates.computeIfAbsent(reader, (key) -> new LinkedHashSet<>()).add(writer);
					claimants.computeIfAbsent(writer, (key) -> new LinkedHashSet<>()).add(reader);
				});
		}
		claimants.forEach((writer, readers) -> {
			ContractMember reader = readers.iterator().next();
			if (readers.size() == 1 && candidates.getOrDefault(reader, Set.of()).size() == 1) {
				this.readers.put(writer.number(), reader);
			}
		});
		addAmbiguities(claimants, true);
		addAmbiguities(candidates, false);
	}

	private void addAmbiguities(Map<ContractMember, Set<ContractMember>> joined, boolean areWritten) {
		joined.forEach((member, others) -> {
			if (others.size() > 1) {
				this.ambiguities.add(new Ambiguity(member, areWritten, List.copyOf(others)));
			}
		});
	}

	/**
	 * Matches constants. Several may match one that lists their names as aliases.
	 * @param written enum of the writer
	 * @param read enum of the reader
	 * @return the match
	 */
	public static MemberMatch ofConstants(ContractType written, ContractType read) {
		MemberMatch match = new MemberMatch();
		Map<String, ContractMember> names = names(read);
		Map<String, ContractMember> aliases = aliases(read.members());
		for (ContractMember each : written.members()) {
			ContractMember reader = names.getOrDefault(each.name(), aliases.get(each.name()));
			if (reader == null) {
				List<String> known = each.aliases().stream().filter(names::containsKey).toList();
				reader = (known.size() == 1) ? names.get(known.get(0)) : null;
			}
			if (reader != null) {
				match.readers.put(each.number(), reader);
			}
		}
		return match;
	}

	private static Map<String, ContractMember> names(ContractType type) {
		Map<String, ContractMember> names = new HashMap<>();
		type.members().forEach((each) -> names.put(name(type, each), each));
		return names;
	}

	private static Map<String, ContractMember> aliases(Iterable<ContractMember> members) {
		Map<String, ContractMember> aliases = new HashMap<>();
		members.forEach((each) -> each.aliases().forEach((alias) -> aliases.put(alias, each)));
		return aliases;
	}

	/**
	 * Returns the name for the match, which tells the message of an exception from a
	 * field {@code message}.
	 */
	private static String name(ContractType type, ContractMember member) {
		boolean isMessage = type.kind() == Kind.EXCEPTION && member.number() == 1 && member.name().equals("message");
		return isMessage ? ContractMember.MESSAGE : member.name();
	}

	/**
	 * Returns the reader's member for one of the writer's.
	 * @param written member of the writer
	 * @return member of the reader, null if there is none
	 */
	public @Nullable ContractMember reader(ContractMember written) {
		return this.readers.get(written.number());
	}

	/** Returns the members that aliases join with several others. */
	List<Ambiguity> ambiguities() {
		return this.ambiguities;
	}

	/**
	 * Member that aliases join with several members of the other contract.
	 *
	 * @param member the member
	 * @param isWritten true if it is the writer's
	 * @param others the joined members of the other contract
	 */
	record Ambiguity(ContractMember member, boolean isWritten, List<ContractMember> others) {

	}

}
