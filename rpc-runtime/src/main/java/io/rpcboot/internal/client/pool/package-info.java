/**
 * Connections to one endpoint: opening, backoff, detection of frozen peers, failures.
 */
@NullMarked
package io.rpcboot.internal.client.pool;

import org.jspecify.annotations.NullMarked;
