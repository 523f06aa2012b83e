/**
 * Calls that go to every known service instance.
 */
@NullMarked
package io.rpcboot.internal.client.broadcast;

import org.jspecify.annotations.NullMarked;
