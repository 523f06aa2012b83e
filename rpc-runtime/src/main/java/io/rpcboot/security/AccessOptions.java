package io.rpcboot.security;

import java.util.function.Consumer;

import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Options of a server about who may call it. Immutable. Without an authenticator, an
 * authorizer and {@code allow} lists of services, each client may call everything that it
 * can reach.
 * <p>
 * With an authenticator alone, each caller must have valid credentials or a certificate.
 * With an authorizer, that decides about each call. Connections in one process have
 * neither certificates nor credentials; their calls may have credentials.
 *
 * @since 0.1.0
 */
public final class AccessOptions extends Options {

	private static final AccessOptions DEFAULTS = new AccessOptions();

	private @Nullable Authenticator authenticator;

	private @Nullable Authorizer authorizer;

	private boolean clearTextCredentials;

	private boolean anonymousCallers;

	private @Nullable Consumer<RefusedCall> refusals;

	private AccessOptions() {
	}

	/**
	 * Returns the defaults: no authenticator, no authorizer.
	 * @return the defaults
	 */
	public static AccessOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns options with a check of credentials.
	 * @param authenticator checks the credentials that clients send
	 * @return changed options
	 */
	public AccessOptions withAuthenticator(Authenticator authenticator) {
		return copy((changed) -> changed.authenticator = authenticator);
	}

	/**
	 * Returns options with rules.
	 * @param authorizer decides about each call
	 * @return changed options
	 */
	public AccessOptions withAuthorizer(Authorizer authorizer) {
		return copy((changed) -> changed.authorizer = authorizer);
	}

	/**
	 * Returns options that take or refuse credentials that come without TLS. Default:
	 * they are refused, because others can read them.
	 * @param allowed true for networks that others cannot read
	 * @return changed options
	 */
	public AccessOptions withClearTextCredentials(boolean allowed) {
		return copy((changed) -> changed.clearTextCredentials = allowed);
	}

	/**
	 * Returns options that let callers without a proof call what neither an authorizer
	 * nor a list guards, although there is an authenticator. Default: each caller needs a
	 * proof.
	 * @param allowed true to let them call it
	 * @return changed options
	 */
	public AccessOptions withAnonymousCallers(boolean allowed) {
		return copy((changed) -> changed.anonymousCallers = allowed);
	}

	/**
	 * Returns options with a listener for refused calls that no interceptor sees, for
	 * example for an audit. Calls that an interceptor or an annotation refuses are not
	 * among them.
	 * @param listener gets each refused call, on any thread, and must not block
	 * @return changed options
	 */
	public AccessOptions withRefusals(Consumer<RefusedCall> listener) {
		return copy((changed) -> changed.refusals = listener);
	}

	/**
	 * Returns the check of credentials.
	 * @return the authenticator, null for none
	 */
	public @Nullable Authenticator authenticator() {
		return this.authenticator;
	}

	/**
	 * Returns the rules.
	 * @return the authorizer, null for none
	 */
	public @Nullable Authorizer authorizer() {
		return this.authorizer;
	}

	/**
	 * Returns whether credentials may come without TLS.
	 * @return true if they are taken
	 */
	public boolean clearTextCredentials() {
		return this.clearTextCredentials;
	}

	/**
	 * Returns whether callers without a proof may call what nothing guards.
	 * @return true if they may
	 */
	public boolean anonymousCallers() {
		return this.anonymousCallers;
	}

	/**
	 * Returns the listener for refused calls.
	 * @return the listener, null for none
	 */
	public @Nullable Consumer<RefusedCall> refusals() {
		return this.refusals;
	}

}
