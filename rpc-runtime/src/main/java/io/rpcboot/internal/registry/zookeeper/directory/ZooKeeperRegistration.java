package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.ServiceId;
import io.rpcboot.internal.registry.zookeeper.node.NodeCodec;
import io.rpcboot.internal.registry.zookeeper.node.Nodes;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.registry.Registry.Registration;
import io.rpcboot.registry.ServiceInstance;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registered instance and its nodes, which are repaired whenever another process
 * changes or deletes them. Registry thread only, except for the methods of
 * {@link Registration}.
 */
public final class ZooKeeperRegistration implements Registration {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final DirectorySession session;

	private final RegistryPaths paths;

	private volatile ServiceInstance instance;

	private final String path;

	private final Watcher watcher = this::changed;

	private volatile boolean wanted = true;

	private volatile boolean registered;

	/** True while a repair is scheduled, so that many changes need one repair. */
	private final AtomicBoolean repairs = new AtomicBoolean();

	/** True once the ACLs of existing nodes were checked. */
	private boolean checked;

	public ZooKeeperRegistration(DirectorySession session, RegistryPaths paths, ServiceInstance instance) {
		RegistryPaths.requireSegment("application", instance.application());
		RegistryPaths.requireSegment("instance id", instance.id());
		this.session = session;
		this.paths = paths;
		this.instance = instance;
		this.path = paths.instances(instance.application()) + "/" + instance.id();
	}

	@Override
	public boolean isRegistered() {
		return this.registered;
	}

	@Override
	public String location() {
		return this.path;
	}

	@Override
	public boolean update(ServiceInstance changed) {
		this.instance = changed;
		this.session.publishAgain(this);
		return true;
	}

	@Override
	public void close() {
		if (!this.wanted) {
			return;
		}
		this.wanted = false;
		this.session.takeOut(this);
		this.registered = false;
	}

	public boolean isWanted() {
		return this.wanted;
	}

	public void unwant() {
		this.wanted = false;
		this.registered = false;
	}

	/** Called when the session has ended, and its nodes with it. */
	public void lost() {
		this.registered = false;
	}

	/** Writes the nodes. Needs a connection. */
	public void publish(Nodes nodes) throws Exception {
		this.repairs.set(false);
		if (!this.wanted) {
			return;
		}
		ServiceInstance offered = this.instance;
		String application = offered.application();
		byte[] services = NodeCodec.encodeServices(offered.services());
		String revision = NodeCodec.revision(services);
		nodes.ensure(List.of(this.paths.revisions(application), this.paths.instances(application)));
		String described = this.paths.revisions(application) + "/" + revision;
		nodes.ensureData(described, services);
		List<String> mappings = new ArrayList<>();
		for (ServiceId service : offered.services()) {
			mappings.add(this.paths.mapping(service, application));
		}
		nodes.ensure(mappings);
		mappings.add(described);
		nodes.placeEphemeral(this.path, NodeCodec.encodeInstance(offered, revision));
		mappings.add(this.path);
		List<String> gone = nodes.missing(mappings, this.watcher);
		if (!gone.isEmpty()) {
			throw new IllegalStateException(gone + ": deleted right after they were created");
		}
		this.registered = this.wanted;
		warnOfWeakNodes(nodes);
	}

	/** Warns of nodes that existed before the ACL was configured. */
	private void warnOfWeakNodes(Nodes nodes) throws Exception {
		if (this.checked) {
			return;
		}
		List<String> weak = nodes.weak(this.paths.above(this.instance));
		if (!weak.isEmpty()) {
			log.warn("""
					Registry nodes can be changed by everybody, because they are older than registry.zookeeper.acl: \
					{}. Close them with setAcl -R, or set registry.zookeeper.root-path to a new node""", weak);
		}
		this.checked = true;
	}

	/**
	 * Removes the node of the instance, whose id no other process uses. Needs a
	 * connection.
	 */
	public void remove(Nodes nodes) throws Exception {
		Stat stat = nodes.stat(this.path, this.watcher);
		if (stat != null) {
			nodes.delete(this.path, stat.getVersion());
		}
	}

	private void changed(WatchedEvent event) {
		Watcher.Event.EventType type = event.getType();
		// events of the session are handled elsewhere
		if (type == Watcher.Event.EventType.None || !this.wanted) {
			return;
		}
		if (type == Watcher.Event.EventType.NodeDeleted && this.path.equals(event.getPath())) {
			this.registered = false;
		}
		if (this.repairs.compareAndSet(false, true)) {
			this.session.publishAgain(this); // and watch again
		}
	}

}
