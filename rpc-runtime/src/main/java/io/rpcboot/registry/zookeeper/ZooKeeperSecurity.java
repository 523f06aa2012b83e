package io.rpcboot.registry.zookeeper;

import javax.security.auth.login.Configuration;

import io.rpcboot.internal.registry.zookeeper.node.NodeAcl;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * Security options of a ZooKeeper client: identity, ACL of created nodes, and TLS.
 * Immutable; passwords are in no message. <pre>{@code
 * ZooKeeperSecurity.defaults()
 *     .withDigest("shop", password)
 *     .withAcl("creator,sasl:monitor:r")
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ZooKeeperSecurity extends Options {

	private static final String USERNAME = "registry.zookeeper.username";

	static final String DEFAULT_LOGIN_CONTEXT = "Client";

	private static final String LOGIN = "registry.zookeeper.sasl.login-context";

	private String username = "";

	private String password = "";

	/** Null for the default of ZooKeeper's client. */
	private @Nullable Boolean sasl;

	private String loginContext = DEFAULT_LOGIN_CONTEXT;

	private String serverPrincipal = "";

	private String acl = "";

	private @Nullable ZooKeeperTls tls;

	private ZooKeeperSecurity() {
	}

	/**
	 * Returns the defaults: no digest; SASL if the JAAS configuration of this JVM has a
	 * section {@code Client}, like ZooKeeper's client; nodes without restrictions; no
	 * TLS.
	 * @return the options
	 */
	public static ZooKeeperSecurity defaults() {
		return new ZooKeeperSecurity();
	}

	/**
	 * Returns a copy with another user of ZooKeeper's {@code digest} scheme. ZooKeeper
	 * has no list of users: a wrong password is detected when a node refuses it.
	 * @param username the name, without a colon; empty for no user
	 * @param password the password; empty without a name
	 * @return a copy
	 * @throws InvalidOptionException if the name has a colon, or only one of both is set
	 */
	public ZooKeeperSecurity withDigest(String username, String password) {
		// the part after the colon may be the password
		require(username.indexOf(':') < 0, USERNAME, username.replaceFirst("(?s):.*", ":******"),
				"a name without a colon");
		require(username.isEmpty() == password.isEmpty(), "registry.zookeeper.password",
				password.isEmpty() ? "not set" : "set",
				username.isEmpty() ? "none without a username" : "the password of the user " + username);
		return copy((changed) -> {
			changed.username = username;
			changed.password = password;
		});
	}

	/**
	 * Returns a copy with SASL (Kerberos, DIGEST-MD5) required, disabled or optional.
	 * @param sasl true requires a section of the JAAS configuration, false disables SASL,
	 * null uses the section if it exists
	 * @return a copy
	 */
	public ZooKeeperSecurity withSasl(@Nullable Boolean sasl) {
		return copy((changed) -> changed.sasl = sasl);
	}

	/**
	 * Returns a copy with another section of the JAAS configuration.
	 * @param loginContext name of the section
	 * @return a copy
	 * @throws InvalidOptionException if it is blank
	 */
	public ZooKeeperSecurity withLoginContext(String loginContext) {
		require(!loginContext.isBlank(), LOGIN, "''", "the name of a section of the JAAS configuration");
		return copy((changed) -> changed.loginContext = loginContext);
	}

	/**
	 * Returns a copy with another Kerberos principal of the servers.
	 * @param serverPrincipal for example {@code zookeeper/zk1.acme.com}; empty for {@code
	 * zookeeper/} and the host of the connection
	 * @return a copy
	 */
	public ZooKeeperSecurity withServerPrincipal(String serverPrincipal) {
		return copy((changed) -> changed.serverPrincipal = serverPrincipal);
	}

	/**
	 * Returns a copy with another ACL of nodes that are created from now on: the root
	 * path and its descendants. Existing nodes keep their ACL.
	 * @param acl {@code open}, or a comma-separated list of {@code creator} and {@code
	 * scheme:id:permissions}; empty for {@code creator} with a digest or required SASL,
	 * else {@code open}
	 * @return a copy
	 * @throws InvalidOptionException if it is malformed
	 */
	public ZooKeeperSecurity withAcl(String acl) {
		if (!acl.isEmpty()) {
			NodeAcl.parse(acl);
		}
		return copy((changed) -> changed.acl = acl);
	}

	/**
	 * Returns a copy with other TLS options.
	 * @param tls null for no TLS
	 * @return a copy
	 */
	public ZooKeeperSecurity withTls(@Nullable ZooKeeperTls tls) {
		return copy((changed) -> changed.tls = tls);
	}

	/** Rejects options that contradict each other or do not work in this JVM. */
	void requireUsable() {
		boolean known = hasDigest() || !Boolean.FALSE.equals(this.sasl) || hasCertificate();
		require(!nodeAcl().needsIdentity() || known, "registry.zookeeper.acl", this.acl,
				"open, or creator with a username, SASL or an own key");
		if (!Boolean.TRUE.equals(this.sasl)) {
			return;
		}
		if (!hasSection(this.loginContext)) {
			throw new InvalidOptionException(LOGIN, this.loginContext,
					"a section of the JAAS configuration, because SASL is enabled",
					"Set %s to a section of the file that -Djava.security.auth.login.config names.".formatted(LOGIN));
		}
	}

	private static boolean hasSection(String name) {
		try {
			return Configuration.getConfiguration().getAppConfigurationEntry(name) != null;
		}
		catch (SecurityException ex) { // missing or unreadable file
			return false;
		}
	}

	private boolean hasCertificate() {
		return this.tls != null && this.tls.keyStore() != null;
	}

	boolean hasDigest() {
		return !this.username.isEmpty();
	}

	/** Returns the credentials in the format of ZooKeeper's client. */
	String digest() {
		return this.username + ":" + this.password;
	}

	@Nullable Boolean sasl() {
		return this.sasl;
	}

	String loginContext() {
		return this.loginContext;
	}

	String serverPrincipal() {
		return this.serverPrincipal;
	}

	NodeAcl nodeAcl() {
		if (!this.acl.isEmpty()) {
			return NodeAcl.parse(this.acl);
		}
		boolean loggedIn = hasDigest() || Boolean.TRUE.equals(this.sasl);
		return loggedIn ? NodeAcl.parse(NodeAcl.CREATOR_TEXT) : NodeAcl.OPEN;
	}

	@Nullable ZooKeeperTls tls() {
		return this.tls;
	}

	/** Returns the identity of this process, for messages. */
	String identity() {
		if (hasDigest()) {
			return "the user '" + this.username + "'";
		}
		return Boolean.TRUE.equals(this.sasl) ? "the login of the JAAS section '" + this.loginContext + "'"
				: "a process without user";
	}

}
