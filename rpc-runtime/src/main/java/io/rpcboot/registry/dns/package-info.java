/**
 * Registry of host names: each address of a {@code dns:} name is an instance. Clients
 * create one for a reference with such addresses. Look-ups are polled, shared by the
 * references of a client, and run on threads of their own; a look-up that fails leaves
 * the known addresses valid.
 */
@NullMarked
package io.rpcboot.registry.dns;

import org.jspecify.annotations.NullMarked;
