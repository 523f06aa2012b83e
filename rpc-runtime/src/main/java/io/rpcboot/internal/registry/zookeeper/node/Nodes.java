package io.rpcboot.internal.registry.zookeeper.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes nodes. Curator keeps the session; operations use ZooKeeper's client
 * directly, because Curator logs each failed operation with its stack. Blocks; registry
 * thread only. A failed operation throws and is not repeated.
 */
public final class Nodes {

	private static final byte[] EMPTY = {};

	private final CuratorFramework client;

	private final long batchMillis;

	private final String root;

	private final NodeAcl acl;

	/**
	 * Creates access to the nodes of a session.
	 * @param client the session
	 * @param batchMillis timeout of a batch of operations
	 * @param root root of the nodes of this registry; its ancestors have an open ACL
	 * @param acl ACL of the root and its descendants
	 */
	public Nodes(CuratorFramework client, long batchMillis, String root, NodeAcl acl) {
		this.client = client;
		this.batchMillis = batchMillis;
		this.root = root;
		this.acl = acl;
	}

	long sessionId() throws Exception {
		return zooKeeper().getSessionId();
	}

	/** Returns the names of the children, none if the node does not exist. */
	public List<String> children(String path) throws Exception {
		try {
			return zooKeeper().getChildren(path, false);
		}
		catch (KeeperException.NoNodeException ignored) {
			return List.of();
		}
	}

	/** Returns the data of the existing children among these, read in one batch. */
	public Map<String, byte[]> data(String parent, Collection<String> names) throws Exception {
		ZooKeeper zooKeeper = zooKeeper();
		return askAll(names, (name, answer) -> zooKeeper.getData(parent + "/" + name, false,
				(rc, path, context, data, stat) -> complete(answer, rc, path, (data != null) ? data : EMPTY), null));
	}

	public @Nullable Stat stat(String path, Watcher watcher) throws Exception {
		return zooKeeper().exists(path, watcher);
	}

	/** Creates missing persistent nodes and their ancestors, all empty. */
	public void ensure(Collection<String> paths) throws Exception {
		Map<Integer, Set<String>> byDepth = new HashMap<>();
		for (String path : paths) {
			for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
				String node = path.substring(0, end);
				byDepth.computeIfAbsent((int) node.chars().filter((c) -> c == '/').count(), (depth) -> new TreeSet<>())
					.add(node);
			}
		}
		for (Integer depth : new TreeSet<>(byDepth.keySet())) {
			createAll(missing(byDepth.getOrDefault(depth, Set.of()), null));
		}
	}

	/** Creates or updates a persistent node. */
	public void ensureData(String path, byte[] data) throws Exception {
		try {
			zooKeeper().create(path, data, acl(path), CreateMode.PERSISTENT);
		}
		catch (KeeperException.NodeExistsException ignored) {
			byte[] found = zooKeeper().getData(path, false, null);
			if (!Arrays.equals(found, data)) {
				zooKeeper().setData(path, data, -1);
			}
		}
	}

	/**
	 * Creates or updates a node of this session, and replaces a node of an earlier
	 * session.
	 */
	public void placeEphemeral(String path, byte[] data) throws Exception {
		try {
			zooKeeper().create(path, data, acl(path), CreateMode.EPHEMERAL);
		}
		catch (KeeperException.NodeExistsException ignored) {
			Stat stat = zooKeeper().exists(path, false);
			if (stat != null && stat.getEphemeralOwner() == sessionId()) {
				if (!Arrays.equals(zooKeeper().getData(path, false, null), data)) {
					zooKeeper().setData(path, data, stat.getVersion());
				}
				return;
			}
			if (stat != null) {
				delete(path, stat.getVersion());
			}
			zooKeeper().create(path, data, acl(path), CreateMode.EPHEMERAL);
		}
	}

	public void delete(String path, int version) throws Exception {
		try {
			zooKeeper().delete(path, version);
		}
		catch (KeeperException.NoNodeException ignored) {
			// the node is gone
		}
	}

	/**
	 * Watches a node, which may be missing, until {@link #unwatch} or the end of the
	 * session.
	 */
	public void watch(String path, AddWatchMode mode, Watcher watcher) throws Exception {
		zooKeeper().addWatch(path, watcher, mode);
	}

	/**
	 * Removes all watches of a node, without waiting. Removing one watcher only would
	 * leave the watch at the server.
	 */
	public void unwatch(String path) throws Exception {
		zooKeeper().removeAllWatches(path, Watcher.WatcherType.Any, true, (rc, removed, context) -> {
		}, null);
	}

	/**
	 * Returns the nodes that any client may change, although the ACL does not allow it.
	 */
	public List<String> weak(Collection<String> paths) throws Exception {
		List<String> weak = new ArrayList<>();
		for (String path : this.acl.isOpen() ? List.<String>of() : paths) {
			if (this.acl.isWeakenedBy(zooKeeper().getACL(path, new Stat()))) {
				weak.add(path);
			}
		}
		return weak;
	}

	private List<ACL> acl(String path) {
		boolean ours = path.equals(this.root) || path.startsWith(this.root + "/");
		return (ours ? this.acl : NodeAcl.OPEN).entries();
	}

	/**
	 * Returns the nodes that do not exist, read in one batch.
	 * @param watcher called once when one of them changes; null for no watch
	 */
	public List<String> missing(Collection<String> paths, @Nullable Watcher watcher) throws Exception {
		ZooKeeper zooKeeper = zooKeeper();
		Set<String> existing = this
			.<Boolean>askAll(paths,
					(node, answer) -> zooKeeper.exists(node, watcher,
							(rc, path, context, stat) -> complete(answer, rc, path, true), null))
			.keySet();
		return paths.stream().filter((node) -> !existing.contains(node)).toList();
	}

	private void createAll(List<String> paths) throws Exception {
		ZooKeeper zooKeeper = zooKeeper();
		this.<Boolean>askAll(paths, (node, answer) -> zooKeeper.create(node, EMPTY, acl(node), CreateMode.PERSISTENT,
				(rc, path, context, name) -> complete(answer, rc, path, true), null));
	}

	/**
	 * Asks for all nodes before it waits for the first answer. Returns the answers, none
	 * for a node that does not exist.
	 */
	private <T> Map<String, T> askAll(Collection<String> nodes,
			BiConsumer<String, CompletableFuture<@Nullable T>> question) throws Exception {
		Map<String, CompletableFuture<@Nullable T>> asked = new HashMap<>();
		for (String node : nodes) {
			CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
			asked.put(node, answer);
			question.accept(node, answer);
		}
		Map<String, T> found = new HashMap<>();
		for (Map.Entry<String, CompletableFuture<@Nullable T>> each : asked.entrySet()) {
			T answer = await(each.getValue());
			if (answer != null) {
				found.put(each.getKey(), answer);
			}
		}
		return found;
	}

	/**
	 * Completes with null if the node does not exist. An existing node counts as created.
	 */
	private static <T> void complete(CompletableFuture<@Nullable T> answer, int rc, String path, T value) {
		Code code = Code.get(rc);
		if (code == Code.OK || code == Code.NODEEXISTS) {
			answer.complete(value);
		}
		else if (code == Code.NONODE) {
			answer.complete(null);
		}
		else {
			answer.completeExceptionally(KeeperException.create((code != null) ? code : Code.SYSTEMERROR, path));
		}
	}

	private <T> @Nullable T await(CompletableFuture<@Nullable T> answer) throws Exception {
		try {
			return answer.get(this.batchMillis, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof Exception cause) ? cause : ex;
		}
		catch (TimeoutException ex) {
			throw new TimeoutException("no answer from ZooKeeper within %d ms".formatted(this.batchMillis));
		}
	}

	private ZooKeeper zooKeeper() throws Exception {
		return this.client.getZookeeperClient().getZooKeeper();
	}

}
