package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.security.Credentials;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Identity of the client of a connection: its certificate, and the credentials of its
 * AUTH frames, from their check to their end. Event loop only.
 */
final class ClientAuthentication {

	/** Shortest interval between AUTH frames, each of which may cost a check. */
	private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final Connection connection;

	private final ServerTransport calls;

	/** Checks credentials; null to ignore them. */
	private final @Nullable AccessControl access;

	private final Consumer<CallerIdentity> identified;

	private final Consumer<AccessDenial> refused;

	/** Begin of credentials that have not arrived completely. */
	private final StringBuilder partial = new StringBuilder();

	/** Credentials that were not checked; null without any. */
	private @Nullable String unchecked;

	/** True once the client has introduced itself. */
	private boolean introduced;

	private boolean checking;

	private long lastNanos;

	/** Ends the identity when its credentials expire; null without an end. */
	private @Nullable Future<?> expiry;

	private boolean closed;

	/**
	 * Creates the authentication of a connection.
	 * @param identified gets the identity of the client, and each change
	 * @param refused gets the reason if the first credentials are not valid
	 */
	ClientAuthentication(Connection connection, ServerTransport calls, Consumer<CallerIdentity> identified,
			Consumer<AccessDenial> refused) {
		this.connection = connection;
		this.calls = calls;
		this.access = calls.server().access;
		this.identified = identified;
		this.refused = refused;
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
		if (this.checking || this.unchecked != null) {
			throw new ProtocolException("AUTH while credentials are being checked");
		}
		this.unchecked = this.partial.toString();
		this.partial.setLength(0);
		if (this.introduced) {
			requirePause();
			check();
		}
	}

	private void requirePause() {
		long now = System.nanoTime();
		if (this.lastNanos != 0 && now - this.lastNanos < MIN_INTERVAL_NANOS) {
			throw new ProtocolException("AUTH twice within a second");
		}
		this.lastNanos = now;
	}

	/** Finds out who the client is: it has introduced itself. */
	void begin() {
		this.introduced = true;
		if (this.unchecked == null) {
			this.identified.accept(this.connection.certified());
		}
		else {
			check();
		}
	}

	private void check() {
		String header = this.unchecked;
		this.unchecked = null;
		AccessControl control = this.access;
		CallerIdentity certified = this.connection.certified();
		if (header == null || control == null) {
			this.identified.accept(certified);
			return;
		}
		this.checking = true;
		boolean isFirst = this.expiry == null && this.lastNanos == 0;
		control.authenticate(header, certified, this.calls.host(), this.calls.isEncrypted())
			.whenComplete((identity, failure) -> this.connection.executeNow(() -> {
				this.checking = false;
				if (this.closed) {
					return;
				}
				if (failure == null) {
					use(identity, certified);
				}
				else if (isFirst) { // else the older ones hold until they end
					this.refused.accept(AccessControl.refusal(failure));
				}
			}));
	}

	private void use(CallerIdentity identity, CallerIdentity certified) {
		stopExpiry();
		this.identified.accept(identity);
		if (!identity.expiresAt().equals(Instant.MAX)) {
			long nanos = Math.max(0, Options.nanos(Duration.between(Instant.now(), identity.expiresAt())));
			this.expiry = this.connection.loop()
				.schedule(() -> this.identified.accept(certified), nanos, TimeUnit.NANOSECONDS);
		}
	}

	private void stopExpiry() {
		if (this.expiry != null) {
			this.expiry.cancel(false);
		}
	}

	/** Forgets all: the connection is closed. */
	void close() {
		this.closed = true;
		stopExpiry();
	}

}
