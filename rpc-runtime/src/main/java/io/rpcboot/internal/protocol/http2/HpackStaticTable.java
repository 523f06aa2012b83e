package io.rpcboot.internal.protocol.http2;

import java.util.HashMap;
import java.util.Map;

/** Header fields that each HPACK coder knows (RFC 7541, appendix A), by index from 1. */
final class HpackStaticTable {

	/** Names, each followed by its value. */
	private static final String[] FIELDS = { ":authority", "", ":method", "GET", ":method", "POST", ":path", "/",
			":path", "/index.html", ":scheme", "http", ":scheme", "https", ":status", "200", ":status", "204",
			":status", "206", ":status", "304", ":status", "400", ":status", "404", ":status", "500", "accept-charset",
			"", "accept-encoding", "gzip, deflate", "accept-language", "", "accept-ranges", "", "accept", "",
			"access-control-allow-origin", "", "age", "", "allow", "", "authorization", "", "cache-control", "",
			"content-disposition", "", "content-encoding", "", "content-language", "", "content-length", "",
			"content-location", "", "content-range", "", "content-type", "", "cookie", "", "date", "", "etag", "",
			"expect", "", "expires", "", "from", "", "host", "", "if-match", "", "if-modified-since", "",
			"if-none-match", "", "if-range", "", "if-unmodified-since", "", "last-modified", "", "link", "", "location",
			"", "max-forwards", "", "proxy-authenticate", "", "proxy-authorization", "", "range", "", "referer", "",
			"refresh", "", "retry-after", "", "server", "", "set-cookie", "", "strict-transport-security", "",
			"transfer-encoding", "", "user-agent", "", "vary", "", "via", "", "www-authenticate", "" };

	/** The highest index. */
	static final int LENGTH = FIELDS.length / 2;

	/** The first index of each name. Fields of one name are consecutive. */
	private static final Map<String, Integer> FIRST = new HashMap<>();

	static {
		for (int index = 1; index <= LENGTH; index++) {
			FIRST.putIfAbsent(name(index), index);
		}
	}

	private HpackStaticTable() {
	}

	static String name(int index) {
		return FIELDS[2 * index - 2];
	}

	static String value(int index) {
		return FIELDS[2 * index - 1];
	}

	/** Returns an index of a name, 0 if it has none. */
	static int indexOf(String name) {
		return FIRST.getOrDefault(name, 0);
	}

	/**
	 * Returns the index of a field, 0 if it has none.
	 * @param name name of the field
	 * @param value its value
	 */
	static int indexOf(String name, String value) {
		int index = indexOf(name);
		if (index == 0) {
			return 0;
		}
		while (index <= LENGTH && name(index).equals(name)) {
			if (value(index).equals(value)) {
				return index;
			}
			index++;
		}
		return 0;
	}

}
