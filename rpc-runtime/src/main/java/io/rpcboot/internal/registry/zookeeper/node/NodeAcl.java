package io.rpcboot.internal.registry.zookeeper.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

import io.rpcboot.transport.Options;

/**
 * Access control list of nodes: {@code open}, or a list of {@code creator} and {@code
 * scheme:id:permissions}, as in ZooKeeper's shell.
 *
 * @param entries entries in the form of ZooKeeper's client
 */
public record NodeAcl(List<ACL> entries) {

	static final String OPEN_TEXT = "open";

	public static final String CREATOR_TEXT = "creator";

	public static final NodeAcl OPEN = new NodeAcl(ZooDefs.Ids.OPEN_ACL_UNSAFE);

	private static final String NAME = "registry.zookeeper.acl";

	private static final String EXPECTED = "open, or creator and scheme:id:permissions with commas between, "
			+ "such as creator,sasl:monitor:r";

	private static final Pattern ENTRY = Pattern.compile("([a-z0-9]+):([^,\\s]+):([cdrwa]+)");

	private static final String LETTERS = "rwcda";

	private static final int CHANGES = Perms.WRITE | Perms.CREATE | Perms.DELETE | Perms.ADMIN;

	/** Permissions in the order of {@link #LETTERS}. */
	private static final int[] PERMISSIONS = { Perms.READ, Perms.WRITE, Perms.CREATE, Perms.DELETE, Perms.ADMIN };

	public static NodeAcl parse(String text) {
		if (text.equals(OPEN_TEXT)) {
			return OPEN;
		}
		List<ACL> entries = new ArrayList<>();
		for (String entry : text.split(",", -1)) {
			if (entry.trim().equals(CREATOR_TEXT)) {
				entries.addAll(ZooDefs.Ids.CREATOR_ALL_ACL);
				continue;
			}
			Matcher matcher = ENTRY.matcher(entry.trim());
			Options.require(matcher.matches(), NAME, "'" + text + "'", EXPECTED);
			entries.add(new ACL(permissions(matcher.group(3)), new Id(matcher.group(1), matcher.group(2))));
		}
		// no List.copyOf: ZooKeeper's client calls contains(null)
		return new NodeAcl(Collections.unmodifiableList(entries));
	}

	/** Returns true if an entry names the creator, who must be authenticated. */
	public boolean needsIdentity() {
		return this.entries.containsAll(ZooDefs.Ids.CREATOR_ALL_ACL);
	}

	boolean isOpen() {
		return changesOfAnyone(this.entries);
	}

	/**
	 * Returns true if the found ACL lets any client change a node and this ACL does not.
	 */
	boolean isWeakenedBy(List<ACL> found) {
		return !changesOfAnyone(this.entries) && changesOfAnyone(found);
	}

	private static boolean changesOfAnyone(List<ACL> entries) {
		return entries.stream()
			.anyMatch(
					(entry) -> entry.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE) && (entry.getPerms() & CHANGES) != 0);
	}

	private static int permissions(String letters) {
		return Set.copyOf(letters.chars().boxed().toList())
			.stream()
			.mapToInt((letter) -> PERMISSIONS[LETTERS.indexOf(letter)])
			.reduce(0, (a, b) -> a | b);
	}

}
