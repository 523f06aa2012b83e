/**
 * What client and server have in common around a call.
 */
@NullMarked
package io.rpcboot.internal.call;

import org.jspecify.annotations.NullMarked;
