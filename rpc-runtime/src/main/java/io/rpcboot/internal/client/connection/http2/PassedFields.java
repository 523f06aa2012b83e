package io.rpcboot.internal.client.connection.http2;

import java.util.List;

import io.rpcboot.internal.protocol.http2.HeaderField;

/**
 * Header fields of a request that a relay passes on.
 *
 * @param verb method of HTTP
 * @param path path with its query
 * @param isConnect true if the timeout is that of Connect
 * @param others all other fields but the timeout and those of a connection
 */
public record PassedFields(String verb, String path, boolean isConnect, List<HeaderField> others) {
}
