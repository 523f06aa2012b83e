package io.rpcboot.internal.protocol.grpc;

import io.rpcboot.internal.text.PrintableText;

/**
 * Value of {@code user-agent}: the name of an application before that of the library.
 */
public final class UserAgent {

	private static final String LIBRARY = "grpc-java-rpcboot";

	/** Maximum length of a name, in characters. */
	private static final int MAX_NAME = 128;

	private UserAgent() {
	}

	/** Returns the value for clients of an application, whose name may be empty. */
	public static String of(String application) {
		String name = GrpcMessage.encode(PrintableText.of(application, MAX_NAME));
		return name.isEmpty() ? LIBRARY : name + " " + LIBRARY;
	}

	/** Returns the name of the application; that of a foreign library is part of it. */
	public static String application(String value) {
		String name = value.equals(LIBRARY) ? "" : value.endsWith(" " + LIBRARY)
				? GrpcMessage.decode(value.substring(0, value.length() - LIBRARY.length() - 1)) : value;
		return PrintableText.of(name, MAX_NAME);
	}

}
