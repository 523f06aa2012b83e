/**
 * Ranges of network addresses.
 */
@NullMarked
package io.rpcboot.internal.net;

import org.jspecify.annotations.NullMarked;
