package io.rpcboot.grpc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;

/** Converts metadata of grpc-java to header fields, and back. */
final class MetadataFields {

	private static final String BINARY = "-bin";

	/** Names of fields that the server sets. */
	private static final Set<String> RESERVED = Set.of("content-type", "te", "user-agent", "grpc-status",
			"grpc-message", "grpc-encoding");

	private MetadataFields() {
	}

	/** Returns the metadata of a request. */
	static Metadata metadata(List<Map.Entry<String, String>> fields) {
		List<byte[]> pairs = new ArrayList<>();
		for (Map.Entry<String, String> each : fields) {
			byte[] name = each.getKey().getBytes(StandardCharsets.US_ASCII);
			if (each.getKey().endsWith(BINARY)) {
				for (String value : each.getValue().split(",", -1)) { // joined by proxies
					pairs.add(name);
					pairs.add(Base64.getDecoder().decode(value.strip()));
				}
			}
			else {
				pairs.add(name);
				pairs.add(each.getValue().strip().getBytes(StandardCharsets.ISO_8859_1));
			}
		}
		return InternalMetadata.newMetadata(pairs.toArray(new byte[0][]));
	}

	/** Returns the fields of a response. Texts that HTTP does not allow are left out. */
	static List<Map.Entry<String, String>> fields(Metadata metadata) {
		byte[][] pairs = InternalMetadata.serialize(metadata);
		List<Map.Entry<String, String>> fields = new ArrayList<>(pairs.length / 2);
		for (int i = 0; i < pairs.length; i += 2) {
			String name = new String(pairs[i], StandardCharsets.US_ASCII);
			String value = name.endsWith(BINARY) ? Base64.getEncoder().withoutPadding().encodeToString(pairs[i + 1])
					: new String(pairs[i + 1], StandardCharsets.ISO_8859_1);
			if (!RESERVED.contains(name) && value.chars().allMatch((each) -> each >= ' ' && each <= '~')) {
				fields.add(Map.entry(name, value));
			}
		}
		return fields;
	}

}
