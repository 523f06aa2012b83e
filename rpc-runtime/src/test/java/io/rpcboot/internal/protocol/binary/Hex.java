package io.rpcboot.internal.protocol.binary;

import java.util.HexFormat;

/** Bytes as a person reads them: groups of hex digits with blanks between. */
final class Hex {

	private Hex() {
	}

	static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex.replace(" ", ""));
	}

	static String of(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	static String compact(String hex) {
		return hex.replace(" ", "");
	}

}
