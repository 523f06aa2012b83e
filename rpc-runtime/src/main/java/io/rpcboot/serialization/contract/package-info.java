/**
 * Contracts of services as data that both sides compare: methods, types, fields and
 * constants. Used by serializers, client and server; uses the root package only. Equal
 * texts, and therefore equal hashes, mean that each side reads what the other writes.
 * Class names of a peer are compared and never looked up, and the work for a peer's
 * contract is bounded.
 */
@NullMarked
package io.rpcboot.serialization.contract;

import org.jspecify.annotations.NullMarked;
