package io.rpcboot.security;

import java.util.Locale;

/** Choices of a reference without a provider of its own. Its client replaces them. */
enum ChosenCredentials implements CredentialsProvider {

	/** No credentials. */
	NONE,

	/** The credentials of the client. */
	DEFAULT;

	@Override
	public Credentials get() {
		throw new IllegalStateException("%s is the choice of a reference and has no credentials".formatted(this));
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
