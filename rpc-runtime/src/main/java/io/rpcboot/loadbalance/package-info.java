/**
 * Chooses one instance of many.
 */
@NullMarked
package io.rpcboot.loadbalance;

import org.jspecify.annotations.NullMarked;
