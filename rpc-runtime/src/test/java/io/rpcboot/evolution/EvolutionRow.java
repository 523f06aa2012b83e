package io.rpcboot.evolution;

/**
 * One change of a contract: two versions of a service, what the value of each looks like
 * at the other, and which client cannot call which server. A row holds for arguments,
 * results and exceptions, whichever side has the new version.
 *
 * @param name what changed
 * @param oldBody the body of the old interface, for {@link CompiledVersion#of}
 * @param newBody the body of the new interface
 * @param oldAtNew the {@link Dump} of the old version's value at the new one; after
 * {@value #ERROR} the end of a message instead, if it cannot be read
 * @param newAtOld the other way round
 * @param oldClientRefused the difference for an old client at a new server; empty if it
 * can call
 * @param newClientRefused the difference for a new client at an old server; empty if it
 * can call
 */
public record EvolutionRow(String name, String oldBody, String newBody, String oldAtNew, String newAtOld,
		String oldClientRefused, String newClientRefused) {

	/** Begins the expectation of a value that cannot be read. */
	public static final String ERROR = "error: ";

	static EvolutionRow change(String name, String oldBody, String newBody, String oldAtNew, String newAtOld) {
		return new EvolutionRow(name, oldBody, newBody, oldAtNew, newAtOld, "", "");
	}

	static EvolutionRow refused(String name, String oldBody, String newBody, String oldClientRefused,
			String newClientRefused) {
		return new EvolutionRow(name, oldBody, newBody, "", "", oldClientRefused, newClientRefused);
	}

	EvolutionRow newClientRefused(String difference) {
		return new EvolutionRow(this.name, this.oldBody, this.newBody, this.oldAtNew, this.newAtOld,
				this.oldClientRefused, difference);
	}

	EvolutionRow oldClientRefused(String difference) {
		return new EvolutionRow(this.name, this.oldBody, this.newBody, this.oldAtNew, this.newAtOld, difference,
				this.newClientRefused);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
