/**
 * Contracts of servers: bindings of services, contracts that differ from the client's,
 * and reasons of rejections.
 * <p>
 * Uses serialization and memory and knows neither calls nor connections; used by
 * connections and by the rooms above them. A contract is parsed at most once and never on
 * an event loop, because a server chooses its size; its memory counts against the
 * client's limit.
 */
@NullMarked
package io.rpcboot.internal.client.contract;

import org.jspecify.annotations.NullMarked;
