package io.rpcboot.internal.serialization.protobuf.json;

import java.util.Map;

import io.rpcboot.internal.serialization.json.JsonStreams;
import org.jspecify.annotations.Nullable;

/**
 * Messages of files and the way to read them. Immutable.
 *
 * @param messages messages by their full names
 * @param streams reads and writes JSON
 * @param ignoresUnknownFields true to ignore unknown properties and constants
 */
record JsonTypes(Map<String, MessageType> messages, JsonStreams streams, boolean ignoresUnknownFields) {

	/** Returns the type of the content of an {@code Any}. */
	MessageType require(@Nullable String url) {
		MessageType type = (url != null && url.indexOf('/') >= 0)
				? this.messages.get(url.substring(url.lastIndexOf('/') + 1)) : null;
		if (type == null) {
			throw JsonScalars.refused((url != null) ? "@type " + JsonScalars.quoted(url) : "no @type",
					"a type of the service, like type.googleapis.com/acme.User");
		}
		return type;
	}

}
