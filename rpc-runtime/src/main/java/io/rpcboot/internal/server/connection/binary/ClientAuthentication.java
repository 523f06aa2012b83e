package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.connection.ClientIdentity;
import io.rpcboot.security.Credentials;

/** Reads the credentials of a connection from its AUTH frames. Event loop only. */
final class ClientAuthentication {

	/** Maximum of credentials that arrive before the next check. */
	private static final int MAX_UNCHECKED = 16;

	final ClientIdentity identity;

	/** Begin of credentials that have not arrived completely. */
	private final StringBuilder partial = new StringBuilder();

	ClientAuthentication(ClientIdentity identity) {
		this.identity = identity;
	}

	/** Handles an AUTH frame. */
	void onAuth(boolean continues, byte[] body) {
		if (this.partial.length() + body.length > Credentials.MAX_LENGTH) {
			throw new ProtocolException("AUTH: more than %d characters".formatted(Credentials.MAX_LENGTH));
		}
		this.partial.append(new String(body, StandardCharsets.ISO_8859_1));
		if (continues) {
			return;
		}
		String header = this.partial.toString();
		this.partial.setLength(0);
		int count = this.identity.arrived(header);
		if (count > MAX_UNCHECKED) {
			throw new ProtocolException("AUTH: %d times without a check".formatted(count));
		}
	}

}
