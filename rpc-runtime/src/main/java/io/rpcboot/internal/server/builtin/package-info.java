/**
 * Services that a server itself offers over gRPC, health and reflection: streams of
 * messages that are answered on the event loop of their connection.
 */
@NullMarked
package io.rpcboot.internal.server.builtin;

import org.jspecify.annotations.NullMarked;
