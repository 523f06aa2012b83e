/**
 * JSON documents of the endpoint {@code rpc}, and the formats of their texts. Records
 * without behavior, which {@code findings}, {@code endpoint} and {@code health} create;
 * this package uses the engine's public API only. Component names are the JSON names:
 * they and the sizes of lists are documented in docs/operations.md and stay compatible.
 */
@NullMarked
package io.rpcboot.spring.actuate.descriptor;

import org.jspecify.annotations.NullMarked;
