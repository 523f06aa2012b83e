/**
 * References: the proxy of a service interface, its interceptors and fallback, and the
 * router that gives each call an instance or a reason to wait. {@code RpcClient} makes
 * them; they use all lower client rooms, and broadcasts use them. The proxy reads one
 * volatile routing table, which only the control thread writes, so a call without trouble
 * takes no lock.
 */
@NullMarked
package io.rpcboot.internal.client.reference;

import org.jspecify.annotations.NullMarked;
