/**
 * Contracts of servers: what a peer offers under a service id, and why it rejects a
 * service or method.
 */
@NullMarked
package io.rpcboot.internal.client.contract;

import org.jspecify.annotations.NullMarked;
