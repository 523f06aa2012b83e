package io.rpcboot.internal.client.call;

/** Knowledge of whether a failed call ran at a server. */
public enum Execution {

	NONE("did not execute"),

	/** The server has refused the call for good: it runs at no other server either. */
	REFUSED("did not execute"),

	POSSIBLE("may have executed"),

	CERTAIN("executed");

	/** Before the words in a failure message. */
	static final String BEFORE_WORDS = "; it ";

	/** End of the failure message. */
	final String words;

	Execution(String words) {
		this.words = words;
	}

	public boolean mayHave() {
		return this == POSSIBLE || this == CERTAIN;
	}

	/** Returns a failure message without the end that tells of the execution. */
	public static String without(String message) {
		for (Execution each : values()) {
			String end = BEFORE_WORDS + each.words;
			if (message.endsWith(end)) {
				return message.substring(0, message.length() - end.length());
			}
		}
		return message;
	}

	/** Returns the knowledge that includes earlier attempts. */
	Execution after(boolean earlierMayHave) {
		return (!mayHave() && earlierMayHave) ? POSSIBLE : this;
	}

}
