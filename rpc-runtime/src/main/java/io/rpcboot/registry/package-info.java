/**
 * Who offers which service where: register, subscribe, and the registry of one JVM.
 */
@NullMarked
package io.rpcboot.registry;

import org.jspecify.annotations.NullMarked;
