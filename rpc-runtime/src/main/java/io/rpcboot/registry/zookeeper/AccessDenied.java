package io.rpcboot.registry.zookeeper;

import org.apache.zookeeper.KeeperException;

/** Messages for refusals by ZooKeeper. */
final class AccessDenied {

	private static final String PROPERTIES = "registry.zookeeper.username and registry.zookeeper.password";

	private AccessDenied() {
	}

	/** Returns the message for a failure; empty if it is no refusal. */
	static String of(Throwable failure, ZooKeeperSecurity security) {
		if (!(failure instanceof KeeperException refused)) {
			return "";
		}
		return switch (refused.code()) {
			case NOAUTH ->
				("refuses %s (NoAuth for %s): set %s to what that node was created with, " + "or change its ACL")
					.formatted(security.identity(), refused.getPath(), PROPERTIES);
			case INVALIDACL -> ("refuses the ACL of %s (InvalidACL): set registry.zookeeper.acl to open, or %s")
				.formatted(refused.getPath(), PROPERTIES);
			case AUTHFAILED -> ofLogin(security);
			case SESSIONCLOSEDREQUIRESASLAUTH -> ("requires a login by SASL: set "
					+ "registry.zookeeper.sasl.enabled to true and name a JAAS configuration");
			default -> "";
		};
	}

	/** Returns the message for a failed login, after which ZooKeeper's client stops. */
	static String ofLogin(ZooKeeperSecurity security) {
		return ("refuses %s (AuthFailed): name and password in the JAAS configuration of this JVM, "
				+ "and registry.zookeeper.sasl.*, have to be those that the server knows")
			.formatted(security.hasDigest() ? security.identity() : "the SASL login of this process");
	}

}
