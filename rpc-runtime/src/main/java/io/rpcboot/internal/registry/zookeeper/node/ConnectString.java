package io.rpcboot.internal.registry.zookeeper.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;

/**
 * A connect string: servers and path.
 *
 * @param servers servers of the ensemble
 * @param path absolute path, or empty
 */
public record ConnectString(List<Endpoint> servers, String path) {

	private static final String NAME = "registry.zookeeper.connect-string";

	private static final String EXPECTED = "host:port[,host:port...][/path]";

	private static final int DEFAULT_PORT = 2181;

	private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.-]+|\\[[0-9A-Za-z:.%]+]");

	private static final Pattern LOOPBACK = Pattern
		.compile("localhost|.*\\.localhost|127(\\.\\d{1,3}){3}|::1|0:0:0:0:0:0:0:1");

	public static ConnectString parse(String text) {
		int slash = text.indexOf('/');
		String path = (slash < 0) ? "" : text.substring(slash);
		Options.require(path.length() <= 1 || RegistryPaths.isRoot(path), NAME, quoted(text), EXPECTED);
		List<Endpoint> servers = new ArrayList<>();
		for (String server : ((slash < 0) ? text : text.substring(0, slash)).split(",", -1)) {
			servers.add(server(server.trim(), text));
		}
		return new ConnectString(List.copyOf(servers), (path.length() == 1) ? "" : path);
	}

	/**
	 * Returns true if all servers are on loopback. Resolves no name, because that may
	 * block.
	 */
	public boolean isLoopback() {
		return this.servers.stream()
			.allMatch((server) -> LOOPBACK.matcher(server.host().toLowerCase(Locale.ROOT)).matches());
	}

	public String hosts() {
		return this.servers.stream().map(Endpoint::toString).collect(Collectors.joining(","));
	}

	@Override
	public String toString() {
		return hosts() + this.path;
	}

	private static Endpoint server(String server, String text) {
		int colon = server.lastIndexOf(':');
		boolean port = colon > server.lastIndexOf(']');
		String host = port ? server.substring(0, colon) : server;
		Options.require(HOST.matcher(host).matches(), NAME, quoted(text), EXPECTED);
		try {
			return Endpoint.parse(port ? server : server + ":" + DEFAULT_PORT);
		}
		catch (RpcConfigurationException ex) {
			throw InvalidOptionException.unusable(NAME, "%s (expected: %s)".formatted(quoted(text), EXPECTED),
					"Set %s to %s.".formatted(NAME, EXPECTED), ex);
		}
	}

	private static String quoted(String text) {
		return "'" + text + "'";
	}

}
