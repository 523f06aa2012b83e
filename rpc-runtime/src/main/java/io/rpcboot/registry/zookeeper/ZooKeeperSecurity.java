package io.rpcboot.registry.zookeeper;

import javax.security.auth.login.Configuration;

import io.rpcboot.internal.registry.zookeeper.node.NodeAcl;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * Who this process is to ZooKeeper, who may use the nodes that it makes, and whether the
 * connection is encrypted. Immutable; says nothing of passwords.
 */
public final class ZooKeeperSecurity extends Options {

	private static final String USERNAME = "registry.zookeeper.username";

	private static final String LOGIN = "registry.zookeeper.sasl.login-context";

	private String username = "";

	private String password = "";

	/** Null leaves it to ZooKeeper's client. */
	private @Nullable Boolean sasl;

	private String loginContext = "Client";

	private String serverPrincipal = "";

	private String acl = "";

	private @Nullable ZooKeeperTls tls;

	private ZooKeeperSecurity() {
	}

	/**
	 * The defaults: no digest; SASL if the JAAS configuration of this JVM has a section
	 * {@code Client}, as ZooKeeper's client does it; nodes for everybody; no TLS.
	 * @return the options
	 */
	public static ZooKeeperSecurity defaults() {
		return new ZooKeeperSecurity();
	}

	/**
	 * Change the user of ZooKeeper's {@code digest} scheme. ZooKeeper knows no list of
	 * users: a wrong password shows when a node refuses it.
	 * @param username the name, without a colon; empty for nobody
	 * @param password the password; empty if the name is
	 * @return a copy
	 */
	public ZooKeeperSecurity withDigest(String username, String password) {
		// what follows may be the password
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
	 * Change whether to log in by SASL, as Kerberos and DIGEST-MD5 do.
	 * @param sasl true demands a section of the JAAS configuration, false forbids it,
	 * null takes it if it is there
	 * @return a copy
	 */
	public ZooKeeperSecurity withSasl(@Nullable Boolean sasl) {
		return copy((changed) -> changed.sasl = sasl);
	}

	/**
	 * Change the section of the JAAS configuration.
	 * @param loginContext its name
	 * @return a copy
	 */
	public ZooKeeperSecurity withLoginContext(String loginContext) {
		require(!loginContext.isBlank(), LOGIN, "''", "the name of a section of the JAAS configuration");
		return copy((changed) -> changed.loginContext = loginContext);
	}

	/**
	 * Change the Kerberos principal that the servers must have.
	 * @param serverPrincipal such as {@code zookeeper/zk1.acme.com}; empty for
	 * {@code zookeeper/} and the host that is connected to
	 * @return a copy
	 */
	public ZooKeeperSecurity withServerPrincipal(String serverPrincipal) {
		return copy((changed) -> changed.serverPrincipal = serverPrincipal);
	}

	/**
	 * Change who may use the nodes that are created from now on: the root path and all
	 * below. Those that exist stay as they are.
	 * @param acl {@code open}, or {@code creator} and {@code scheme:id:permissions} with
	 * commas between; empty for {@code creator} with a digest or demanded SASL, else
	 * {@code open}
	 * @return a copy
	 */
	public ZooKeeperSecurity withAcl(String acl) {
		if (!acl.isEmpty()) {
			NodeAcl.parse(acl);
		}
		return copy((changed) -> changed.acl = acl);
	}

	/**
	 * Change how connections are encrypted.
	 * @param tls null for not at all
	 * @return a copy
	 */
	public ZooKeeperSecurity withTls(@Nullable ZooKeeperTls tls) {
		return copy((changed) -> changed.tls = tls);
	}

	/** Refuse what cannot work together or not in this JVM. */
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
		catch (SecurityException ex) { // no file, or one that cannot be read
			return false;
		}
	}

	private boolean hasCertificate() {
		return this.tls != null && this.tls.keyStore() != null;
	}

	boolean hasDigest() {
		return !this.username.isEmpty();
	}

	/** As ZooKeeper's client sends it. */
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

	/** Who this process is, for people. */
	String identity() {
		if (hasDigest()) {
			return "the user '" + this.username + "'";
		}
		return Boolean.TRUE.equals(this.sasl) ? "the login of the JAAS section '" + this.loginContext + "'"
				: "a process without user";
	}

}
