/**
 * Client of the engine: {@code RpcClient} makes references to services, {@code Broadcast}
 * calls all instances of one. Applications and the Spring integration use it; only its
 * entry points use the internal rooms. Proxies are thread-safe, options are immutable,
 * and one client serves a whole application.
 */
@NullMarked
package io.rpcboot.client;

import org.jspecify.annotations.NullMarked;
