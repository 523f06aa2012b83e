/**
 * Auto-configuration of the registry.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.registry;

import org.jspecify.annotations.NullMarked;
