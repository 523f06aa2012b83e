package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.security.Credentials;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Identity of the client of a connection: its certificate, and the credentials of its
 * AUTH frames, from their check to their end. Credentials are checked again each minute,
 * so that withdrawn ones end soon. Event loop only.
 */
final class ClientAuthentication {

	/**
	 * Shortest interval between two checks; of credentials that wait, the newest count.
	 */
	private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Time after which the credentials of a connection are checked again. */
	private static final long CHECK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

	/** Maximum of credentials that arrive before the next check. */
	private static final int MAX_UNCHECKED = 16;

	private final Connection connection;

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

	/** Identity of the client, null until it is known. */
	private @Nullable CallerIdentity used;

	/** Credentials of that identity, null without any. */
	private @Nullable String credentials;

	/** Credentials that have arrived since the last check began. */
	private int arrived;

	/** Begin of the last check of other credentials than the first ones. */
	private long lastNanos;

	/** Begins the next check; null if none is due. */
	private @Nullable Future<?> next;

	/** Ends the identity, or checks its credentials again; null for neither. */
	private @Nullable Future<?> timer;

	private boolean closed;

	/**
	 * Creates the authentication of a connection.
	 * @param identified gets the identity of the client, and each change
	 * @param refused gets the reason if the first credentials are not valid
	 */
	ClientAuthentication(Connection connection, @Nullable AccessControl access, Consumer<CallerIdentity> identified,
			Consumer<AccessDenial> refused) {
		this.connection = connection;
		this.access = access;
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
			use(null, certified());
		}
		else {
			check();
		}
	}

	/** Returns the identity of the certificate until that expires. */
	private CallerIdentity certified() {
		return AccessControl.valid(this.connection.certified());
	}

	private void check() {
		String header = this.unchecked;
		this.unchecked = null;
		this.next = null;
		this.arrived = 0;
		AccessControl control = this.access;
		if (header == null || control == null) {
			use(null, certified());
			return;
		}
		this.checking = true;
		control.authenticate(header, certified(), this.connection.remote(), this.connection.isEncrypted())
			.whenComplete((identity, failure) -> this.connection.executeNow(() -> {
				this.checking = false;
				if (this.closed) {
					return;
				}
				if (failure == null) {
					use(header, identity);
				}
				else {
					failed(header, AccessControl.refusal(failure));
				}
				checkNext();
			}));
	}

	/** Other credentials hold until they end, those that were withdrawn do not. */
	private void failed(String header, AccessDenial why) {
		CallerIdentity known = this.used;
		if (known == null) {
			this.refused.accept(why);
		}
		else if (header.equals(this.credentials)) {
			boolean isWithdrawn = why.status() == RpcStatus.UNAUTHENTICATED;
			use(isWithdrawn ? null : header, isWithdrawn ? certified() : known);
		}
	}

	/**
	 * Uses an identity until it ends, or until its credentials have to be checked again.
	 * @param header its credentials, null without any
	 */
	private void use(@Nullable String header, CallerIdentity identity) {
		stopTimer();
		CallerIdentity before = this.used;
		this.credentials = header;
		this.used = identity;
		if (before == null || !isSame(before, identity)) {
			this.identified.accept(identity);
		}
		if (this.access == null) {
			return;
		}
		long left = Options.nanos(Duration.between(Instant.now(), identity.expiresAt()));
		if (header != null && left > CHECK_AGAIN_NANOS) {
			this.timer = this.connection.loop().schedule(this::checkAgain, CHECK_AGAIN_NANOS, TimeUnit.NANOSECONDS);
		}
		else if (!identity.expiresAt().equals(Instant.MAX)) {
			this.timer = this.connection.loop()
				.schedule(() -> use(null, certified()), Math.max(0, left), TimeUnit.NANOSECONDS);
		}
	}

	private static boolean isSame(CallerIdentity one, CallerIdentity other) {
		return one.principal() == other.principal() && one.getName().equals(other.getName())
				&& one.names().equals(other.names());
	}

	private void checkAgain() {
		if (this.unchecked == null) {
			this.unchecked = this.credentials;
		}
		checkNext();
	}

	private void stopTimer() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	/** Forgets all: the connection is closed. */
	void close() {
		this.closed = true;
		this.credentials = null;
		this.unchecked = null;
		stopTimer();
		if (this.next != null) {
			this.next.cancel(false);
		}
	}

}
