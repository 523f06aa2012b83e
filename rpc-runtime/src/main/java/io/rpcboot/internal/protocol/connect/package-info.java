/**
 * Words of the Connect protocol, which clients of HTTP speak with JSON or protobuf:
 * content types, codes of errors and their status of HTTP, deadlines. Knows no
 * connection.
 */
@NullMarked
package io.rpcboot.internal.protocol.connect;

import org.jspecify.annotations.NullMarked;
