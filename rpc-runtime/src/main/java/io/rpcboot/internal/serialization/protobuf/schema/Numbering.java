package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.contract.ContractMember;

/**
 * Numbers the members of types: by {@code @Tag}, else by the lock, else in the declared
 * order. For one thread.
 */
public final class Numbering {

	private final NumberLock lock;

	/** True to write the lock: differences are taken over, not refused. */
	private final boolean renews;

	private final Map<String, LockLine> lines = new TreeMap<>();

	/** Lines that the lock lacks, by types with numbers in the declared order. */
	private final Map<String, String> unlocked = new TreeMap<>();

	/**
	 * Creates a numbering.
	 * @param renews true to take over what differs from the lock
	 */
	public Numbering(NumberLock lock, boolean renews) {
		this.lock = lock;
		this.renews = renews;
	}

	/**
	 * Numbers the fields of a message or a choice.
	 * @param aliases former names of the type
	 * @param members members with their declared numbers
	 * @param fixed true if the declared numbers come from {@code @Tag}
	 * @return numbers of exactly these members
	 */
	public LockLine number(String type, List<String> aliases, Collection<ContractMember> members, boolean fixed) {
		LockLine line = numberAny(type, aliases, members, fixed);
		if (line.hasZero()) {
			throw new RpcConfigurationException(
					"%s: '%s' has 0 (expected: numbers from 1, because only a constant of an enum can have 0)"
						.formatted(NumberLock.RESOURCE, line),
					"Correct the line, or let the file be written again.");
		}
		return line;
	}

	/**
	 * Numbers the constants of an enum, of which one may have 0.
	 * @see #number
	 */
	public LockLine numberConstants(String type, List<String> aliases, Collection<ContractMember> constants,
			boolean fixed) {
		return numberAny(type, aliases, constants, fixed);
	}

	/**
	 * Numbers the parameters of a method, which are the fields of its request. A method
	 * without parameters needs no line.
	 * @param name path of the method, such as {@code com.acme.Orders/Search}
	 * @param parameters parameters with their declared numbers
	 * @param isNamed true if the interface was compiled with their names
	 */
	public LockLine numberRequest(String name, List<ContractMember> parameters, boolean isNamed) {
		LockLine known = this.lock.find(name, List.of());
		if (known == null && (parameters.isEmpty() || !isNamed)) {
			if (!parameters.isEmpty()) {
				this.unlocked.put(name, name + " (expected: an interface that is compiled with -parameters)");
			}
			return LockLine.of(name, parameters);
		}
		if (!isNamed) {
			throw new RpcConfigurationException(
					"%s: '%s', but the interface is compiled without the names of parameters (expected: with -parameters)"
						.formatted(NumberLock.RESOURCE, known),
					"Compile the interface with the option -parameters of javac, as Spring Boot's parent does.");
		}
		return number(name, List.of(), parameters, false);
	}

	private LockLine numberAny(String type, List<String> aliases, Collection<ContractMember> members, boolean fixed) {
		LockLine known = this.lock.find(type, aliases);
		LockLine line = (known != null) ? locked(type, known, members, fixed) : LockLine.of(type, members);
		this.lines.put(type, line);
		if (known == null && !fixed) {
			this.unlocked.put(type, line.toString());
		}
		return line;
	}

	private LockLine locked(String type, LockLine known, Collection<ContractMember> members, boolean fixed) {
		LockLine renewed = new LockLine(type, known.numbers(), known.reserved()).renewed(members, fixed);
		for (ContractMember each : members) {
			Integer number = known.numberOf(each);
			if (fixed && number != null && number != each.number()) {
				throw refusal("'%s' (expected: %s=%d, as @Tag has it)".formatted(known, each.name(), each.number()),
						renewed);
			}
		}
		boolean isNew = members.stream().anyMatch((each) -> known.numberOf(each) == null);
		if (!this.renews && (isNew || !renewed.reserved().equals(known.reserved()))) {
			List<String> names = members.stream().map(ContractMember::name).toList();
			throw refusal("'%s' (expected: the members %s, and the numbers of those that are gone as reserved)"
				.formatted(known, names), renewed);
		}
		return renewed;
	}

	private static RpcConfigurationException refusal(String found, LockLine line) {
		return new RpcConfigurationException("%s: %s".formatted(NumberLock.RESOURCE, found),
				"If the change is meant, replace the line by: " + line);
	}

	/** Returns the lines of the types that are numbered in the declared order. */
	public List<String> unlocked() {
		return List.copyOf(this.unlocked.values());
	}

	/** Returns the lock with all types that were numbered. */
	public NumberLock lock() {
		return this.lock.with(new NumberLock(this.lines));
	}

}
