package io.rpcboot.spring.autoconfigure.registry;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Connection details of ZooKeeper. A bean of this type overrides
 * {@code rpc.registry.zookeeper.connect-string}, and selects ZooKeeper unless
 * {@code rpc.registry.type} is set. Example: <pre class="code">
 * &#064;Bean
 * RpcRegistryConnectionDetails zooKeeper() {
 * 	return () -&gt; "zk1:2181,zk2:2181/orders";
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public interface RpcRegistryConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the servers.
	 * @return {@code host:port[,host:port...][/path]}
	 */
	String getConnectString();

}
