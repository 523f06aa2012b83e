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

	/**
	 * Shortest interval between two checks; of credentials that wait, the newest count.
	 */
	private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Maximum of credentials that arrive before the next check. */
	private static final int MAX_UNCHECKED = 16;

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

	/** True once the identity of the client was known. */
	private boolean identifiedOnce;

	/** Credentials that have arrived since the last check began. */
	private int arrived;

	/** Begin of the last check of other credentials than the first ones. */
	private long lastNanos;

	/** Begins the next check; null if none is due. */
	private @Nullable Future<?> next;

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
		if (++this.arrived > MAX_UNCHECKED) {
			throw new ProtocolException("AUTH: %d times without a check".formatted(this.arrived));
		}
		this.unchecked = this.partial.toString();
		this.partial.setLength(0);
		checkNext();
	}

	/** Checks the newest credentials, now or later, unless others are being checked. */
	private void checkNext() {
		if (!this.introduced || this.checking || this.next != null || this.unchecked == null) {
			return;
		}
		long now = System.nanoTime();
		long wait = (this.lastNanos == 0) ? 0 : MIN_INTERVAL_NANOS - (now - this.lastNanos);
		this.next = this.connection.loop().schedule(this::check, Math.max(0, wait), TimeUnit.NANOSECONDS);
		this.lastNanos = now + Math.max(0, wait);
	}

	/** Finds out who the client is: it has introduced itself. */
	void begin() {
		this.introduced = true;
		if (this.unchecked == null) {
			this.identifiedOnce = true;
			this.identified.accept(this.connection.certified());
		}
		else {
			check();
		}
	}

	private void check() {
		String header = this.unchecked;
		this.unchecked = null;
		this.next = null;
		this.arrived = 0;
		AccessControl control = this.access;
		CallerIdentity certified = this.connection.certified();
		if (header == null || control == null) {
			this.identified.accept(certified);
			return;
		}
		this.checking = true;
		control.authenticate(header, certified, this.calls.remote(), this.calls.isEncrypted())
			.whenComplete((identity, failure) -> this.connection.executeNow(() -> {
				this.checking = false;
				if (this.closed) {
					return;
				}
				if (failure == null) {
					use(identity, certified);
				}
				else if (!this.identifiedOnce) { // else the older ones hold until they
													// end
					this.refused.accept(AccessControl.refusal(failure));
				}
				checkNext();
			}));
	}

	private void use(CallerIdentity identity, CallerIdentity certified) {
		stopExpiry();
		this.identifiedOnce = true;
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
		if (this.next != null) {
			this.next.cancel(false);
		}
	}

}
