/**
 * Detection of the protocol of an accepted connection by its first bytes.
 * <p>
 * Uses the connection; the server has one detector for each accepted connection and
 * decides which protocols its port speaks. A detector writes nothing before it has read,
 * and keeps three bytes at most.
 */
@NullMarked
package io.rpcboot.internal.transport.detect;

import org.jspecify.annotations.NullMarked;
