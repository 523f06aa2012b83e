package io.rpcboot.internal.server.runtime;

/** Optional libraries of the protocols of a server. */
public final class ServerLibraries {

	private static final boolean HTTP = isPresent("io.netty.handler.codec.http.HttpRequestDecoder");

	private static final boolean JSON = isPresent("tools.jackson.core.json.JsonFactory");

	private ServerLibraries() {
	}

	private static boolean isPresent(String type) {
		try {
			Class.forName(type, false, ServerLibraries.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	/** Returns true if HTTP/1.1 can be read. */
	public static boolean hasHttp() {
		return HTTP;
	}

	/** Returns true if messages may be JSON. */
	public static boolean hasJson() {
		return JSON;
	}

	/** Returns what the protocol connect lacks, and its remedy; empty for nothing. */
	public static String missing() {
		String http = HTTP ? "" : "no HTTP/1.1 without io.netty:netty-codec-http. ";
		String json = JSON ? "" : "no JSON without tools.jackson.core:jackson-core. ";
		return (http + json).strip();
	}

}
