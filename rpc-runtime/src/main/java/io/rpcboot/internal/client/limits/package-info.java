/**
 * Permits of the client: whether one more call may be pending, and where calls wait for a
 * permit.
 */
@NullMarked
package io.rpcboot.internal.client.limits;

import org.jspecify.annotations.NullMarked;
