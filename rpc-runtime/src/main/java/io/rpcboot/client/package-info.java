/**
 * Calls services: the proxy, the connections, the calls under way.
 */
@NullMarked
package io.rpcboot.client;

import org.jspecify.annotations.NullMarked;
