/** Instances from the addresses of host names. */
@NullMarked
package io.rpcboot.registry.dns;

import org.jspecify.annotations.NullMarked;
