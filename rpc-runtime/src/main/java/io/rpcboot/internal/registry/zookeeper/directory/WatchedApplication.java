package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rpcboot.ServiceId;
import io.rpcboot.internal.registry.zookeeper.node.NodeCodec;
import io.rpcboot.internal.registry.zookeeper.node.NodeCodec.InstanceNode;
import io.rpcboot.internal.registry.zookeeper.node.NodeCodec.MalformedNodeException;
import io.rpcboot.internal.registry.zookeeper.node.Nodes;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.registry.ServiceInstance;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application that offers a subscribed service: its instances and their services. One
 * recursive watch covers its node. The data of a node is read once, and again after a
 * change or an outage. Registry thread only.
 */
final class WatchedApplication {

	/** Maximum length of a path in the log, in characters. */
	private static final int MAX_PATH = 500;

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final Discovery discovery;

	private final String name;

	private final String path;

	private final String revisionsPath;

	private final String instancesPath;

	private final Watcher watcher = this::changed;

	/** Instances by id. */
	private final Map<String, InstanceNode> instances = new HashMap<>();

	private final Map<String, Set<ServiceId>> revisions = new HashMap<>();

	private final Set<String> malformed = new HashSet<>();

	private final Set<String> warned = new HashSet<>();

	private boolean watched;

	private boolean stale = true;

	WatchedApplication(Discovery discovery, RegistryPaths paths, String name) {
		this.discovery = discovery;
		this.name = name;
		this.path = paths.application(name);
		this.revisionsPath = paths.revisions(name);
		this.instancesPath = paths.instances(name);
	}

	String name() {
		return this.name;
	}

	/**
	 * Marks everything as outdated after an outage: events may be lost, the watch may be
	 * gone.
	 */
	void unread() {
		this.watched = false;
		this.stale = true;
	}

	/** Marks the children as changed. */
	void stale() {
		this.stale = true;
	}

	/** Drops the data of a node that was created, written or deleted. */
	void forget(String node) {
		this.malformed.remove(node);
		if (node.startsWith(this.instancesPath + "/")) {
			this.instances.remove(node.substring(this.instancesPath.length() + 1));
		}
		if (node.startsWith(this.revisionsPath + "/")) {
			this.revisions.remove(node.substring(this.revisionsPath.length() + 1));
		}
	}

	void unwatch(Nodes nodes) throws Exception {
		if (this.watched) {
			nodes.unwatch(this.path);
		}
	}

	void read(Nodes nodes) throws Exception {
		if (!this.stale) {
			return;
		}
		if (!this.watched) {
			nodes.watch(this.path, AddWatchMode.PERSISTENT_RECURSIVE, this.watcher);
			this.watched = true;
			this.instances.clear();
			this.revisions.clear();
			this.malformed.clear();
		}
		readInstances(nodes);
		readRevisions(nodes);
		this.warned.retainAll(this.malformed);
		this.stale = false;
	}

	/** Adds the instances that offer a service. */
	void addInstances(ServiceId service, Collection<ServiceInstance> target) {
		this.instances.forEach((id, node) -> {
			Set<ServiceId> services = this.revisions.get(node.revision());
			if (services != null && services.contains(service)) {
				target.add(node.with(id, this.name, services));
			}
		});
	}

	private void readInstances(Nodes nodes) throws Exception {
		List<String> ids = nodes.children(this.instancesPath);
		this.instances.keySet().retainAll(ids);
		Set<String> unknown = new TreeSet<>(ids);
		unknown.removeAll(this.instances.keySet());
		unknown.removeIf((id) -> this.malformed.contains(this.instancesPath + "/" + id));
		nodes.data(this.instancesPath, unknown).forEach((id, data) -> {
			try {
				this.instances.put(id, NodeCodec.decodeInstance(data));
			}
			catch (MalformedNodeException ex) {
				skip(this.instancesPath + "/" + id, ex);
			}
		});
	}

	private void readRevisions(Nodes nodes) throws Exception {
		Set<String> unknown = new TreeSet<>();
		this.instances.values().forEach((instance) -> unknown.add(instance.revision()));
		this.revisions.keySet().retainAll(unknown);
		unknown.removeAll(this.revisions.keySet());
		unknown.removeIf((revision) -> this.malformed.contains(this.revisionsPath + "/" + revision));
		nodes.data(this.revisionsPath, unknown).forEach((revision, data) -> {
			try {
				this.revisions.put(revision, services(revision, data));
			}
			catch (MalformedNodeException ex) {
				skip(this.revisionsPath + "/" + revision, ex);
			}
		});
	}

	private static Set<ServiceId> services(String revision, byte[] data) throws MalformedNodeException {
		Set<ServiceId> services = NodeCodec.decodeServices(data);
		if (!NodeCodec.revision(data).equals(revision)) {
			throw new MalformedNodeException("content does not match its hash, which is the name of the node");
		}
		return services;
	}

	private void skip(String node, MalformedNodeException why) {
		this.malformed.add(node);
		if (this.warned.add(node)) {
			log.warn("Registry node {} is skipped: {}", PrintableText.of(node, MAX_PATH), why.getMessage());
		}
	}

	private void changed(WatchedEvent event) {
		String node = event.getPath();
		if (event.getType() != Watcher.Event.EventType.None && node != null) {
			this.discovery.applicationChanged(this, node);
		}
	}

}
